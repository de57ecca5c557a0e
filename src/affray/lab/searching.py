"""Runs tree search from a fighter's view: compiled or interpreted, in several trees at once, for a time or a number."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from affray.errors import Invalid, Refused
from affray.kernel import records, search
from affray.kernel.chance import WHIM, Quick
from affray.kernel.rows import Rows
from affray.kernel.rules import Log
from affray.kernel.search import Tree, forget_figures, iterator
from affray.kernel.state import to_act
from affray.lab import has_threads
from affray.lab.odds import values_for
from affray.lab.programs import program
from affray.players.tactics import numbered, usual_tactics
from affray.system.abilities import Costs
from affray.system.setup import Setup

TREES = 2  # of a search by iterations, whatever the machine: the same number must always think the same
MOST_TREES = 8
FIRST_ROOM, MOST_ROOM = (1 << 8, 1 << 10, 1 << 12), (1 << 18, 1 << 17, 1 << 19)
"""Nodes, seats and arms that one tree has room for, at first and at most."""
SPARE = 1.5  # how much faster a tree may grow than it did lately
FIRST_CHUNK = 64  # iterations, which show how long one takes
MOST_AT_ONCE = 8192  # iterations before a search may be stopped
CHUNK_SECONDS = 0.1
MOST_STEPS = 64  # choices of one iteration in the tree; positions may come again for ever
LINES = 5  # ways in each tree on which the expected line is looked for
LINE_LENGTH = 8
SETTINGS = (0.35, 0.25, 0.1, 0.0, 0.35, 0.5, 0.5)
"""Exploration and widening of the tree, the share of exploration in a mixture, not greedy, exploration of plans, the
share of iterations in which the other teams follow tactics, and the share of these in which it may be any tactic."""
THINKING_DICE = 0x6A09E667F3BCC909  # searches are seeded from here, where no fight's seed comes from


Line = tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Arm:
    """What a search found out about one of the fighter's moves."""

    code: int
    visits: int
    value: float
    error: float
    """The standard error of the value."""
    share: float
    """How likely the move is in the average strategy of regret matching, or its share of the visits."""


@dataclass(frozen=True)
class Search:
    """A finished search: the moves, the most visited first."""

    arms: tuple[Arm, ...]
    mixed: bool
    """Whether others decide at the same time, so that mixing may be right."""
    iterations: int
    nodes: int
    deepest: int
    seconds: float
    line: Line = ()
    """The expected line: who moves and what, from the fighter's best move on."""
    plans: tuple[str, ...] = ()
    """The tactic that each team was taken to follow most, in the order of the teams."""


class Grown:
    """One tree of a search, and what can be added to it."""

    def __init__(
        self, setup: Setup[Any], view: Any, who: int, seed: int, *, compiled: bool, widening: float | None = None
    ) -> None:
        self._settings = list(SETTINGS)
        if widening is not None:
            self._settings[search.WIDENING] = widening
        fighters, tactics = len(setup.names), numbered(setup.system, usual_tactics(setup))
        teams, endings = len(setup.teams), len(setup.endings)
        values, weights = worth_tables(setup)
        self.setup, self.view, self.who, self.seed, self.tactics = setup, view, who, seed % 2**63, tactics
        self.compiled, self.done = compiled, 0
        self._pace = [1.0, 1.0, 1.0]  # new nodes, seats and arms in an iteration, lately
        self._values = _table(values, fighters, endings)
        self._weights = _table(weights, fighters, max(1, len(setup.system.figure_names)))
        self.rows = _memory(FIRST_ROOM, fighters, teams, len(setup.system.tactics) + 1)

    @property
    def tree(self) -> Tree:
        """The tables, as interpreted rules read and write them."""
        return Tree(*(rows.view for rows in self.rows))

    def add(self, count: int) -> None:
        """Think on for so many iterations; the tree gets more room if it seems to need that.

        Compiled code gets a copy of the tree, so one that is larger than it needs to be would cost time.
        """
        used, room = used_of(self.tree), room_of(self.rows)
        wanted = list(room)
        for place, most in enumerate(MOST_ROOM):
            while wanted[place] < most and used[place] + int(SPARE * self._pace[place] * count) > wanted[place]:
                wanted[place] *= 2
        if wanted != room:
            self.rows = _enlarged(self.rows, wanted, used[0])
        self._run(self.done, count, Rows.of("d", self._settings), self.rows)
        self.done += count
        self._pace = [(now - before) / count for now, before in zip(used_of(self.tree), used, strict=True)]

    def lines(self, count: int) -> Iterator[list[tuple[int, int]]]:
        """Who would move and what, if all made their best moves, for so many ways in which the dice may fall."""
        greedy = self._settings.copy()
        greedy[search.GREEDY] = 1.0
        filled = _filled(self.rows, self.tree)
        for number in range(self.done, self.done + count):
            self._run(number, 1, Rows.of("d", greedy), filled)
            moves = Tree(*(rows.view for rows in filled)).line.tolist()[:LINE_LENGTH]
            yield list(takewhile(lambda move: move[0] >= 0, map(tuple, moves)))

    def _run(self, first: int, count: int, settings: Rows, memory: tuple[Rows, ...]) -> None:
        values, weights = self._values, self._weights
        if self.compiled:
            compiled = program(self.setup.system, len(self.tactics))
            start, tactics = Rows.records(records.pack_slots(self.view)), Rows.of("q", self.tactics)
            given = (start, self.who, tactics, settings, values, weights, self.seed, first, count)
            compiled.run("search", *given, *memory)
            return
        system, iterate = self.setup.system, iterator(self.setup.system)
        tables, tree = (settings.view, values.view, weights.view), Tree(*(rows.view for rows in memory))
        log = Log([[0] * len(system.figure_names) for _ in self.tactics]) if system.costs else None
        for number in range(first, first + count):
            fight = records.copy(self.view)
            dice, whim = Quick(self.seed, number), Quick(self.seed, number, WHIM)
            system.imagine(fight, self.who, dice)
            forget_figures(log)
            iterate(fight, self.who, tree, self.tactics, *tables, dice, whim, log)


def _memory(room: Sequence[int], fighters: int, teams: int, plans: int) -> tuple[Rows, ...]:
    """An empty tree with room for so many nodes, seats and arms, in the order of `Tree`."""
    nodes, seats, arms = room
    return (
        Rows("q", 2 * nodes),
        Rows("q", nodes),
        Rows("q", nodes, 4),
        Rows("q", seats, 5),
        Rows("q", arms),
        Rows("q", arms),
        Rows("d", arms, 4),
        Rows("q", 6),
        Rows("d", fighters, 4),
        Rows("d", fighters),
        Rows("q", teams, plans),
        Rows("d", teams, plans),
        Rows("q", LINE_LENGTH + 1, 2),
        Rows("q", MOST_STEPS + search.MOST_DUE, 3),
        Rows("q", search.MOST_DUE),
        Rows("q", teams),
        Rows("q", fighters),
    )


GROWING = 7  # the first tables of a tree grow with it


def used_of(tree: Tree) -> list[int]:
    """How many nodes, seats and arms a tree has."""
    return [tree.counts[count] for count in (search.NODES_USED, search.SEATS_USED, search.ARMS_USED)]


def room_of(rows: tuple[Rows, ...]) -> list[int]:
    """For how many nodes, seats and arms a tree has room."""
    return [rows[Tree._fields.index(table)].shape[0] for table in ("keys", "seats", "codes")]


def _resized(rows: tuple[Rows, ...], room: Sequence[int]) -> tuple[Rows, ...]:
    """The same tree with other room, but for its places, which depend on how many there are."""
    nodes, seats, arms = room
    tables = []
    for table, length in zip(rows[1:GROWING], (nodes, nodes, seats, arms, arms, arms), strict=True):
        made = Rows(table.letter, length, *table.shape[1:])
        kept = min(len(made.data), len(table.data))
        made.data[:kept] = table.data[:kept]
        tables.append(made)
    return (rows[0], *tables, *rows[GROWING:])


def _enlarged(rows: tuple[Rows, ...], room: Sequence[int], used: int) -> tuple[Rows, ...]:
    """The same tree, with so many nodes used, with more room."""
    larger = (Rows("q", 2 * room[0]), *_resized(rows, room)[1:])
    tree = Tree(*(table.view for table in larger))
    tree.counts[search.NODES_USED] = 0
    for node in range(used):
        search.known_node(tree, tree.keys[node])
    return larger


def _filled(rows: tuple[Rows, ...], tree: Tree) -> tuple[Rows, ...]:
    """The same tree without room for more."""
    return _resized(rows, [max(1, count) for count in used_of(tree)])


def _table(rows: Sequence[Sequence[float]], height: int, width: int) -> Rows:
    made = Rows("d", height, width)
    view: Any = made.view
    for y, numbers in enumerate(rows):
        for x, number in enumerate(numbers):
            view[y, x] = number
    return made


def worth_tables(setup: Setup[Any]) -> tuple[list[list[float]], list[list[float]]]:
    """What each ending, and each part of a figure, is worth to every fighter.

    With costs a fighter's worth is the last cost, the sum of all, which is a weighted sum of its figures; it is
    measured in stakes: 1 is the most that there is to win. Otherwise it is the value of the ending to the team.
    """
    system, names = setup.system, setup.system.figure_names
    if not system.costs:
        return [[float(value) for value in values_for(setup, setup.team_of[name])] for name in setup.names], []
    of, nothing = system.costs[-1].of, dict.fromkeys(names, 0.0)
    weights = []
    for who, sheet in enumerate(setup.sheets):
        base = of(sheet, nothing, nothing)
        each = [of(sheet, nothing, {**nothing, name: 1.0}) - base for name in names]
        unit = stake_of(setup, who)
        weights.append([weight / unit / system.parts.get(name, 1) for name, weight in zip(names, each, strict=True)])
    return [], weights


def final_worth(setup: Setup[Any], state: Any, figures: Mapping[str, Mapping[str, float]]) -> list[float]:
    """What a fight that has ended was worth to each fighter, given its figures."""
    values, weights = worth_tables(setup)
    if values:
        return [own[state.ending] for own in values]
    parts = setup.system.parts
    return [
        sum(
            weight * parts.get(name, 1) * amount
            for weight, (name, amount) in zip(weights[who], figures[fighter].items(), strict=True)
        )
        for who, fighter in enumerate(setup.names)
    ]


def stake_of(setup: Setup[Any], who: int) -> float:
    """What a fighter has to win, by which its worth is divided."""
    costs = setup.system.ability(Costs)
    return max(1.0, costs.to_win(setup, who)) if costs else 1.0


def run_search(
    setup: Setup[Any],
    view: Any,
    who: int,
    *,
    seed: int = 0,
    iterations: int | None = None,
    seconds: float | None = None,
    trees: int | None = None,
    compiled: bool = True,
    widening: float | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> Search:
    """Think about a fighter's decision, given only its view of the state, for a number of iterations or a time.

    A number always thinks the same. A time is used by as many trees as there are cores. `stopped` may end it early.
    `widening` says how fast moves are looked at that no tactic would make.
    """
    if (iterations is None) == (seconds is None):
        raise Invalid("a search needs either a number of iterations or a time")
    if iterations is not None and iterations < 1:
        raise Invalid(f"the number of iterations must be 1 or more, not {iterations}", given=iterations)
    if seconds is not None and not 0 < seconds <= 3600:
        raise Invalid(f"the time of a search must be above 0 and up to 3600 seconds, not {seconds:g}", given=seconds)
    if not to_act(view) >> who & 1:
        raise Invalid(f"{setup.names[who]} has nothing to decide now", given=setup.names[who])
    if trees is None:
        trees = TREES if seconds is None else min(MOST_TREES, _cores())
    begun = time.monotonic()
    grown = [
        Grown(setup, view, who, THINKING_DICE + seed + number, compiled=compiled, widening=widening)
        for number in range(trees)
    ]
    if iterations is not None:
        shares = [iterations // trees + (number < iterations % trees) for number in range(trees)]
        _at_once([_counted(tree, share, stopped) for tree, share in zip(grown, shares, strict=True) if share])
    else:
        assert seconds is not None
        _at_once([_timed(tree, begun + seconds, stopped) for tree in grown])
    thought = [tree for tree in grown if tree.done]
    if not thought:
        raise Refused("the search was stopped before it had tried anything")
    return _found(setup, view, who, thought, time.monotonic() - begun)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _counted(tree: Grown, count: int, stopped: Callable[[], bool]) -> Callable[[], None]:
    def run() -> None:
        chunk = FIRST_CHUNK
        while tree.done < count and not stopped():
            tree.add(min(chunk, count - tree.done))
            chunk = min(2 * chunk, MOST_AT_ONCE)

    return run


def _timed(tree: Grown, deadline: float, stopped: Callable[[], bool]) -> Callable[[], None]:
    def run() -> None:
        chunk = FIRST_CHUNK if tree.compiled else 1
        while not stopped():
            begun = time.monotonic()
            tree.add(chunk)
            now = time.monotonic()
            if now >= deadline:
                return
            fitting = min(CHUNK_SECONDS, deadline - now) / max(1e-6, now - begun)
            chunk = max(1, int(chunk * min(4.0, fitting)))

    return run


def _at_once(runs: Sequence[Callable[[], None]]) -> None:
    if len(runs) == 1 or not has_threads():
        for run in runs:
            run()
        return
    with ThreadPoolExecutor(len(runs), thread_name_prefix="affray-search") as pool:
        for future in [pool.submit(run) for run in runs]:
            future.result()


def _found(setup: Setup[Any], view: Any, who: int, trees: Sequence[Grown], seconds: float) -> Search:
    """What several trees found out, taken together."""
    sums: dict[int, list[float]] = {}
    for grown in trees:
        tree = grown.tree
        first, count = tree.seats[0, search.ARMS], tree.seats[0, search.MOVES]
        for arm in range(first, first + count):
            own = sums.setdefault(tree.codes[arm], [0, 0.0, 0.0, 0.0])
            own[0] += tree.tried[arm]
            for place, column in enumerate((search.SUM, search.SQUARES, search.AVERAGE), 1):
                own[place] += tree.arms[arm, column]
    mixed = any(own[3] for own in sums.values())
    whole = sum(own[3] if mixed else own[0] for own in sums.values())
    arms = []
    for code, (visits, total, squares, average) in sums.items():
        arms.append(_arm(code, int(visits), total, squares, (average if mixed else visits) / max(whole, 1e-9)))
    best = tuple(sorted(arms, key=lambda arm: (-arm.share, -arm.visits, arm.code)))
    return Search(
        best,
        mixed,
        sum(tree.done for tree in trees),
        sum(tree.tree.counts[search.NODES_USED] for tree in trees),
        max(tree.tree.counts[search.DEEPEST] for tree in trees),
        seconds,
        _expected_line(setup, view, who, trees, best[0].code),
        _plans(setup, trees),
    )


def _arm(code: int, visits: int, total: float, squares: float, share: float) -> Arm:
    times = max(1, visits)
    mean = total / times
    return Arm(code, visits, mean, (max(0.0, squares / times - mean * mean) / times) ** 0.5, share)


def _plans(setup: Setup[Any], trees: Sequence[Grown]) -> tuple[str, ...]:
    known = ["the usual tactics", *setup.system.tactics]
    chosen = []
    for team in range(len(setup.teams)):
        times = [sum(tree.tree.planned[team, plan] for tree in trees) for plan in range(len(known))]
        chosen.append(known[times.index(max(times))])
    return tuple(chosen)


def _expected_line(setup: Setup[Any], view: Any, who: int, trees: Sequence[Grown], code: int) -> Line:
    """The way on which most of several greedy fights agree for longest, in words."""
    ways = [
        (grown.seed, number, way)
        for grown in trees
        for number, way in enumerate(grown.lines(LINES), grown.done)
        if (who, code) in way[: len(setup.names)]
    ]
    length = 0
    while len(ways) > 1 and length < LINE_LENGTH:
        steps = [way[length] if length < len(way) else None for _, _, way in ways]
        common = max(dict.fromkeys(steps), key=steps.count)
        ways = [each for each, step in zip(ways, steps, strict=True) if step == common]
        length += 1
    if not ways:
        return ()
    seed, number, way = ways[0]
    fight, dice = records.copy(view), Quick(seed, number)
    setup.system.imagine(fight, who, dice)
    written = []
    for mover, move in way:
        written.append((mover, setup.system.write_move(setup, fight, mover, move)))
        setup.step(fight, mover, move, dice)
    return tuple(written)
