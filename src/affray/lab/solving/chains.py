"""Chains: what the states of a loop are worth once every choice is made, by taking out one state after another."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from typing import Generic, NamedTuple

from affray.lab.loops import NumberT


class Step(NamedTuple, Generic[NumberT]):
    """What happens at a state: its worth outside the loop, the chance to leave it, and where it goes on inside."""

    worth: NumberT
    leaves: NumberT
    inside: Mapping[int, NumberT]


def worths(steps: Mapping[int, Step[NumberT]], endless: NumberT) -> dict[int, NumberT]:
    """What every state is worth; a state from which no way leads out of the loop has the worth of no end.

    A state is taken out by sending all that comes to it on to where it leads. The chance that it is left at all is
    added up and never got by subtraction, so that neither a long loop nor one without an end costs precision.
    """
    worth = {state: step.worth for state, step in steps.items()}
    leaves = {state: step.leaves for state, step in steps.items()}
    onward = {state: dict(step.inside) for state, step in steps.items()}
    inward: dict[int, set[int]] = {state: set() for state in steps}
    for state, targets in onward.items():
        for target in targets:
            inward[target].add(state)
    taken: list[tuple[int, dict[int, NumberT]]] = []
    waiting = [(len(inward[state]) * len(onward[state]), state) for state in steps]
    heapq.heapify(waiting)
    while waiting:
        effort, state = heapq.heappop(waiting)
        if state not in inward:
            continue
        if (now := len(inward[state]) * len(onward[state])) > effort:
            heapq.heappush(waiting, (now, state))
            continue
        targets = onward.pop(state)
        targets.pop(state, None)
        sources = inward.pop(state)
        for target in targets:
            inward[target].discard(state)
        goes = leaves[state]
        for chance in targets.values():
            goes += chance
        if goes:
            targets = {target: chance / goes for target, chance in targets.items()}
            worth[state] /= goes
            leaves[state] /= goes
        else:
            worth[state], leaves[state] = endless, goes + 1
        for source in sources - {state}:
            chance = onward[source].pop(state)
            worth[source] += chance * worth[state]
            leaves[source] += chance * leaves[state]
            for target, share in targets.items():
                part = chance * share
                onward[source][target] = onward[source][target] + part if target in onward[source] else part
                inward[target].add(source)
        taken.append((state, targets))
    for state, targets in reversed(taken):
        for target, share in targets.items():
            worth[state] += share * worth[target]
    return worth
