"""For designers: exact odds, mass simulation, luck. Nothing heavy is imported before it is used."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from affray.errors import MissingExtra
from affray.kernel import records

if TYPE_CHECKING:
    from affray.system.setup import Setup

_warming: dict[tuple[str, int], threading.Thread] = {}
_ready: set[tuple[str, int]] = set()


def warm_up(setup: Setup[Any], state: Any) -> None:
    """Compile in the background what this fight's odds need; without the `lab` extra nothing happens."""
    if _roster(setup) in _warming:
        return
    aside = records.copy(state)

    def compile() -> None:
        with suppress(MissingExtra):
            ready_now(setup, aside)

    _warming[_roster(setup)] = thread = threading.Thread(target=compile, name="affray-warm-up", daemon=True)
    thread.start()


def ready_soon(setup: Setup[Any], state: Any, seconds: float) -> bool:
    """Whether native code is ready, waiting for it a moment where that has just begun: what exists is soon loaded."""
    begun = _roster(setup) in _warming
    warm_up(setup, state)
    if not begun:
        _warming[_roster(setup)].join(seconds)
    return native_ready(setup)


def ready_now(setup: Setup[Any], state: Any) -> None:
    """Compile what this fight's odds need, however long it takes."""
    from affray.lab.drivers import compile_odds

    compile_odds(setup, state)
    mark_ready(setup)


def native_ready(setup: Setup[Any]) -> bool:
    """Whether native code for this fight's odds is compiled, so that using it makes nobody wait."""
    return _roster(setup) in _ready


def mark_ready(setup: Setup[Any]) -> None:
    """Remember that native code for rosters like this one has been compiled."""
    _ready.add(_roster(setup))


def _roster(setup: Setup[Any]) -> tuple[str, int]:
    return setup.system.id, len(setup.names)
