"""A policy file to test with: one that likes the same move best whatever it sees."""

from __future__ import annotations

from affray.fight import Fight
from affray.lab.courses import SPARE
from affray.players.policy import Policy, names_of


def stubborn(fight: Fight, best: str) -> Policy:
    """A policy that likes one move of a fight best, whatever it sees."""
    codes = sorted({code for who in range(len(fight.names)) for code in fight.codes(who)})
    liked = next(move.code for move in fight.legal(fight.to_act[0]) if str(move) == best)
    seen = names_of(fight.setup)
    layer = {"weights": [[0.0] * (len(codes) + SPARE + 1)] * len(seen), "bias": [0.0] * (len(codes) + SPARE + 1)}
    layer["bias"][codes.index(liked)], layer["bias"][-1] = 2.0, 0.25
    table = {"policy": 1, "system": fight.system.id, "numbers": seen, "codes": codes, "layers": [layer]}
    return Policy.of(
        {**table, "places": [*range(len(fight.names))], "mean": [0.0] * len(seen), "gain": [1.0] * len(seen)}
    )
