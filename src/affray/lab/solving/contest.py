"""Contest: the graph of a fight as two sides see it, a matrix of what they may choose at every state."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from affray.errors import Invalid
from affray.kernel import records
from affray.kernel.state import to_act
from affray.lab.graph import Graph
from affray.lab.odds import endless_ending, values_for
from affray.system import defaults
from affray.system.setup import Setup

Answers = tuple[tuple[int, int], ...]
"""What a side chooses: a move code for each of its fighters who are asked, by their places in the record."""


class Unsolvable(Invalid):
    """A fight that cannot be solved: it is no contest of two sides, hides something, or has too many states."""


@dataclass
class Contest:
    """States, and for each state a matrix of cells: the first side's choices as rows, the other's as columns.

    A cell is where chance goes once both have chosen. `first_cell` has the first cell of every state, `first_edge` the
    first edge of every cell; both have one more entry at the end. `ends` is the chance that the fight ends with the
    cell, and `pay` what these endings are worth to the first side, times their chances.
    """

    keys: list[bytes] = field(default_factory=list)
    rows: list[tuple[Answers, ...]] = field(default_factory=list)
    columns: list[tuple[Answers, ...]] = field(default_factory=list)
    first_cell: list[int] = field(default_factory=lambda: [0])
    first_edge: list[int] = field(default_factory=lambda: [0])
    to: list[int] = field(default_factory=list)
    weight: list[float] = field(default_factory=list)
    pay: list[float] = field(default_factory=list)
    ends: list[float] = field(default_factory=list)
    endless: int = 0
    is_compiled: bool = False
    """Whether the keys are those of records as compiled code has them."""
    fractions: Fractions | None = None

    def __len__(self) -> int:
        return len(self.keys)

    def cell(self, state: int, row: int, column: int) -> int:
        """The number of a cell."""
        return self.first_cell[state] + row * len(self.columns[state]) + column

    def edges(self, cell: int) -> Iterator[tuple[int, float]]:
        """The states that a cell leads to, with their chances."""
        for edge in range(self.first_edge[cell], self.first_edge[cell + 1]):
            yield self.to[edge], self.weight[edge]

    def targets(self, state: int) -> Sequence[int]:
        """The states that a state may lead to."""
        first, last = self.first_cell[state], self.first_cell[state + 1]
        return self.to[self.first_edge[first] : self.first_edge[last]]

    def asked(self, state: int) -> list[int]:
        """The fighters who choose at a state, by their places in the record."""
        return [who for side in (self.rows, self.columns) for who, _ in side[state][0]]


@dataclass
class Fractions:
    """The same chances as fractions, as long as the graph is at hand."""

    graph: Graph
    action: list[int]
    """The graph's action of every cell."""
    place: dict[int, int]
    """The state of every node that is one."""
    values: Sequence[int]

    def cell(self, cell: int) -> tuple[Fraction, Fraction, dict[int, Fraction]]:
        """What the endings of a cell are worth, their chance, and the chances of the states it leads to."""
        worth, ends = Fraction(0), Fraction(0)
        onward: dict[int, Fraction] = {}
        for node, numerator, denominator in self.graph.edges(self.action[cell]):
            chance, ending = Fraction(numerator, denominator), self.graph.ending[node]
            if ending >= 0:
                worth += chance * self.values[ending]
                ends += chance
            else:
                onward[self.place[node]] = onward.get(self.place[node], Fraction(0)) + chance
        return worth, ends, onward


def check(setup: Setup[Any]) -> tuple[int, ...]:
    """The worth of every ending to the first side; Unsolvable if one side's gain is not the other side's loss."""
    if len(setup.team_names) != 2:
        problem = f"only a fight of two sides can be solved, and this one has {len(setup.team_names)}"
        raise Unsolvable(problem, given=list(setup.team_names))
    if setup.system.costs:
        problem = f"{setup.system.id} counts what a fight costs each side, so it is not zero-sum and cannot be solved"
        raise Unsolvable(problem, given=setup.system.id)
    mine, theirs = (values_for(setup, team) for team in setup.team_names)
    for ending, one, other in zip(setup.endings, mine, theirs, strict=True):
        if one + other != mine[0] + theirs[0]:
            problem = f"the ending {ending!r} is worth {one} to one side and {other} to the other"
            raise Unsolvable(f"{setup.system.id} is not zero-sum and cannot be solved: {problem}", given=ending)
    return mine


def contest_of(setup: Setup[Any], graph: Graph) -> Contest:
    """The contest in a graph in which every fighter chooses freely."""
    values = check(setup)
    nodes = _node_keys(graph)
    layout = records.layout(setup.system.state, len(setup.names))
    sealed_at = layout["offsets"][layout["names"].index("sealed")]
    is_sealed = [struct.unpack_from("<q", key, sealed_at)[0] != 0 for key in nodes]
    states = [node for node, ending in enumerate(graph.ending) if ending < 0 and not is_sealed[node]]
    place = {node: state for state, node in enumerate(states)}
    compiled = graph.nodes is not None
    _check_open(setup, [nodes[node] for node in states], compiled)
    made = Contest(endless=values[endless_ending(setup)], is_compiled=compiled)
    weights = graph.weight if graph.arrays is None else graph.arrays.weight.view
    actions: list[int] = []
    for node in states:
        made.keys.append(nodes[node])
        rows, columns, cells = _matrix(setup, graph, node, is_sealed)
        made.rows.append(rows)
        made.columns.append(columns)
        for action in cells:
            pay, ends = 0.0, 0.0
            for edge in range(graph.first_edge[action], graph.first_edge[action + 1]):
                ending = graph.ending[graph.to[edge]]
                if ending >= 0:
                    pay += weights[edge] * values[ending]
                    ends += weights[edge]
                else:
                    made.to.append(place[graph.to[edge]])
                    made.weight.append(weights[edge])
            made.pay.append(pay)
            made.ends.append(ends)
            made.first_edge.append(len(made.to))
        actions += cells
        made.first_cell.append(len(actions))
    if graph.exact:
        made.fractions = Fractions(graph, actions, place, values)
    return made


def _node_keys(graph: Graph) -> list[bytes]:
    if graph.nodes is None:
        return list(graph.known)
    data, record = bytes(graph.nodes.data), len(graph.nodes.data) // len(graph.ending)
    return [data[node * record : (node + 1) * record] for node in range(len(graph.ending))]


def _check_open(setup: Setup[Any], keys: Sequence[bytes], compiled: bool) -> None:
    """Refuse a fight in which a fighter has to choose without knowing all of the state."""
    if setup.system.hide is defaults.hide:
        return
    for key in keys:
        state = unpacked(setup, key, compiled)
        for who in range(len(setup.names)):
            if to_act(state) >> who & 1 and setup.view(state, who) != state:
                problem = f"{setup.names[who]} does not see all there is"
                raise Unsolvable(f"{setup.system.id} cannot be solved, because {problem}", given=setup.names[who])


def unpacked(setup: Setup[Any], key: bytes, compiled: bool) -> Any:
    """The state that a key stands for."""
    unpack = records.unpack_slots if compiled else records.unpack
    return unpack(setup.system.state, len(setup.names), key)


Matrix = tuple[tuple[Answers, ...], tuple[Answers, ...], list[int]]


def _matrix(setup: Setup[Any], graph: Graph, node: int, is_sealed: Sequence[bool]) -> Matrix:
    """The choices of both sides at a node, and the graph's action for each cell, row by row."""
    cells: dict[tuple[Answers, Answers], int] = {}
    for answers, action in _answers(setup, graph, node, is_sealed, ()):
        mine, theirs = (tuple(a for a in answers if setup.team_numbers[a[0]] == side) for side in (0, 1))
        cells[mine, theirs] = action
    rows, columns = (tuple(dict.fromkeys(pair[side] for pair in cells)) for side in (0, 1))
    if len(cells) != len(rows) * len(columns):
        problem = "a secret answer changes what another fighter may choose"
        raise Unsolvable(f"{setup.system.id} cannot be solved: {problem}", given=setup.system.id)
    return rows, columns, [cells[row, column] for row in rows for column in columns]


def _answers(
    setup: Setup[Any], graph: Graph, node: int, is_sealed: Sequence[bool], given: Answers
) -> Iterator[tuple[Answers, int]]:
    """Every way in which all fighters who are asked at a node can answer, and the action of the last answer."""
    for action in graph.actions(node):
        answers = (*given, (graph.mover[node], graph.move[action]))
        reached = graph.to[graph.first_edge[action] : graph.first_edge[action + 1]]
        if not any(is_sealed[target] for target in reached):
            yield answers, action
        elif len(reached) == 1:
            yield from _answers(setup, graph, reached[0], is_sealed, answers)
        else:
            problem = "chance falls between answers that are still secret"
            raise Unsolvable(f"{setup.system.id} cannot be solved: {problem}", given=setup.system.id)
