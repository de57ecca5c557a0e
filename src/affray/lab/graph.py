"""The graph of all states a fight can reach: grown by native code or interpreted, the same rules in both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple

from affray.kernel import records
from affray.kernel.exact import Exact, TooMuchChance
from affray.kernel.playing import first_of, unfolder
from affray.kernel.state import forget_clock, to_act
from affray.system.contract import System

# Time for counting is given out as work, so that what is counted on one machine is counted on all of them, busy or not.
OUTCOMES_A_SECOND = 15_000  # of a duel, by interpreted rules
NATIVE_OUTCOMES_A_SECOND = 2_000_000


def work(seconds: float, a_second: int, fighters: int) -> int:
    """How many outcomes so many seconds are for: each takes the longer, the more fighters there are."""
    return int(min(seconds * a_second * 2 / fighters, 2**62))


@dataclass
class Graph:
    """States as nodes; a node has actions (one, if nobody chooses there), an action has weighted edges.

    `first_action[node]` and `first_edge[action]` point into the flat lists, each with one entry more at the end.
    """

    ending: list[int] = field(default_factory=list)
    mover: list[int] = field(default_factory=list)
    first_action: list[int] = field(default_factory=list)
    move: list[int] = field(default_factory=list)
    first_edge: list[int] = field(default_factory=list)
    to: list[int] = field(default_factory=list)
    numerator: list[int] = field(default_factory=list)
    denominator: list[int] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)  # numerator over denominator, of an interpreted graph
    exact: bool = True
    arrays: Any = None  # the same in native form, where it was grown there
    words: Any = None
    leaving: tuple[list[int], list[int]] | None = None  # worked out once, by `solve.leaving`
    known: dict[bytes, int] = field(default_factory=dict)
    spent: float = 0.0  # seconds, as outcomes, that it took to grow

    def find(self, key: bytes) -> int | None:
        """The node of a state's bytes, if the graph has it."""
        if not self.known and self.words is not None:
            self.known = {row.tobytes(): node for node, row in enumerate(self.words)}
        return self.known.get(key)

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


def interpreted_graph(
    system: System[Any, Any], starts: Sequence[Any], best: int, tactics: Sequence[int], most: int, seconds: float
) -> Graph | None:
    """The graph grown from some states by the rules as they stand.

    None beyond `most` nodes, or the outcomes of so many `seconds`, or with too much chance in one move.

    The states to start from must differ in more than their clock; they are the first nodes.
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
    """Every state that a move (or, with nobody choosing, the tactics) may lead to, with its weight.

    More outcomes than `most` are `TooMuchChance`.
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

    None when it grows beyond `most` nodes, has too much chance in one move, or more outcomes than `seconds` are for.
    """
    from affray.kernel import native
    from affray.kernel.native import np
    from affray.lab.drivers import FULL, grower

    dtype = native.dtype(type(starts[0]), len(tactics))
    first = np.frombuffer(b"".join(map(timeless_key, starts)), np.uint64).reshape(len(starts), -1)
    tape = np.empty(1, native.TAPE)
    allowed = left = work(seconds, NATIVE_OUTCOMES_A_SECOND, len(tactics))
    room = 1024
    while room <= 2 * len(starts):
        room *= 4
    while room <= 4 * most:
        nodes = np.empty(room, dtype)
        words = nodes.view(np.uint64).reshape(room, -1)
        words[: len(starts)] = first
        slots = np.full(4 * room, -1, np.int64)
        arrays = Arrays(*(np.empty(4 * room, kind) for kind in Arrays.kinds()))
        problem, count, actions, edges, exact, left = grower(system)(
            nodes, len(starts), words, slots, arrays, best, tuple(tactics), tape, left
        )
        if problem == 0:
            spent = seconds * (allowed - left) / max(1, allowed)
            return _as_graph(arrays, words[:count], actions, edges, bool(exact), spent)
        if problem != FULL or count > most:
            return None
        room *= 4
    return None


class Arrays(NamedTuple):
    """A graph's flat lists as NumPy arrays."""

    ending: Any
    mover: Any
    first_action: Any
    move: Any
    first_edge: Any
    to: Any
    numerator: Any
    denominator: Any
    weight: Any

    @staticmethod
    def kinds() -> tuple[str, ...]:
        """What each array holds."""
        return ("i8",) * 8 + ("f8",)


def _timeless(state: Any) -> Any:
    state = records.copy(state)
    forget_clock(state)
    return state


def _as_graph(arrays: Arrays, words: Any, actions: int, edges: int, exact: bool, spent: float) -> Graph:
    count = len(words)
    lengths = (count, count, count + 1, actions, actions + 1, edges, edges, edges, edges)
    cut = Arrays(*(array[:length] for array, length in zip(arrays, lengths, strict=True)))
    lists = {name: array.tolist() for name, array in cut._asdict().items() if name != "weight"}
    return Graph(**lists, exact=exact, arrays=cut, words=words, spent=spent)
