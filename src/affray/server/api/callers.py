"""Who asks: the visitor who stands for one request."""

from __future__ import annotations

from affray.world.people.visitor import Kind, Visitor
from affray.world.store.tables import Account
from affray.world.world import World

GUEST = Account("", "guest", "guest", None, None, None)
"""A caller without an account; no name of an account can be empty."""


class Caller(Visitor):
    """A visitor for one request: what they are told is kept for the answer."""

    reads_news = False

    def __init__(self, world: World, account: Account, address: str) -> None:
        super().__init__(world, lambda text: None, address)
        self.account = account
        self.told: list[str] = []

    def tell(self, text: str, kind: Kind = "reply") -> None:
        """Keep what they are told; what everybody hears comes to them another way."""
        if text and kind == "reply":
            self.told.append(text)


def spectator(visitor: Visitor) -> Caller:
    """A caller who sees only what everyone may see, no matter who is logged in."""
    return Caller(visitor.world, GUEST, visitor.address)
