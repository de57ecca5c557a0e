"""Lets listeners know in which places something has changed, such as those who draw what goes on there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Listeners:
    """Functions that are called with the key of each place in which the combat, or who is there, has changed."""

    def __init__(self) -> None:
        self._listeners: list[Callable[[str], None]] = []
        self._changed: set[str] = set()

    def add(self, listener: Callable[[str], None]) -> None:
        """Call a function for every change from now on."""
        self._listeners.append(listener)

    def changed(self, place: str) -> None:
        """Something has changed in a place: listeners hear of it once the present step is done."""
        if not self._changed:
            asyncio.get_running_loop().call_soon(self._call)
        self._changed.add(place)

    def _call(self) -> None:
        changed, self._changed = self._changed, set()
        for place in changed:
            for listener in self._listeners:
                listener(place)
