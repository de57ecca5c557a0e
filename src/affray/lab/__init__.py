"""For designers: exact odds, mass simulation, luck. Heavy packages are imported only when they are used."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from affray.errors import MissingExtra
from affray.kernel import records

if TYPE_CHECKING:
    from affray.system.setup import Setup

_warming: dict[tuple[str, int, str], threading.Thread] = {}
_ready: set[tuple[str, int, str]] = set()


def has_threads() -> bool:
    """Whether Python can start threads: not where it runs in a browser."""
    return sys.platform != "emscripten"


def warm_up(setup: Setup[Any], state: Any) -> None:
    """Load or compile what this fight's odds need in the background; does nothing where neither is possible."""
    if _roster(setup) in _warming:
        return
    aside = records.copy(state)

    def compile() -> None:
        with suppress(MissingExtra):
            ready_now(setup, aside)

    _warming[_roster(setup)] = thread = threading.Thread(target=compile, name="affray-warm-up", daemon=True)
    if has_threads():
        thread.start()
    else:
        compile()


def ready_soon(setup: Setup[Any], state: Any, seconds: float) -> bool:
    """Whether native code is ready, after a short wait if compiling has just begun: cached code loads quickly."""
    begun = _roster(setup) in _warming
    warm_up(setup, state)
    if not begun and has_threads():
        _warming[_roster(setup)].join(seconds)
    return native_ready(setup)


def ready_now(setup: Setup[Any], state: Any) -> None:
    """Compile what this fight's odds need, however long it takes."""
    from affray.lab.odds import compile_odds

    compile_odds(setup, state)
    mark_ready(setup)


def native_ready(setup: Setup[Any]) -> bool:
    """Whether compiled code for this fight's odds can be used without a wait."""
    if _roster(setup) not in _ready:
        from affray.lab.programs import is_at_hand

        if is_at_hand(setup.system, len(setup.names)):
            mark_ready(setup)
    return _roster(setup) in _ready


def mark_ready(setup: Setup[Any]) -> None:
    """Remember that native code for rosters like this one has been compiled."""
    _ready.add(_roster(setup))


def _roster(setup: Setup[Any]) -> tuple[str, int, str]:
    return setup.system.id, records.slots_for(len(setup.names)), os.environ.get("AFFRAY_BACKEND", "")
