"""What the dice gave each side of a fight, estimated by play-outs, so that a mean over few fights says more.

After every move that throws dice, the position is worth something to each side, if both go on by one tactic; had the
same dice been thrown again, it would have been worth something else. The difference between the worth of what came and
the mean of other throws is a gift of the dice. Its expectation is 0 for any players, however rough the estimates,
so a fight's worth less all gifts has the same expectation as its worth, and mostly a much smaller variance.
"""

from __future__ import annotations

from typing import Any

from affray.kernel import records
from affray.kernel.chance import Quick, Seeded
from affray.kernel.rows import Rows
from affray.lab.arena import Bout
from affray.lab.odds import values_for
from affray.lab.programs import program
from affray.players.tactics import numbered
from affray.system.setup import Setup

PLAYED_OUT = 1024  # fights from the position that came, and in all from those that might have come
OTHER_THROWS = 16  # positions that might have come
NOBODY = -1
OTHER_DICE = 0x510E527FADE682D1  # what might have come is thrown from here, where no fight's seed comes from


def gifts(setup: Setup[Any], bout: Bout, seed: int, number: int, tactic: str) -> tuple[float, float]:
    """What the dice of a fight of the arena gave its two sides; nothing is known where figures are the worth."""
    if setup.system.costs:
        return 0.0, 0.0
    return _Replayed(setup, (OTHER_DICE + seed + number) % 2**63, tactic).gifts(bout, Seeded(seed, number))


class _Replayed:
    def __init__(self, setup: Setup[Any], seed: int, tactic: str) -> None:
        self.setup, self.seed, self.thrown = setup, seed, 0
        self.tactics = numbered(setup.system, dict.fromkeys(setup.names, tactic))
        self.values = [values_for(setup, team) for team in setup.teams]
        self.program = program(setup.system, len(self.tactics))

    def gifts(self, bout: Bout, dice: Seeded) -> tuple[float, float]:
        """Play the fight again, and add up what its dice gave."""
        apply, state = self.setup.system.apply, self.setup.seated()
        self.setup.system.begin(state, dice, None)
        given = [0.0, 0.0]
        for who, code in bout.moves:
            before, position = records.copy(state), dice.position
            apply(state, who, code, dice, None)
            if dice.position == position:
                continue
            for side, worth in enumerate(self._worth(state, PLAYED_OUT)):
                given[side] += worth
            for _ in range(OTHER_THROWS):
                other = records.copy(before)
                apply(other, who, code, self._other_dice(), None)
                for side, worth in enumerate(self._worth(other, PLAYED_OUT // OTHER_THROWS)):
                    given[side] -= worth / OTHER_THROWS
        return given[0], given[1]

    def _other_dice(self) -> Quick:
        self.thrown += 1
        return Quick(self.seed, self.thrown)

    def _worth(self, state: Any, fights: int) -> list[float]:
        """What a position is worth to each side, if all go on by the tactic."""
        if state.ending >= 0:
            return [own[state.ending] for own in self.values]
        endings, first = Rows("q", len(self.setup.endings)), self.thrown * PLAYED_OUT
        self.thrown += 1
        start, plans = Rows.records(records.pack_slots(state)), Rows.of("q", self.tactics)
        self.program.run("sample", start, NOBODY, 0, plans, self.seed, first, fights, endings)
        counts = endings.tolist()
        return [sum(value * count for value, count in zip(own, counts, strict=True)) / fights for own in self.values]
