"""For designers: exact odds, mass simulation, luck. Nothing heavy is imported before it is used."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from affray.errors import MissingExtra

if TYPE_CHECKING:
    from affray.fight import Fight

_warming: dict[tuple[str, int], threading.Thread] = {}
_ready: set[tuple[str, int]] = set()


def warm_up(fight: Fight) -> None:
    """Compile in the background what this fight's odds need; without the `lab` extra nothing happens."""
    if _roster(fight) in _warming:
        return
    aside = fight.fork()

    def compile() -> None:
        with suppress(MissingExtra):
            ready_now(aside)

    _warming[_roster(fight)] = thread = threading.Thread(target=compile, name="affray-warm-up", daemon=True)
    thread.start()


def ready_soon(fight: Fight, seconds: float) -> bool:
    """Whether native code is ready, waiting for it a moment where that has just begun: what exists is soon loaded."""
    begun = _roster(fight) in _warming
    warm_up(fight)
    if not begun:
        _warming[_roster(fight)].join(seconds)
    return native_ready(fight)


def ready_now(fight: Fight) -> None:
    """Compile what this fight's odds need, however long it takes."""
    from affray.lab.drivers import compile_odds

    compile_odds(fight)
    mark_ready(fight)


def native_ready(fight: Fight) -> bool:
    """Whether native code for this fight's odds is compiled, so that using it makes nobody wait."""
    return _roster(fight) in _ready


def mark_ready(fight: Fight) -> None:
    """Remember that native code for rosters like this one has been compiled."""
    _ready.add(_roster(fight))


def _roster(fight: Fight) -> tuple[str, int]:
    return fight.system.id, len(fight.names)
