"""What is said and done in the places of a world, for those who are there and those who come a little later."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from affray.world.people.visitor import Visitor
    from affray.world.world import World

REMEMBERED = 100
"""Lines that are kept of each place."""


class Talk:
    """Tells everybody in a place what others there say and do."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.said: defaultdict[str, deque[tuple[int, str]]] = defaultdict(lambda: deque(maxlen=REMEMBERED))
        """The last lines of each place, numbered."""

    def tell(self, place: str, text: str, but: Visitor | None = None, account: str | None = None) -> None:
        """Tell everybody in a place, except one connection or all connections of an account."""
        self.remember(place, text)
        for visitor in self._world.people.in_place(place):
            if visitor is not but and visitor.key != account:
                visitor.tell(text, "said")
        self._world.publish({"kind": "said", "place": place, "text": text, "but": account})

    def remember(self, place: str, text: str) -> None:
        """Keep a line."""
        last = self.said[place][-1][0] if self.said[place] else 0
        self.said[place].append((last + 1, text))
