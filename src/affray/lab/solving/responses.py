"""Responses: the best that one side can do in a loop against an opponent whose mixes are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from affray.lab.loops import loops
from affray.lab.solving.chains import Step, worths

BETTER = 1e-14  # what an improvement must gain to be more than rounding
MOST_ROUNDS = 1_000

Choices = Mapping[int, Sequence[Step[float]]]
"""What a side may choose between at every state of a loop."""


def respond(choices: Choices, endless: float, sign: int) -> dict[int, float]:
    """What the best answer makes of every state, for the side that wants much (1) or little (-1) of it.

    Policy iteration: all choices are evaluated to the end, then improved wherever there is something to gain. To go
    on for ever is a choice of its own where the side can, since no single step shows what that is worth.
    """
    stay = _able_to_stay(choices)
    for_ever = Step(endless, 1.0, {})
    open_to = {state: [*steps, *([for_ever] if state in stay else [])] for state, steps in choices.items()}
    chosen = {state: steps[-1] for state, steps in open_to.items()}
    for _ in range(MOST_ROUNDS):
        worth = worths(chosen, endless)
        settled = True
        for state, steps in open_to.items():
            if len(steps) == 1:
                continue
            best = max(steps, key=lambda step: sign * worth_of(step, worth))
            if sign * (worth_of(best, worth) - worth_of(chosen[state], worth)) > BETTER:
                chosen[state] = best
                settled = False
        if settled:
            break
    return worth


def worth_of(step: Step[float], worth: Mapping[int, float]) -> float:
    """What a step is worth, given the worth of the states it may lead to."""
    return step.worth + sum(chance * worth[target] for target, chance in step.inside.items())


def _able_to_stay(choices: Choices) -> set[int]:
    """The states in which the side that chooses can go on for ever, whatever falls: the end components of the loop."""
    lasting = {state: [step for step in steps if not step.leaves] for state, steps in choices.items()}
    while True:
        lasting = {state: steps for state, steps in lasting.items() if steps}
        part = {
            state: number for number, states in enumerate(loops(lasting, partial(_among, lasting))) for state in states
        }
        kept = {
            state: [step for step in steps if all(part.get(target) == part[state] for target in step.inside)]
            for state, steps in lasting.items()
        }
        if all(len(kept[state]) == len(steps) for state, steps in lasting.items()):
            return set(kept)
        lasting = kept


def _among(lasting: Choices, state: int) -> list[int]:
    return [target for step in lasting[state] for target in step.inside if target in lasting]
