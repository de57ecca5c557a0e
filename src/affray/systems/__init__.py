"""The combat systems that come with Affray, one folder each, the same files in each."""

from __future__ import annotations

import sys
from types import ModuleType


class _Systems(ModuleType):
    """This package has the name of the function `affray.systems`, and takes its place once it has been imported."""

    def __call__(self) -> list[str]:
        """The ids of all installed combat systems."""
        from affray.system.listing import systems

        return systems()


sys.modules[__name__].__class__ = _Systems
