"""For designers: exact odds, mass simulation, luck. Nothing heavy is imported before it is used."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from affray.errors import MissingExtra

if TYPE_CHECKING:
    from affray.fight import Fight

_warming: set[tuple[str, int]] = set()
_ready: set[tuple[str, int]] = set()


def warm_up(fight: Fight) -> None:
    """Compile in the background what this fight's odds need; without the `lab` extra nothing happens."""
    if _roster(fight) in _warming:
        return
    _warming.add(_roster(fight))
    aside = fight.fork()

    def compile() -> None:
        try:
            from affray.lab.drivers import compile_odds

            compile_odds(aside)
            mark_ready(fight)
        except MissingExtra:
            pass

    threading.Thread(target=compile, name="affray-warm-up", daemon=True).start()


def native_ready(fight: Fight) -> bool:
    """Whether native code for this fight's odds is compiled, so that using it makes nobody wait."""
    return _roster(fight) in _ready


def mark_ready(fight: Fight) -> None:
    """Remember that native code for rosters like this one has been compiled."""
    _ready.add(_roster(fight))


def _roster(fight: Fight) -> tuple[str, int]:
    return fight.system.id, len(fight.names)
