"""Solving a graph: where the chances go, and which action is best at every node."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm

from affray.kernel.rows import Rows
from affray.lab.graph import Graph
from affray.lab.loops import eliminate, loops
from affray.lab.settling import evaluate, improve

Policy = Sequence[int] | None
"""The action taken at each node; None where every node has only one."""

LARGEST_LOOP = 80  # states in one loop that are still solved with fractions


class TooLarge(Exception):
    """The graph is too large for fractions, or its chances take too long to settle."""


def flow(graph: Graph, policy: Policy, start: Mapping[int, Fraction], endings: int) -> list[Fraction]:
    """Where a start distribution over nodes ends: the chance of each ending, and last the chance of never ending."""
    weights, wholes = leaving(graph)
    to, first_edge = graph.to, graph.first_edge
    inward = _inward(graph, policy, start, weights)
    mass = {node: (chance.numerator, chance.denominator) for node, chance in start.items()}
    ended: list[tuple[int, int]] = [(0, 1)] * (endings + 1)
    ready = [node for node, waiting in inward.items() if waiting == 0]
    done = 0
    while ready:
        node = ready.pop()
        done += 1
        share = mass.pop(node)
        if graph.ending[node] >= 0:
            ended[graph.ending[node]] = _add(ended[graph.ending[node]], share)
            continue
        action = _action(graph, node, policy)
        if wholes[action] == 0:
            ended[-1] = _add(ended[-1], share)
        numerator, denominator = share[0], share[1] * wholes[action]
        for edge in range(first_edge[action], first_edge[action + 1]):
            if weights[edge]:
                target = to[edge]
                part = numerator * weights[edge], denominator
                mass[target] = _add(mass[target], part) if target in mass else part
                inward[target] -= 1
                if inward[target] == 0:
                    ready.append(target)
    if done < len(inward):
        return _flow_through_loops(graph, policy, start, endings)
    return [Fraction(*share) for share in ended]


def _inward(graph: Graph, policy: Policy, start: Iterable[int], weights: Sequence[int]) -> dict[int, int]:
    """The nodes within reach, each with the number of edges from other nodes that lead to it."""
    inward = dict.fromkeys(start, 0)
    waiting = list(inward)
    to, first_edge = graph.to, graph.first_edge
    while waiting:
        node = waiting.pop()
        if graph.ending[node] >= 0:
            continue
        action = _action(graph, node, policy)
        for edge in range(first_edge[action], first_edge[action + 1]):
            if weights[edge]:
                target = to[edge]
                if target in inward:
                    inward[target] += 1
                else:
                    inward[target] = 1
                    waiting.append(target)
    return inward


def leaving(graph: Graph) -> tuple[list[int], list[int]]:
    """The weight of every edge when its node does not stay (0 for the edge back), and their sum for every action."""
    if graph.leaving is None:
        graph.leaving = _native_leaving(graph) or _leaving(graph)
    return graph.leaving


def _leaving(graph: Graph) -> tuple[list[int], list[int]]:
    weights: list[int] = []
    wholes: list[int] = []
    for node in range(len(graph.ending)):
        for action in graph.actions(node):
            edges = list(graph.edges(action))
            whole = lcm(*(denominator for _, _, denominator in edges))
            onward = [num * (whole // den) if target != node else 0 for target, num, den in edges]
            common = gcd(*onward) or 1
            weights += [weight // common for weight in onward]
            wholes.append(sum(onward) // common)
    return weights, wholes


def _native_leaving(graph: Graph) -> tuple[list[int], list[int]] | None:
    """The same by native code, where every action has one denominator."""
    if graph.program is None or graph.arrays is None:
        return None
    of, weights, wholes = graph.arrays, Rows("q", len(graph.to)), Rows("q", len(graph.move))
    edges = of.first_edge, of.to, of.numerator, of.denominator
    (is_possible,) = graph.program.run("leave", of.ending, of.first_action, *edges, weights, wholes)
    return (weights.tolist(), wholes.tolist()) if is_possible else None


def _add(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """The sum of two fractions. They share most of their denominators, so cancelling can wait."""
    (a, b), (c, d) = one, other
    if b == d:
        return a + c, b
    if b > d:
        a, b, c, d = c, d, a, b
    times, rest = divmod(d, b)
    if rest == 0:
        return a * times + c, d
    common = gcd(b, d)
    return a * (d // common) + c * (b // common), b // common * d


def _action(graph: Graph, node: int, policy: Policy) -> int:
    return graph.first_action[node] if policy is None else policy[node]


def _flow_through_loops(graph: Graph, policy: Policy, start: Mapping[int, Fraction], endings: int) -> list[Fraction]:
    mass: dict[int, Fraction] = dict(start)
    ended = [Fraction(0)] * (endings + 1)
    for loop in _loops(graph, policy, start):
        if len(loop) == 1 and graph.ending[loop[0]] >= 0:
            ended[graph.ending[loop[0]]] += mass.get(loop[0], Fraction(0))
            continue
        visits = _visits(graph, policy, loop, mass)
        if visits is None:
            ended[-1] += sum((mass.get(node, Fraction(0)) for node in loop), Fraction(0))
            continue
        inside = set(loop)
        for node, visited in zip(loop, visits, strict=True):
            for target, numerator, denominator in graph.edges(_action(graph, node, policy)):
                if target not in inside:
                    mass[target] = mass.get(target, Fraction(0)) + visited * Fraction(numerator, denominator)
    return ended


def _visits(graph: Graph, policy: Policy, loop: Sequence[int], mass: Mapping[int, Fraction]) -> list[Fraction] | None:
    """How often each state of a loop is expected to be visited; None if there is no way out of the loop."""
    place = {node: i for i, node in enumerate(loop)}
    if all(t in place for node in loop for t, _, _ in graph.edges(_action(graph, node, policy))):
        return None
    if len(loop) > LARGEST_LOOP:
        raise TooLarge
    rows = [[Fraction(i == j) for j in range(len(loop))] for i in range(len(loop))]
    for node in loop:
        for target, numerator, denominator in graph.edges(_action(graph, node, policy)):
            if target in place:
                rows[place[target]][place[node]] -= Fraction(numerator, denominator)
    return eliminate(rows, [mass.get(node, Fraction(0)) for node in loop])


def _loops(graph: Graph, policy: Policy, start: Iterable[int]) -> list[list[int]]:
    """The loops within reach under a policy, each before those it leads to."""
    return loops(start, lambda node: _targets(graph, node, policy))[::-1]


def _targets(graph: Graph, node: int, policy: Policy) -> Sequence[int]:
    if graph.ending[node] >= 0:
        return ()
    action = _action(graph, node, policy)
    return graph.to[graph.first_edge[action] : graph.first_edge[action + 1]]


# --- best play, and floating point ---------------------------------------------------------------------------

SWEEPS = 100_000
MOST_SWEPT, SWEPT_SLOWLY = 2_000_000_000, 20_000_000  # edges in all sweeps together: native, interpreted


def _sweeps(graph: Graph, most: int) -> int:
    """How many sweeps through a graph may be made before it must have converged."""
    return min(SWEEPS, 1 + most // max(1, len(graph.to)))


def _settled(graph: Graph, driver: str, *given: Rows, precision: float) -> None:
    """Sweep through a graph by compiled code until it converges."""
    assert graph.program is not None
    assert graph.arrays is not None
    if graph.program.run(driver, *graph.arrays.steps, *given, _sweeps(graph, MOST_SWEPT), precision) != [1]:
        raise TooLarge


def best_policy(graph: Graph, values: Sequence[float], endless: float) -> list[int]:
    """The most valuable action at every node, found by value iteration from the worth of never ending."""
    chosen, value = graph.first_action[:-1], [endless] * len(graph.ending)
    if graph.program is None:
        if not improve(graph, values, value, chosen, _sweeps(graph, SWEPT_SLOWLY), 1e-13):
            raise TooLarge
        return chosen
    picked = Rows.of("q", chosen)
    _settled(graph, "improve", Rows.of("d", values), Rows.of("d", value), picked, precision=1e-13)
    return picked.tolist()


def reach(graph: Graph, policy: Policy, endings: int) -> Sequence[Sequence[float]]:
    """The chance of every ending from every node, in floating point."""
    chosen = graph.first_action[:-1] if policy is None else policy
    if graph.program is None:
        ends = [[0.0] * endings for _ in graph.ending]
        if not evaluate(graph, chosen, ends, _sweeps(graph, SWEPT_SLOWLY), 1e-14):
            raise TooLarge
        return ends
    reached = Rows("d", len(graph.ending), endings)
    _settled(graph, "evaluate", Rows.of("q", chosen), reached, precision=1e-14)
    return reached.tolist()
