"""The packages that environments need beyond the core; an error names the extra that installs a missing one."""

from __future__ import annotations

from affray.errors import MissingExtra

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
except ImportError:
    raise MissingExtra("training environments", "train") from None

__all__ = ["AECEnv", "ParallelEnv", "gymnasium", "np", "spaces"]
