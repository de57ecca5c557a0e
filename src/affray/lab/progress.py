"""Progress of long work, as it is told to whatever shows it."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Is told how much is done, and of how much at most; may raise to stop the work."""
