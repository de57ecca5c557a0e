"""Perfect: a player that follows the optimal policy of a fight, read from disk if it was ever worked out before."""

from __future__ import annotations

from affray.lab.solving.growing import MEMORY
from affray.players.equilibrium import SECONDS, Equilibrium


class Perfect(Equilibrium):
    """Plays as well as can be wherever the graph of the fight can be grown; `Unsolvable` says where it cannot.

    It differs from `Equilibrium` in what it remembers: a fight that was solved once, in this process or in an earlier
    one, is not solved again. Where several fighters decide at once, the optimal policy is a mix.
    """

    def __init__(self, *, memory: int = MEMORY, seconds: float = SECONDS, cached: bool = True) -> None:
        super().__init__(memory=memory, seconds=seconds, cached=cached)
