"""Odds: how likely each ending of a fight is, exact where the states can be counted and sampled elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import inf
from typing import Any, Literal

from affray.errors import Illegal, Invalid, MissingExtra, unknown
from affray.fight.drawing import chances_svg
from affray.kernel import records
from affray.kernel.exact import Exact, TooMuchChance
from affray.kernel.playing import first_of
from affray.kernel.state import to_act
from affray.lab import mark_ready, native_ready, ready_now, solve
from affray.lab.exchange import Exchanges, exchanges
from affray.lab.figures import TOO_FEW, Rate, wilson
from affray.lab.graph import Graph, interpreted_graph, native_graph, successors, timeless_key
from affray.lab.playouts import Tallies, Tick, costs_of, count_endings
from affray.lab.programs import program
from affray.players.tactics import numbered, usual_tactics
from affray.system.contract import System
from affray.system.setup import Setup, Teams

Play = Literal["tactics", "best"]
Aim = Literal["value", "wins"]
"""What best play aims at: the worth of endings by the system's values, or winning and nothing else."""

MOST_FRACTIONS = 5_000  # nodes up to which the chances of a whole fight are fractions
QUICK_FRACTIONS = 400  # the same while a person waits for the odds of a move
MOST_NATIVE, MOST_INTERPRETED = 300_000, 400
MOST_OPENINGS = 2_000  # outcomes of the dice before the first decision, or for the next moves
COUNTING_SHARE = 0.6  # of the time for a decision, spent on counting before play-outs take over
EXCHANGE_SHARE = 0.4  # of it, for the outcomes of the moves themselves
LONGEST_FRACTION = 40  # characters of a fraction that a person still reads
AGAIN_SHARE = 0.25  # of the time for counting, if the same fight was too large before
SPARE_SHARE = 0.05  # of the time left for play-outs, kept for what comes after them
LIVE_SECONDS, PATIENT_SECONDS = 0.12, 0.5  # for a decision: with native code ready, and without
MOST_STUDIES = 64  # decisions whose findings are kept
QUICK_SECONDS = 0.3  # how long interpreted rules may try before compiling is worth it


A_LITTLE = 0.05  # seconds, as outcomes, for the first graph of a roster: large ones have moves with too many outcomes


class TooManyStates(Invalid):
    """A fight with too many states to count; it can be simulated."""


@dataclass(frozen=True)
class Odds:
    """The chance of every ending: fractions where they are exact, with an interval where they are sampled."""

    chances: Mapping[str, Fraction | float]
    teams: tuple[str, ...]
    how: str
    values: tuple[int, ...]
    fights: int | None = None
    """How many play-outs they come from, None if they were counted; with 0 play-outs every chance is 0."""
    best: tuple[str, ...] = ()
    costs: Mapping[str, Rate] = field(default_factory=dict)
    """What the fight costs and brings on average, if the system has costs; the last is the sum of all."""
    at_once: Mapping[str, Fraction | float] = field(default_factory=dict)
    """What the move brings before the next decision, counted exactly, if the system measures that."""
    unfinished: bool = False
    """Whether `at_once` is not counted yet; asking for the odds again continues the count."""

    @property
    def value(self) -> Fraction | float:
        """What the odds are worth: the sum of the costs, or else the system's values of the endings."""
        if self.costs:
            return list(self.costs.values())[-1].value
        return sum(
            (worth * chance for worth, chance in zip(self.values, self.chances.values(), strict=True)), Fraction(0)
        )

    @property
    def at_least(self) -> float:
        """What the odds are worth at the least: for sampled odds, with the margin of error deducted."""
        if self.fights == 0:
            return -inf
        if self.costs:
            return list(self.costs.values())[-1].low
        if self.fights is None:
            return float(self.value)
        bounds = zip(map(self.interval, self.chances), self.values, strict=True)
        return sum(low * worth if worth > 0 else high * worth for (low, high), worth in bounds)

    @property
    def at_most(self) -> float:
        """What the odds are worth at the most: for sampled odds, with the margin of error added."""
        if self.fights == 0:
            return inf
        if self.costs:
            return list(self.costs.values())[-1].high
        if self.fights is None:
            return float(self.value)
        bounds = zip(map(self.interval, self.chances), self.values, strict=True)
        return sum(high * worth if worth > 0 else low * worth for (low, high), worth in bounds)

    @property
    def exact(self) -> bool:
        """Whether the chances are true fractions."""
        return all(isinstance(chance, Fraction) for chance in self.chances.values())

    @property
    def tells(self) -> bool:
        """Whether the figures mean anything: they were counted, or come from enough play-outs."""
        return self.fights is None or self.fights >= TOO_FEW

    def interval(self, ending: str) -> tuple[float, float]:
        """The 95% confidence interval of an ending's chance; a single point if it was counted."""
        chance = float(self.chances[ending])
        return (chance, chance) if self.fights is None else wilson(round(chance * self.fights), self.fights)

    def fraction(self, ending: str) -> str:
        """The chance of an ending as a fraction; empty if it is not one, or too long to read."""
        chance = self.chances[ending]
        written = str(chance) if isinstance(chance, Fraction) else ""
        return written if len(written) <= LONGEST_FRACTION else ""

    def for_team(self, team: str) -> dict[str, Fraction | float]:
        """The odds as one team sees them: win, lose, draw, and the system's own endings."""
        if team not in self.teams:
            raise Invalid(unknown("team", team, self.teams), given=team, allowed=self.teams)
        seen: dict[str, Fraction | float] = {"win": self.chances[team], "lose": Fraction(0) if self.exact else 0.0}
        for ending, chance in self.chances.items():
            if ending in self.teams and ending != team:
                seen["lose"] += chance
            elif ending not in self.teams:
                seen[ending] = chance
        return seen

    def as_table(self) -> dict[str, Any]:
        """The odds as plain JSON values."""
        table: dict[str, Any] = {"how": self.how, "exact": self.exact, "chances": {}}
        for ending, chance in self.chances.items():
            low, high = self.interval(ending)
            entry: dict[str, Any] = {"chance": float(chance), "low": low, "high": high}
            if isinstance(chance, Fraction):
                entry["fraction"] = str(chance)
            table["chances"][ending] = entry
        table["value"] = float(self.value)
        if self.costs:
            table["costs"] = {name: cost._asdict() for name, cost in self.costs.items()}
        if self.at_once:
            table["at_once"] = {name: float(mean) for name, mean in self.at_once.items()}
        if self.best:
            table["best"] = list(self.best)
        return table

    def svg(self) -> str:
        """The chances as a picture; notebooks show it by themselves."""
        chances = {ending: (float(chance), *self.interval(ending)) for ending, chance in self.chances.items()}
        return chances_svg("How the fight ends", chances, self.how)

    _repr_svg_ = svg

    def __str__(self) -> str:
        lines = [
            f"{ending:<12} {float(chance):9.4%}  {self.fraction(ending)}".rstrip()
            for ending, chance in self.chances.items()
        ]
        return "\n".join([*lines, f"({self.how})"])


@dataclass
class Solved:
    """The graph of a set-up from some states on, with its best policy."""

    setup: Setup[Any]
    team: str
    graph: Graph
    policy: solve.Policy
    aim: Aim = "value"
    _reach: Sequence[Sequence[float]] | None = None

    def find(self, state: Any) -> int | None:
        """The node of a state, if the graph has it."""
        return self.graph.find(state)

    def odds(self, start: Mapping[int, Fraction], *, fractions: int = MOST_FRACTIONS, best: Sequence[str] = ()) -> Odds:
        """The odds from a distribution over nodes; a graph of more nodes than `fractions` gives floats."""
        chances, how = self._flow(start, fractions)
        endings = dict(zip(self.setup.endings, chances, strict=True))
        values = values_for(self.setup, self.team, self.aim)
        return Odds(endings, self.setup.team_names, how, values, best=tuple(best))

    def _flow(self, start: Mapping[int, Fraction], fractions: int) -> tuple[list[Any], str]:
        endings = range(len(self.setup.endings))
        if self.graph.exact and len(self.graph.ending) <= fractions:
            try:
                return self._ended(solve.flow(self.graph, self.policy, start, len(endings))), "exact"
            except solve.TooLarge:
                pass
        reached = self.reach()
        ends = [sum(float(chance) * reached[node][ending] for node, chance in start.items()) for ending in endings]
        return self._ended([*ends, 1.0 - sum(ends)]), "computed in floating point"

    def _ended(self, chances: Sequence[Any]) -> list[Any]:
        """The chance of no end at all goes to the ending that the system gives it."""
        *ended, never = chances
        ended[endless_ending(self.setup)] += never
        return ended

    def reach(self) -> Sequence[Sequence[float]]:
        """The chance of every ending from every node, worked out once."""
        if self._reach is None:
            try:
                self._reach = solve.reach(self.graph, self.policy, len(self.setup.endings))
            except solve.TooLarge:
                raise TooManyStates(
                    "the chances of this fight take too long to converge; use `simulate` to sample them"
                ) from None
        return self._reach


def values_for(setup: Setup[Any], team: str, aim: Aim = "value") -> tuple[int, ...]:
    """What every ending is worth to a team."""
    if aim == "wins":
        return tuple(int(ending == team) for ending in setup.endings)
    return setup.worth(team)


def endless_ending(setup: Setup[Any]) -> int:
    return setup.endings.index(setup.system.endless)


def odds(
    system: str | System[Any, Any] | Setup[Any],
    teams: Teams | str = "",
    *,
    options: Mapping[str, object] | None = None,
    tactics: Mapping[str, str] | None = None,
    play: Play = "tactics",
    aim: Aim = "value",
    team: str | None = None,
    compiled: bool | None = None,
    seconds: float = 600.0,
    states: int = MOST_NATIVE,
) -> Odds:
    """The exact odds of a whole fight.

    Every fighter follows its tactic; with `play="best"` the fighters of `team` (by default the first) choose what is
    worth most to them by the system's values, or with `aim="wins"` what wins most often. A fight that takes longer than
    `seconds` to count, or has more than so many `states`, is refused: half a million states of grapple take 6 GB.
    """
    setup = Setup.of(system, teams, options)
    team = setup.team(team)
    choosing = setup.teams[team] if play == "best" else []
    openings = openings_of(setup, setup.index(choosing[0]) if choosing else None)
    starts = [state for state, _ in openings]
    known = usual_tactics(setup, tactics)
    solved = solve_fight(setup, starts, choosing, known, team, aim=aim, compiled=compiled, seconds=seconds, most=states)
    if solved is None:
        problem = "this fight has too many states to count; use `simulate` to sample it"
        raise TooManyStates(problem, given=str(setup.teams))
    if choosing:
        _keep(_question(setup, choosing, known, aim), solved)
    best = _best_now(solved, starts) if choosing else ()
    return solved.odds({node: chance for node, (_, chance) in enumerate(openings)}, best=best)


def openings_of(setup: Setup[Any], viewer: int | None) -> list[tuple[Any, Fraction]]:
    """Every state that a fight may open with, as the fighter with best play sees it, and its chance."""
    try:
        outcomes = list(Exact().outcomes(setup.opened, MOST_OPENINGS))
    except TooMuchChance:
        problem = f"{setup.system.id} has too many openings to count; use `simulate` to sample them"
        raise TooManyStates(problem) from None
    states = [state if viewer is None else setup.view(state, viewer) for state, _, _ in outcomes]
    if len(outcomes) == 1:
        return [(states[0], Fraction(1))]
    if any(seen != state for seen, (state, _, _) in zip(states, outcomes, strict=True)):
        raise TooManyStates(f"{setup.system.id} opens with hidden chance, so best play cannot be counted")
    found: dict[bytes, tuple[Any, Fraction]] = {}
    for state, numerator, denominator in outcomes:
        key = timeless_key(state)
        chance = Fraction(numerator, denominator)
        found[key] = state, chance + (found[key][1] if key in found else 0)
    return list(found.values())


def _best_now(solved: Solved, starts: Sequence[Any]) -> tuple[str, ...]:
    """The move that best play begins with; empty if that depends on the opening."""
    assert solved.policy is not None
    setup, graph, moves = solved.setup, solved.graph, set()
    for node, state in enumerate(starts):
        who = graph.mover[node]
        moves.add(setup.system.write_move(setup, state, who, graph.move[solved.policy[node]]) if who >= 0 else "")
    return tuple(moves) if len(moves) == 1 and "" not in moves else ()


def solve_fight(
    setup: Setup[Any],
    starts: Sequence[Any],
    choosing: Sequence[str],
    tactics: Mapping[str, str],
    team: str,
    *,
    aim: Aim = "value",
    compiled: bool | None = None,
    seconds: float = 600.0,
    most: int = MOST_NATIVE,
) -> Solved | None:
    """The graph from some states on with the best policy of the `choosing` fighters; None if it is too large.

    The states must differ in more than their clock; they become the first nodes, as the `choosing` fighters see them.
    `compiled=None` lets interpreted rules try first if native code is not ready yet: most duels are small.
    """
    best = sum(1 << setup.index(name) for name in choosing)
    graph = _grow(setup, starts, best, numbered(setup.system, tactics), compiled, seconds, most)
    if graph is None:
        return None
    policy = None
    if choosing:
        values = [float(value) for value in values_for(setup, team, aim)]
        try:
            policy = solve.best_policy(graph, values, values[endless_ending(setup)])
        except solve.TooLarge:
            return None
    return Solved(setup, team, graph, policy, aim)


def _grow(
    setup: Setup[Any],
    starts: Sequence[Any],
    best: int,
    codes: Sequence[int],
    compiled: bool | None,
    seconds: float,
    most: int,
) -> Graph | None:
    if compiled is False or (compiled is None and not native_ready(setup)):
        limit = seconds if compiled is False else QUICK_SECONDS
        graph = interpreted_graph(setup.system, starts, best, codes, min(most, MOST_INTERPRETED), limit)
        if graph is not None or compiled is False:
            return graph
    try:
        graph = native_graph(setup.system, starts, best, codes, most, seconds)
    except MissingExtra:
        if compiled:
            raise
        return interpreted_graph(setup.system, starts, best, codes, most, seconds)
    if graph is not None:
        mark_ready(setup)
    return graph


# --- at a decision -------------------------------------------------------------------------------------------


def odds_of_moves(
    setup: Setup[Any],
    state: Any,
    who: str,
    *,
    tactics: Mapping[str, str] | None = None,
    play: Play = "best",
    aim: Aim = "value",
    compiled: bool | None = None,
    seconds: float | None = None,
    playouts: int | None = None,
    seed: int = 0,
    moves: Sequence[str] | None = None,
    least: int = 0,
    progress: Tick | None = None,
) -> dict[str, Odds]:
    """For each legal move: how the fight ends if `who` makes it and then plays as well as possible, by its `aim`.

    With `play="tactics"`, `who` follows its tactic instead. The others always follow theirs. If there are too many
    states to count in part of `seconds`, every move is played out as often as the remaining time allows: `who` then
    follows its tactic, and the dice come from `seed`. Play-outs are kept: asking again adds to them.
    Seconds of counting stand for a number of outcomes, so that a busy machine counts the same fights as an idle one.
    `compiled=None` uses native code only if it is ready; the default time is then too short to notice.
    `playouts` plays every move out exactly that often and counts nothing, so that the same seed gives the same figures,
    whatever was asked before.
    `moves` restricts the request to some moves. Each of them gets at least `least` play-outs, however long they take,
    and `progress` is told how many there have been.
    """
    index = setup.index(who)
    written = setup.written(state, index)
    if not written:
        raise Illegal(f"{who} has no decision to make now", given=who)
    if moves is not None:
        written = _chosen(written, moves)
    codes, known, seen = list(written.values()), usual_tactics(setup, tactics), setup.view(state, index)
    countable = playouts is None and not setup.system.costs  # a graph has endings, not their costs
    question = _question(setup, [who] if play == "best" else [], known, aim)
    solved = _kept_with(question, seen) if countable and play == "best" else None
    if compiled is None:
        compiled = native_ready(setup)
    elif compiled and solved is None and not native_ready(setup):
        ready_now(setup, state)  # compiling does not count as time for odds
    if compiled:
        program(setup.system, len(setup.names))  # nor is what loading takes
    if seconds is None:
        seconds = LIVE_SECONDS if compiled else PATIENT_SECONDS
    deadline = time.monotonic() + seconds
    study = _Study() if playouts is not None else _study(question, known, seen, index, seed)
    if compiled not in study.exchanges:
        study.exchanges[compiled] = Exchanges(setup, state, index, compiled=compiled)
    exchanges = study.exchanges[compiled]
    at_once = exchanges.of(codes, EXCHANGE_SHARE * seconds)
    counted: list[Odds] | None = None
    with suppress(TooManyStates):
        if countable and play == "tactics":
            counted = _planned_moves(
                setup, seen, index, codes, known, aim, question, compiled, COUNTING_SHARE * seconds
            )
        elif countable and solved is None:
            solve_now = partial(solve_fight, setup, [seen], [who], known, setup.team_of[who], aim=aim)
            solved = _solved(question, seen, solve_now, compiled, COUNTING_SHARE * seconds)
        if solved is not None:
            counted = _counted_moves(solved, seen, codes)
    if counted is None:
        left = (1 - SPARE_SHARE) * max((1 - COUNTING_SHARE) * seconds, deadline - time.monotonic())
        counted = sample_moves(
            setup,
            state,
            index,
            codes,
            numbered(setup.system, known),
            seconds=left if playouts is None else 0,
            compiled=compiled,
            seed=seed,
            least=least if playouts is None else playouts,
            aim=aim,
            so_far=study.tallies,
            progress=progress,
        )
    return {
        notation: replace(odds, at_once=brings or {}, unfinished=brings is None and exchanges.is_unfinished([code]))
        for (notation, code), odds, brings in zip(written.items(), counted, at_once, strict=True)
    }


def _chosen(written: Mapping[str, int], moves: Sequence[str]) -> dict[str, int]:
    """The requested moves, in the order in which the rules list them."""
    for move in moves:
        if move not in written:
            raise Illegal(unknown("move", move, written), given=move, allowed=list(written))
    return {notation: code for notation, code in written.items() if notation in moves}


def _counted_moves(solved: Solved, seen: Any, codes: Sequence[int]) -> list[Odds]:
    """The odds of some of a fighter's moves in a state of the graph."""
    node, graph = solved.find(seen), solved.graph
    assert node is not None
    counted = []
    for action in graph.actions(node):
        if graph.move[action] in codes:
            start: dict[int, Fraction] = {}
            for target, numerator, denominator in graph.edges(action):
                start[target] = start.get(target, Fraction(0)) + Fraction(numerator, denominator)
            counted.append(solved.odds(start, fractions=QUICK_FRACTIONS))
    return counted


def _planned_moves(
    setup: Setup[Any],
    seen: Any,
    index: int,
    codes: Sequence[int],
    tactics: Mapping[str, str],
    aim: Aim,
    question: tuple[Any, ...],
    compiled: bool,
    seconds: float,
) -> list[Odds] | None:
    """The odds of some moves of a fighter who then follows its tactic; None if there is too much to count."""
    numbers, places = numbered(setup.system, tactics), dict[bytes, int]()
    starts: list[Any] = []
    reached: list[dict[int, Fraction]] = []

    def solve_now(compiled: bool, seconds: float) -> Solved | None:
        left = MOST_OPENINGS
        for code in codes:
            reached.append({})
            for state, numerator, denominator in successors(setup.system, seen, index, code, -1, numbers, left):
                left -= 1
                place = places.setdefault(timeless_key(state), len(starts))
                if place == len(starts):
                    starts.append(state)
                reached[-1][place] = reached[-1].get(place, Fraction(0)) + Fraction(numerator, denominator)
        team = setup.team_of[setup.names[index]]
        return solve_fight(setup, starts, [], tactics, team, aim=aim, compiled=compiled, seconds=seconds)

    solved = _solved(question, seen, solve_now, compiled, seconds)
    if solved is None:
        return None
    return [solved.odds(start, fractions=QUICK_FRACTIONS) for start in reached]


@dataclass
class _Study:
    """What is known about a decision without counting the fight; asking again adds to it."""

    tallies: Tallies = field(default_factory=dict)
    exchanges: dict[bool, Exchanges] = field(default_factory=dict)  # by native code, and not


_studies: dict[tuple[Any, ...], _Study] = {}


def _study(question: tuple[Any, ...], tactics: Mapping[str, str], seen: Any, index: int, seed: int) -> _Study:
    """What is known about a fighter's decision so far; play-outs depend on the fighter's tactic, not on its aim."""
    key = *question[:3], tuple(tactics.items()), records.pack(seen), index, seed
    study = _studies[key] = _studies.pop(key) if key in _studies else _Study()  # the latest comes last
    if len(_studies) > MOST_STUDIES:
        del _studies[next(iter(_studies))]
    return study


def forget() -> None:
    """Forget all that is known about fights and decisions, as if nothing had been asked yet."""
    for kept in (_kept, _too_large, _studies):
        kept.clear()


_kept: dict[tuple[Any, ...], Solved] = {}
_too_large: dict[tuple[Any, ...], tuple[bool, float]] = {}
"""Fights that could not be counted: with native code or without, and in how many seconds."""


def _question(setup: Setup[Any], choosing: Sequence[str], tactics: Mapping[str, str], aim: Aim) -> tuple[Any, ...]:
    """What best play depends on: the set-up, which fighters choose, their aim, and the tactics of the others."""
    others = tuple((name, tactic) for name, tactic in tactics.items() if name not in choosing)
    return setup.system, setup.endings, records.pack(setup.seated()), tuple(choosing), others, aim


def _keep(question: tuple[Any, ...], solved: Solved) -> None:
    """Keep a solved graph for later decisions in the fights it covers."""
    if len(_kept) > 32:
        _kept.clear()
    _kept[question] = solved


def _kept_with(question: tuple[Any, ...], seen: Any) -> Solved | None:
    """The kept graph for a question, if it has the state."""
    solved = _kept.get(question)
    return solved if solved is not None and solved.find(seen) is not None else None


def _solved(
    question: tuple[Any, ...], seen: Any, solve_now: Callable[..., Solved | None], compiled: bool, seconds: float
) -> Solved | None:
    """Solve a question and keep the graph for later decisions; a fight that was too large is not tried again in vain.

    A fight shrinks as it goes on, so a new state gets another, shorter, try.
    """
    here = *question, records.pack(seen)
    if _too_large.get(here, (False, 0.0)) >= (compiled, seconds):
        return None
    was_too_large = _too_large.get(question, (False, 0.0)) >= (compiled, seconds)
    solved = None
    with suppress(TooMuchChance):
        solved = solve_now(compiled=compiled, seconds=seconds * (AGAIN_SHARE if was_too_large else 1.0))
    if solved is not None:
        _keep(question, solved)
    else:
        if len(_too_large) > 1024:
            _too_large.clear()
        _too_large[question] = _too_large[here] = compiled, seconds
    return solved


def sample_moves(
    setup: Setup[Any],
    state: Any,
    index: int,
    codes: Sequence[int],
    tactics: tuple[int, ...],
    most: int = 200_000,
    *,
    seconds: float = LIVE_SECONDS,
    compiled: bool = True,
    seed: int = 0,
    least: int = 0,
    aim: Aim = "value",
    so_far: Tallies | None = None,
    progress: Tick | None = None,
) -> list[Odds]:
    """The odds of moves by play-outs from what the mover may know, with separate dice.

    Each move gets up to `most` play-outs in addition to those in `so_far`, the better moves more of them (see
    `playouts`), and at least `least` in all.
    """
    team = setup.team_of[setup.names[index]]
    counted = count_endings(
        setup,
        state,
        index,
        codes,
        tactics,
        values_for(setup, team, aim),
        most=most,
        seconds=seconds,
        compiled=compiled,
        seed=seed,
        least=least,
        so_far=so_far,
        progress=progress,
    )
    odds = []
    for tally in counted:
        way = f"{next(iter(tally.ways))} " if len(tally.ways) == 1 else ""
        odds.append(sampled(setup, team, tally.endings, f"{way}play-out{'s' * (tally.fights != 1)}", aim))
    if not setup.system.costs:
        return odds
    costs = [costs_of(setup, state, index, tally.figures(setup.system), tally.fights) for tally in counted]
    return [replace(one, costs=cost) for one, cost in zip(odds, costs, strict=True)]


def sampled(setup: Setup[Any], team: str, counts: Sequence[int], what: str, aim: Aim = "value") -> Odds:
    """The odds for a team, from how often each ending came about; `what` names what was counted."""
    total = sum(counts)
    chances: dict[str, Fraction | float] = {
        ending: count / max(1, total) for ending, count in zip(setup.endings, counts, strict=True)
    }
    return Odds(chances, setup.team_names, f"{total:,} {what}", values_for(setup, team, aim), fights=total)


def compile_odds(setup: Setup[Any], state: Any) -> None:
    """Load what the odds of this set-up's roster need, or have Numba compile it by asking for a little of each once."""
    if program(setup.system, len(setup.names)).backend != "numba":
        return
    tactics = usual_tactics(setup)
    index = first_of(to_act(state))
    who, codes = setup.names[index], setup.codes(state, index)
    exchanges(setup, state, index, codes[:1], compiled=True)
    solved = None
    if not setup.system.costs:  # no graph is grown for those
        seen = setup.view(state, index)
        team = setup.team_of[who]
        solved = solve_fight(setup, [seen], [who], tactics, team, compiled=True, seconds=A_LITTLE, most=2_000)
    if solved is None:
        sample_moves(setup, state, index, codes[:1], numbered(setup.system, tactics), 1)
    else:
        with suppress(TooManyStates):
            solved.reach()
