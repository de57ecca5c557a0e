"""The course of a fight that is stepped from outside: a row of numbers beside its record."""

from __future__ import annotations

(SEED, NUMBER, START, STEP, DICE_AT, WHIM_AT, WHO, STEPS, OVER, WHICH, ENDED) = range(11)
LENGTH = 11
"""Numbers in a row: the seed and number of the fight, where its streams begin and how far they are, who has to move,
how many moves learners have made, whether it is over, which set-up it has, and how the last step ended a fight."""

CUT = -2
"""An ENDED fight that was not over, but had lasted long enough."""
SALT = 0x2545F4914F6CDD1D
"""What distinguishes the choice of a set-up from everything else that follows from seed and number."""
SPARE = 8
"""Actions for moves whose codes are not known beforehand."""
