"""Odds: how a fight may end and how likely, exact where the states can be counted and sampled where not."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from affray.errors import Illegal, Invalid, MissingExtra, unknown
from affray.fight import Fight, Teams
from affray.fight.drawing import chances_svg
from affray.kernel import records
from affray.kernel.exact import Exact
from affray.lab import mark_ready, native_ready, ready_now, solve
from affray.lab.exchange import exchanges
from affray.lab.figures import Rate, wilson
from affray.lab.graph import Graph, interpreted_graph, native_graph, timeless_key
from affray.lab.weighing import Progress, costs_of, count_endings
from affray.players.tactics import numbered, usual_tactics
from affray.system.contract import System

Play = Literal["tactics", "best"]

MOST_FRACTIONS = 5_000  # nodes up to which a whole fight's chances are worked out as fractions
QUICK_FRACTIONS = 400  # the same where a person waits for the odds of a move
MOST_NATIVE, MOST_INTERPRETED = 300_000, 400
MOST_OPENINGS = 2_000  # ways in which what is thrown before the first decision may fall
COUNTING_SHARE = 0.6  # of the time for a decision, spent on counting before play-outs take over
EXCHANGE_SHARE = 0.4  # of it, what interpreted rules may take for the outcomes of the moves themselves
LONGEST_FRACTION = 40  # signs of one that a person still reads
SPARE_SHARE = 0.05  # of what is left for play-outs, kept for what comes after them
LIVE_SECONDS, PATIENT_SECONDS = 0.12, 0.5  # for a decision: where native code is ready, and where it is not
QUICK_SECONDS = 0.3  # how long interpreted rules may try before native code is worth its compilation


class TooManyStates(Invalid):
    """A fight that cannot be counted; it can be simulated."""


@dataclass(frozen=True)
class Odds:
    """The chance of every ending: fractions where they are exact, with an interval where they are sampled."""

    chances: Mapping[str, Fraction | float]
    teams: tuple[str, ...]
    how: str
    values: tuple[int, ...]
    fights: int | None = None
    best: tuple[str, ...] = ()
    costs: Mapping[str, Rate] = field(default_factory=dict)
    """What it costs and brings on average, where the system knows of costs; the last is the sum of all."""
    at_once: Mapping[str, Fraction | float] = field(default_factory=dict)
    """What it brings before anybody decides again, counted exactly, where the system measures that."""

    @property
    def value(self) -> Fraction | float:
        """What the odds are worth: the sum of the costs, or else by the system's values of the endings."""
        if self.costs:
            return list(self.costs.values())[-1].value
        return sum(
            (worth * chance for worth, chance in zip(self.values, self.chances.values(), strict=True)), Fraction(0)
        )

    @property
    def at_least(self) -> float:
        """What the odds are worth with all likelihood: sampled ones less what they may be off."""
        if self.costs:
            return list(self.costs.values())[-1].low
        if not self.fights:
            return float(self.value)
        bounds = zip(map(self.interval, self.chances), self.values, strict=True)
        return sum(low * worth if worth > 0 else high * worth for (low, high), worth in bounds)

    @property
    def exact(self) -> bool:
        """Whether the chances are true fractions."""
        return all(isinstance(chance, Fraction) for chance in self.chances.values())

    def interval(self, ending: str) -> tuple[float, float]:
        """Where the chance of an ending lies with 95 % confidence; a point when it is computed."""
        chance = float(self.chances[ending])
        return wilson(round(chance * self.fights), self.fights) if self.fights else (chance, chance)

    def fraction(self, ending: str) -> str:
        """The chance of an ending as a fraction; nothing where it is none, or too long to read."""
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
    """A fight's graph with the best policy on it, kept while the fight goes on."""

    graph: Graph
    policy: solve.Policy
    endings: Sequence[str]
    endless: int
    values: Sequence[int]
    fractions: int = MOST_FRACTIONS
    _reach: Sequence[Sequence[float]] | None = None

    def odds(self, start: Mapping[int, Fraction], teams: Sequence[str], best: tuple[str, ...] = ()) -> Odds:
        """The odds from a distribution over nodes."""
        chances, how = self._flow(start)
        return Odds(dict(zip(self.endings, chances, strict=True)), tuple(teams), how, tuple(self.values), best=best)

    def _flow(self, start: Mapping[int, Fraction]) -> tuple[list[Any], str]:
        if self.graph.exact and len(self.graph.ending) <= self.fractions:
            try:
                return self._ended(solve.flow(self.graph, self.policy, start, len(self.endings))), "exact"
            except solve.TooLarge:
                pass
        reached = self.reach()
        ends = [
            sum(float(chance) * reached[node][ending] for node, chance in start.items())
            for ending in range(len(self.endings))
        ]
        return self._ended([*ends, 1.0 - sum(ends)]), "computed in floating point"

    def _ended(self, chances: Sequence[Any]) -> list[Any]:
        """The chance of no end at all goes to the ending that the system gives it."""
        *ended, never = chances
        ended[self.endless] += never
        return ended

    def reach(self) -> Sequence[Sequence[float]]:
        """The chance of every ending from every node, worked out once."""
        if self._reach is None:
            self._reach = solve.reach(self.graph, self.policy, len(self.endings))
        return self._reach


def odds(
    system: str | System[Any, Any],
    teams: Teams | str,
    *,
    options: Mapping[str, object] | None = None,
    tactics: Mapping[str, str] | None = None,
    play: Play = "tactics",
    team: str | None = None,
    compiled: bool | None = None,
    seconds: float = 600.0,
) -> Odds:
    """The exact odds of a whole fight.

    Every fighter follows its tactic; with `play="best"` the fighters of `team` (the first, unless told) choose what
    is worth most to them by the system's values. What takes longer to count than `seconds` are for is refused.
    """
    fight = Fight(system, teams, seed=0, options=options)
    team = team or next(iter(fight.teams))
    if team not in fight.teams:
        raise Invalid(unknown("team", team, fight.teams), given=team, allowed=list(fight.teams))
    choosing = fight.teams[team] if play == "best" else []
    openings = _openings(fight, fight.index(choosing[0]) if choosing else None)
    starts = [state for state, _ in openings]
    known = usual_tactics(fight, tactics)
    solved = solve_fight(fight, choosing, known, team, starts=starts, compiled=compiled, seconds=seconds)
    if solved is None:
        raise TooManyStates("this fight has too many states to count; `simulate` samples it", given=str(teams))
    best = _best_now(fight, solved, starts) if choosing else ()
    return solved.odds({node: chance for node, (_, chance) in enumerate(openings)}, list(fight.teams), best)


def _openings(fight: Fight, viewer: int | None) -> list[tuple[Any, Fraction]]:
    """Every state that a fight may open with, as a viewer who plays its best knows it, and its chance."""
    found: dict[bytes, tuple[Any, Fraction]] = {}
    hidden = False
    for count, (state, numerator, denominator) in enumerate(Exact().outcomes(fight.setup.opened)):
        if count == MOST_OPENINGS:
            raise TooManyStates(f"{fight.system.id} opens in too many ways to count; `simulate` samples them")
        seen = state if viewer is None else fight.setup.view(state, viewer)
        hidden |= seen != state
        key = timeless_key(fight.system, seen)
        chance = Fraction(numerator, denominator)
        found[key] = seen, chance + (found[key][1] if key in found else 0)
    if hidden and count:
        raise TooManyStates(f"{fight.system.id} opens with hidden chance, so best play is simulated, not counted")
    return list(found.values())


def _best_now(fight: Fight, solved: Solved, starts: Sequence[Any]) -> tuple[str, ...]:
    """The move that best play begins with; none where that depends on the opening."""
    assert solved.policy is not None
    graph, moves = solved.graph, set()
    for node, state in enumerate(starts):
        who = graph.mover[node]
        moves.add(fight.system.write_move(fight.setup, state, who, graph.move[solved.policy[node]]) if who >= 0 else "")
    return tuple(moves) if len(moves) == 1 and "" not in moves else ()


def solve_fight(
    fight: Fight,
    choosing: Sequence[str],
    tactics: Mapping[str, str],
    team: str,
    *,
    starts: Sequence[Any] = (),
    compiled: bool | None = None,
    seconds: float = 600.0,
    most: int = MOST_NATIVE,
    fractions: int = MOST_FRACTIONS,
) -> Solved | None:
    """The graph from the fight's present state with the best policy of those who choose; None if it is too large.

    It may start from several states as well, which are its first nodes then.
    `compiled=None` lets interpreted rules try first where native code is not ready yet: most duels are small.
    """
    best = sum(1 << fight.index(name) for name in choosing)
    codes = numbered(fight.system, tactics)
    present = fight.setup.view(fight.state, fight.index(choosing[0])) if choosing else fight.state
    graph = _grow(fight, starts or [present], best, codes, compiled, seconds, most)
    if graph is None:
        return None
    values = [_value(fight, ending, team) for ending in fight.endings]
    endless = fight.endings.index(fight.system.endless)
    policy = None
    if choosing:
        policy = solve.best_policy(graph, [float(value) for value in values], float(values[endless]))
    return Solved(graph, policy, fight.endings, endless, values, fractions)


def _grow(
    fight: Fight,
    starts: Sequence[Any],
    best: int,
    codes: Sequence[int],
    compiled: bool | None,
    seconds: float,
    most: int,
) -> Graph | None:
    if compiled is False or (compiled is None and not native_ready(fight)):
        limit = seconds if compiled is False else QUICK_SECONDS
        graph = interpreted_graph(fight.system, starts, best, codes, min(most, MOST_INTERPRETED), limit)
        if graph is not None or compiled is False:
            return graph
    try:
        graph = native_graph(fight.system, starts, best, codes, most, seconds)
    except MissingExtra:
        if compiled:
            raise
        return interpreted_graph(fight.system, starts, best, codes, most, seconds)
    if graph is not None:
        mark_ready(fight)
    return graph


def _value(fight: Fight, ending: str, team: str) -> int:
    values = fight.system.values
    if ending in fight.teams:
        return values.get("win", 1) if ending == team else values.get("lose", -1)
    return values.get(ending, 0)


# --- at a decision -------------------------------------------------------------------------------------------


def odds_of_moves(
    fight: Fight,
    who: str,
    *,
    tactics: Mapping[str, str] | None = None,
    play: Play = "best",
    compiled: bool | None = None,
    seconds: float | None = None,
    seed: int = 0,
    moves: Sequence[str] | None = None,
    least: int = 1,
    progress: Progress | None = None,
) -> dict[str, Odds]:
    """For each legal move: how the fight ends if `who` makes it and then plays as well as possible.

    The others follow their tactics. Where the states are too many to count in a part of `seconds`, every move is
    played out as often as the rest of them allows, `who` going on by its tactic and the dice coming from `seed`.
    Seconds of counting are a number of outcomes, so that a busy machine counts the same fights as a quick one.
    `compiled=None` uses native code only if it is ready; the time is short enough then that nobody notices it.
    Only some `moves` may be asked for. Of play-outs each of them gets the `least`, however long they take, and
    `progress` is told how many there have been.
    """
    if compiled is None:
        compiled = native_ready(fight)
    elif compiled and not native_ready(fight):
        ready_now(fight)  # what the compiler takes is no time for odds
    if seconds is None:
        seconds = LIVE_SECONDS if compiled else PATIENT_SECONDS
    deadline = time.monotonic() + seconds
    index = fight.index(who)
    codes = fight.codes(index)
    if not codes:
        raise Illegal(f"{who} owes no decision now", given=who)
    notations = [fight.system.write_move(fight.setup, fight.state, index, code) for code in codes]
    if moves is not None:
        codes, notations = _chosen(codes, notations, moves)
    known = usual_tactics(fight, tactics)
    at_once = exchanges(fight, index, codes, compiled=compiled, seconds=EXCHANGE_SHARE * seconds)
    countable = play == "best" and not fight.system.costs  # a graph knows endings, not what they cost
    solved = _solved(fight, who, known, compiled, COUNTING_SHARE * seconds) if countable else None
    counted = _counted_moves(fight, index, solved, codes) if solved else None
    if counted is None:
        left = (1 - SPARE_SHARE) * max((1 - COUNTING_SHARE) * seconds, deadline - time.monotonic())
        counted = sample_moves(
            fight,
            index,
            codes,
            numbered(fight.system, known),
            seconds=left,
            compiled=compiled,
            seed=seed,
            least=least,
            progress=progress,
        )
    return {
        notation: replace(odds, at_once=brings) if brings else odds
        for notation, odds, brings in zip(notations, counted, at_once, strict=True)
    }


def _chosen(codes: Sequence[int], notations: Sequence[str], moves: Sequence[str]) -> tuple[list[int], list[str]]:
    """The codes and notations of those moves that were asked for, in the order in which the rules list them."""
    for move in moves:
        if move not in notations:
            raise Illegal(unknown("move", move, notations), given=move, allowed=list(notations))
    wanted = [(code, notation) for code, notation in zip(codes, notations, strict=True) if notation in moves]
    return [code for code, _ in wanted], [notation for _, notation in wanted]


def _counted_moves(fight: Fight, index: int, solved: Solved, codes: Sequence[int]) -> list[Odds] | None:
    """The odds of some of a fighter's moves by the graph of all states; None where the present one is not in it."""
    node = solved.graph.find(timeless_key(fight.system, fight.setup.view(fight.state, index)))
    if node is None or solved.graph.mover[node] != index:
        return None
    counted = []
    for action in solved.graph.actions(node):
        if solved.graph.move[action] not in codes:
            continue
        start: dict[int, Fraction] = {}
        for target, numerator, denominator in solved.graph.edges(action):
            start[target] = start.get(target, Fraction(0)) + Fraction(numerator, denominator)
        counted.append(solved.odds(start, list(fight.teams)))
    return counted


_kept: dict[tuple[Any, ...], Solved] = {}
_too_large: dict[tuple[Any, ...], tuple[bool, float]] = {}
"""Fights that could not be counted: by native code or not, and in how many seconds."""


def _solved(fight: Fight, who: str, tactics: Mapping[str, str], compiled: bool, seconds: float) -> Solved | None:
    """The solved graph of a fight, kept for its later decisions; what was too large is not tried again in vain."""
    key = (fight.system.id, records.pack(fight.first_state), who, *tactics.items())
    if key not in _kept and _too_large.get(key, (False, 0.0)) < (compiled, seconds):
        if len(_kept) > 32 or len(_too_large) > 1024:
            _kept.clear()
            _too_large.clear()
        solved = solve_fight(
            fight.at_opening(),
            [who],
            tactics,
            fight.team_of[who],
            compiled=compiled,
            seconds=seconds,
            fractions=QUICK_FRACTIONS,
        )
        if solved is None:
            _too_large[key] = compiled, seconds
        else:
            _kept[key] = solved
    return _kept.get(key)


def sample_moves(
    fight: Fight,
    index: int,
    codes: Sequence[int],
    tactics: tuple[int, ...],
    most: int = 200_000,
    *,
    seconds: float = LIVE_SECONDS,
    compiled: bool = True,
    seed: int = 0,
    least: int = 1,
    progress: Progress | None = None,
) -> list[Odds]:
    """The odds of moves by play-outs from what the mover may know, with dice of their own.

    Every move is played out `least` times or more, and at most `most` times; the better ones more often (see
    `weighing`).
    """
    team = fight.team_of[fight.names[index]]
    values = tuple(_value(fight, ending, team) for ending in fight.endings)
    counted = count_endings(
        fight,
        index,
        codes,
        tactics,
        values,
        most=most,
        seconds=seconds,
        compiled=compiled,
        seed=seed,
        least=least,
        progress=progress,
    )
    kind = f"{'compiled' if compiled else 'interpreted'} play-out"
    odds = [sampled(fight, team, tally.endings, kind + "s" * (sum(tally.endings) != 1)) for tally in counted]
    if not fight.system.costs:
        return odds
    costs = [costs_of(fight, index, tally.figures, sum(tally.endings)) for tally in counted]
    return [replace(one, costs=cost) for one, cost in zip(odds, costs, strict=True)]


def sampled(fight: Fight, team: str, counts: Sequence[int], what: str) -> Odds:
    """The odds for a team out of how often each ending came about in so many of `what`."""
    total = sum(counts)
    chances: dict[str, Fraction | float] = {e: count / total for e, count in zip(fight.endings, counts, strict=True)}
    values = tuple(_value(fight, ending, team) for ending in fight.endings)
    return Odds(chances, tuple(fight.teams), f"{total:,} {what}", values, fights=total)
