"""The graph of all states a fight can reach: grown by native code or interpreted, the same rules in both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple

from affray.kernel import records
from affray.kernel.drivers import FULL
from affray.kernel.exact import Exact, TooMuchChance
from affray.kernel.playing import first_of, unfolder
from affray.kernel.rows import Found, Rows
from affray.kernel.state import forget_clock, to_act
from affray.lab.programs import Program, program
from affray.system.contract import System

# Time for counting is measured as work, so that every machine counts the same fights, busy or not.
OUTCOMES_A_SECOND = 15_000  # of a duel, by interpreted rules
NATIVE_OUTCOMES_A_SECOND = 2_000_000


def work(seconds: float, a_second: int, fighters: int) -> int:
    """How many outcomes to count in so many seconds: the more fighters, the longer each takes."""
    return int(min(seconds * a_second * 2 / fighters, 2**62))


@dataclass
class Graph:
    """States as nodes; a node has actions (one, if no fighter chooses there), an action has weighted edges.

    `first_action[node]` and `first_edge[action]` point into the flat lists, with one extra entry at the end of each.
    """

    ending: list[int] = field(default_factory=list)
    mover: list[int] = field(default_factory=list)
    first_action: list[int] = field(default_factory=list)
    move: list[int] = field(default_factory=list)
    first_edge: list[int] = field(default_factory=list)
    to: list[int] = field(default_factory=list)
    numerator: list[int] = field(default_factory=list)
    denominator: list[int] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)  # numerator over denominator, in an interpreted graph
    exact: bool = True
    arrays: Arrays | None = None  # the same for compiled code, if that grew the graph
    program: Program | None = None  # the code that grew it
    nodes: Rows | None = None  # their records
    leaving: tuple[list[int], list[int]] | None = None  # worked out once, by `solve.leaving`
    known: dict[bytes, int] = field(default_factory=dict)
    spent: float = 0.0  # seconds, as outcomes, that growing it took

    def find(self, state: Any) -> int | None:
        """The node of a state, if the graph has it."""
        if not self.known and self.nodes is not None:
            data, record = bytes(self.nodes.data), len(self.nodes.data) // len(self.ending)
            self.known = {data[node * record : (node + 1) * record]: node for node in range(len(self.ending))}
        return self.known.get(timeless_key(state) if self.arrays is None else slots_key(state))

    def actions(self, node: int) -> range:
        """The actions of a node."""
        return range(self.first_action[node], self.first_action[node + 1])

    def edges(self, action: int) -> Iterator[tuple[int, int, int]]:
        """Where an action leads: node, numerator, denominator."""
        for edge in range(self.first_edge[action], self.first_edge[action + 1]):
            yield self.to[edge], self.numerator[edge], self.denominator[edge]


def timeless_key(state: Any) -> bytes:
    """A state's bytes without its clock."""
    return records.pack(_timeless(state))


def slots_key(state: Any) -> bytes:
    """The same of its compiled twin."""
    return records.pack_slots(_timeless(state))


def interpreted_graph(
    system: System[Any, Any], starts: Sequence[Any], best: int, tactics: Sequence[int], most: int, seconds: float
) -> Graph | None:
    """The graph grown from some states by interpreted rules.

    None if it needs more than `most` nodes or more outcomes than `seconds` allow, or if one move has too much chance.

    The states to start from must differ in more than their clock; they become the first nodes.
    """
    try:
        return _interpreted(system, [_timeless(start) for start in starts], best, tactics, most, seconds)
    except TooMuchChance:
        return None


def _interpreted(
    system: System[Any, Any], states: list[Any], best: int, tactics: Sequence[int], most: int, seconds: float
) -> Graph:
    graph = Graph(known={records.pack(state): node for node, state in enumerate(states)})
    ending, mover, first_action, move = graph.ending, graph.mover, graph.first_action, graph.move
    first_edge, to, numerator, denominator = graph.first_edge, graph.to, graph.numerator, graph.denominator
    allowed = left = work(seconds, OUTCOMES_A_SECOND, len(tactics))
    at = 0
    if len(states) > most:
        raise TooMuchChance
    while at < len(states):
        first_action.append(len(move))
        ending.append(states[at].ending)
        mover.append(first_of(to_act(states[at]) & best) if ending[at] < 0 else -1)
        for code in _moves(system, states[at], mover[at], len(tactics)) if ending[at] < 0 else ():
            move.append(code)
            first_edge.append(len(to))
            merged: dict[tuple[int, int], int] = {}
            for reached, num, den in successors(system, states[at], mover[at], code, best, tactics, left):
                left -= 1
                key = records.pack(reached)
                if key not in graph.known:
                    if len(states) >= most:
                        raise TooMuchChance
                    graph.known[key] = len(states)
                    states.append(reached)
                merged[graph.known[key], den] = merged.get((graph.known[key], den), 0) + num
            for (node, den), num in merged.items():
                to.append(node)
                numerator.append(num)
                denominator.append(den)
        at += 1
    first_action.append(len(move))
    first_edge.append(len(to))
    graph.weight = [num / den for num, den in zip(numerator, denominator, strict=True)]
    graph.spent = seconds * (allowed - left) / max(1, allowed)
    return graph


def _moves(system: System[Any, Any], state: Any, who: int, fighters: int) -> list[int]:
    if who < 0:
        return [-1]
    moves = [0] * system.most_moves(fighters)
    return moves[: system.legal(state, who, moves)]


def successors(
    system: System[Any, Any], state: Any, who: int, move: int, best: int, tactics: Sequence[int], most: float = inf
) -> Iterator[tuple[Any, int, int]]:
    """Every state that a move (or, if no fighter chooses, the tactics) may lead to, with its weight.

    More outcomes than `most` raise `TooMuchChance`.
    """
    unfold = unfolder(system)

    def run(tape: Exact) -> Any:
        reached = records.copy(state)
        unfold(reached, who, move, best, tactics, tape)
        return reached

    return Exact().outcomes(run, most)


def native_graph(
    system: System[Any, Any],
    starts: Sequence[Any],
    best: int,
    tactics: Sequence[int],
    most: int = 300_000,
    seconds: float = 600.0,
) -> Graph | None:
    """The same graph grown by native code.

    None if it needs more than `most` nodes or more outcomes than `seconds` allow, or if one move has too much chance.
    """
    compiled = program(system, len(tactics))
    packed = [slots_key(start) for start in starts]
    first, record, plans = Rows.records(b"".join(packed), len(packed)), len(packed[0]), Rows.of("q", tactics)
    allowed = left = work(seconds, NATIVE_OUTCOMES_A_SECOND, len(tactics))
    room = 1024
    while room <= 2 * len(starts):
        room *= 4
    while room <= 4 * most:
        nodes = Found("B", room, record)
        found = [Found(letter, 4 * room) for letter in Arrays.letters()]
        scratch = 4 * room, room, 4 * room
        problem, count, actions, edges, exact, left = compiled.run(
            "grow", first, nodes, *scratch, *found, best, plans, left
        )
        if problem == 0:
            spent = seconds * (allowed - left) / max(1, allowed)
            lengths = (count, count, count + 1, actions, actions + 1, edges, edges, edges, edges)
            arrays = Arrays(*(each.first(length) for each, length in zip(found, lengths, strict=True)))
            return _as_graph(arrays, nodes.first(count), compiled, bool(exact), spent)
        if problem != FULL or count > most:
            return None
        room *= 4
    return None


class Arrays(NamedTuple):
    """A graph's flat lists as arrays that compiled code reads and writes."""

    ending: Rows
    mover: Rows
    first_action: Rows
    move: Rows
    first_edge: Rows
    to: Rows
    numerator: Rows
    denominator: Rows
    weight: Rows

    @staticmethod
    def letters() -> str:
        """What each array holds, as `struct` letters."""
        return "qqqqqqqqd"

    @property
    def steps(self) -> tuple[Rows, ...]:
        """Those that say where the chances go."""
        return self.ending, self.first_action, self.first_edge, self.to, self.weight


def _timeless(state: Any) -> Any:
    state = records.copy(state)
    forget_clock(state)
    return state


def _as_graph(arrays: Arrays, nodes: Rows, compiled: Program, exact: bool, spent: float) -> Graph:
    counted = zip(Arrays._fields[:-1], arrays[:-1], strict=True)  # weights are numerators over denominators
    lists: dict[str, Any] = {name: rows.tolist() for name, rows in counted}
    return Graph(**lists, exact=exact, arrays=arrays, program=compiled, nodes=nodes, spent=spent)
