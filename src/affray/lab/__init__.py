"""For designers: exact odds, mass simulation, luck. Nothing heavy is imported before it is used."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from affray.errors import MissingExtra

if TYPE_CHECKING:
    from affray.fight import Fight

_warm: dict[tuple[str, int], threading.Event] = {}


def warm_up(fight: Fight) -> None:
    """Compile in the background what this fight's odds need; without the `lab` extra nothing happens."""
    key = fight.system.id, len(fight.names)
    if key in _warm:
        return
    done = _warm[key] = threading.Event()

    def compile() -> None:
        try:
            from affray.lab.drivers import compile_odds

            compile_odds(fight)
            done.set()
        except MissingExtra:
            pass

    threading.Thread(target=compile, name="affray-warm-up", daemon=True).start()


def native_ready(fight: Fight) -> bool:
    """Whether native code for this fight's odds is compiled, so that using it makes nobody wait."""
    done = _warm.get((fight.system.id, len(fight.names)))
    return done is not None and done.is_set()
