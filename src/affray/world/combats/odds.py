"""The odds of a fighter's moves: as text for a terminal, and as plain values for a page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import stdev
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from affray.errors import Refused
from affray.fight import Fight
from affray.kernel.chance import Seeded
from affray.lab import chances, costs, native_ready, warm_up
from affray.lab.bars import Screen
from affray.lab.figures import FEW, TOO_FEW, wilson
from affray.players.tactics import numbered, usual_tactics
from affray.system.status import WIDTH

if TYPE_CHECKING:
    from affray.lab.odds import Aim, Odds, Play

SHOWN = 10
UNCOMPILED = 2.0  # seconds of play-outs by interpreted rules, which are slow
IMAGINED = 20  # states that fit what a spectator may know
GLANCE, GLANCE_SLOWLY = 100, 1  # play-outs of each, by compiled and by interpreted rules
SPREAD = 2.093  # standard errors on each side of a mean of twenty: Student's 95%
ENOUGH = 200_000  # play-outs of a move beyond which those that are still close are not told apart


def odds_text(fight: Fight, fighter: str, team: str) -> str:
    """The moves of a fighter with their odds, the best first."""
    warm_up(fight.setup, fight.state)
    name = fight.system.as_table(fight.sheets[fight.index(fighter)])["name"]
    heading = f"How {name}'s moves are likely to end for {team}:"
    try:
        return "\n".join([heading, *(_costs(fight, fighter) if fight.system.costs else _odds(fight, fighter, team))])
    except Refused as problem:
        return str(problem)


def _costs(fight: Fight, fighter: str) -> list[str]:
    """The stakes and the costs of the moves; if there are many moves, the best of each kind."""
    found = _found(fight, fighter)
    known, moves = fight.system.costs, list(found)
    shown = costs.to_show(moves, found)
    sampled = f"{costs.how(found, shown, known)}{_more(len(moves) - len(shown))}"
    meaning = costs.meaning(known, usual_tactics(fight)[fighter])
    return [
        *(part for line in (fight.at_stake.get(fighter, ""), meaning) for part in wrap(line, WIDTH)),
        *costs.reckoned(moves, found, fight.team_of[fighter], known, shown, Screen(WIDTH), numbered=False),
        *wrap(f"({sampled})", WIDTH),
    ]


def _found(
    fight: Fight, fighter: str, tactics: Mapping[str, str] | None = None, play: Play = "tactics", aim: Aim = "value"
) -> dict[str, Odds]:
    """The odds of a fighter's moves, with their costs: compiled if that is ready, otherwise with fewer play-outs."""
    from affray.lab.odds import odds_of_moves

    is_native = native_ready(fight.setup)
    if not fight.system.costs:
        seconds = None if is_native else UNCOMPILED
        return odds_of_moves(fight.setup, fight.state, fighter, play=play, aim=aim, tactics=tactics, seconds=seconds)
    if is_native:
        return odds_of_moves(fight.setup, fight.state, fighter, tactics=tactics, least=TOO_FEW)
    return costs.first_look(fight.setup, fight.state, fighter, tactics)


def _more(moves: int) -> str:
    return f"; {moves} more move{'s' * (moves != 1)}" if moves else ""


def _odds(fight: Fight, fighter: str, team: str) -> list[str]:
    """The best moves, a line each, and how their odds were found."""
    found = _found(fight, fighter)
    best = dict(sorted(found.items(), key=lambda item: -item[1].at_least)[:SHOWN])
    rows = chances.weighed(list(found), found, team, list(best), Screen(WIDTH), numbered=False)
    more = wrap(chances.coming(best, "combat odds"), WIDTH)
    return [*rows, *wrap(f"({chances.how(best)}{_more(len(found) - len(best))})", WIDTH), *more]


def odds_table(
    fight: Fight, fighter: str, tactics: Mapping[str, str], play: Play = "tactics", aim: Aim = "value"
) -> dict[str, Any]:
    """The odds of a fighter's moves for a page to draw, as plain JSON values."""
    warm_up(fight.setup, fight.state)
    team = fight.team_of[fighter]
    found = _found(fight, fighter, tactics, play, aim)
    telling = [odds for odds in found.values() if odds.tells]
    best, close = _leading(found, team, aim)
    plan = "" if play == "best" else usual_tactics(fight, tactics)[fighter]
    return {
        "team": team,
        "teams": list(fight.teams),
        "moves": {move: _move(odds, team) for move, odds in found.items()},
        "how": costs.out_of(telling, len({odds.how for odds in found.values()}) > 1) if telling else "being prepared",
        "assumes": _assumes(found, plan or usual_tactics(fight, tactics)[fighter], by_tactic=bool(plan)),
        "best": best,
        "close": close,
        "best_by": _best_by(fight, found, team, aim),
        "more": any(odds.unfinished or (odds.fights is not None and odds.fights < FEW) for odds in found.values())
        or (not best and any((found[move].fights or 0) < ENOUGH for move in close)),
        "at_stake": fight.at_stake.get(fighter),
        "costs": [
            {"name": c.name, "is_chance": c.is_chance, "sign": c.sign, "meaning": c.meaning} for c in fight.system.costs
        ],
    }


def chances_table(fight: Fight) -> dict[str, Any]:
    """The chance of every ending if all follow their usual tactics, from what a spectator may know.

    `margin` is the largest distance of a chance from the bounds of its 95% interval.
    """
    from affray.lab.playouts import count_endings

    setup, compiled = fight.setup, native_ready(fight.setup)
    if fight.over:
        ended = {one: float(one == fight.ending) for one in fight.endings}
        return {"decision": fight.decision, "chances": ended, "fights": 0, "margin": 0.0}
    warm_up(setup, fight.state)
    codes, counts = numbered(setup.system, usual_tactics(setup)), []
    for seed in range(IMAGINED):
        state = setup.view(fight.state, None)
        setup.system.imagine(state, 0, Seeded(seed))
        (tally,) = count_endings(
            setup,
            state,
            -1,
            [0],
            codes,
            [0] * len(setup.endings),
            most=GLANCE if compiled else GLANCE_SLOWLY,
            seconds=UNCOMPILED / IMAGINED,
            compiled=compiled,
            seed=seed,
        )
        counts.append(tally.endings)
    sums = [sum(column) for column in zip(*counts, strict=True)]
    fights = sum(sums)
    shares = {ending: count / max(1, fights) for ending, count in zip(setup.endings, sums, strict=True)}
    return {"decision": fight.decision, "chances": shares, "fights": fights, "margin": _margin(counts)}


def _margin(counts: Sequence[Sequence[int]]) -> float:
    """How far a share may be off: by the play-outs alone, and by how much the imagined states differ."""
    sizes = [sum(ending) for ending in counts]
    if not sum(sizes):
        return 1.0
    margins = list[float]()
    for column in zip(*counts, strict=True):
        low, high = wilson(sum(column), sum(sizes))
        rates = [hits / size for hits, size in zip(column, sizes, strict=True) if size]
        spread = SPREAD * stdev(rates) / math.sqrt(len(rates)) if len(rates) > 1 else 1.0
        margins.append(max(spread, high - sum(column) / sum(sizes), sum(column) / sum(sizes) - low))
    return min(1.0, max(margins))


def difficulty_table(fight: Fight, fights: int, tactics: Mapping[str, str]) -> dict[str, Any]:
    """How a fight that is put together would end by the tactics of its fighters, and how sure that is."""
    from affray.lab.simulate import simulate

    found = simulate(fight.setup, fights=fights, tactics=tactics, seconds=UNCOMPILED, workers=1, figures=False)
    return {
        "fights": found.fights,
        "teams": list(fight.teams),
        "rates": {ending: rate._asdict() for ending, rate in found.rates.items()},
    }


def _leading(found: Mapping[str, Odds], team: str, aim: Aim) -> tuple[list[str], list[str]]:
    """The best moves, as far as that is certain, and those of which any may still be the best.

    A move is the best if no other can be better within the margins of error; equal ones are the best together.
    """
    worth = {
        move: (odds.interval(team) if odds.fights != 0 else (0.0, 1.0))
        if aim == "wins"
        else (odds.at_least, odds.at_most)
        for move, odds in found.items()
    }
    bar = max((low for low, _ in worth.values()), default=0.0)
    close = [move for move, (_, high) in worth.items() if high >= bar]
    best = [move for move in close if all(worth[other][1] <= worth[move][0] for other in close if other != move)]
    return [move for move in best if found[move].tells], close


def _assumes(found: Mapping[str, Odds], tactic: str, *, by_tactic: bool) -> str:
    """How all fighters are assumed to play after the move."""
    if by_tactic or all(odds.fights is None for odds in found.values()):
        return f"After the move you follow {tactic if by_tactic else 'best play'}, the others their tactics."
    return f"Best play cannot be counted here: after the move you follow {tactic}, the others their tactics."


def _best_by(fight: Fight, found: Mapping[str, Odds], team: str, aim: Aim) -> str:
    """What makes a move the best."""
    if aim == "wins":
        return "The best move wins most often."
    if fight.system.costs:
        return f"The best move has the highest {fight.system.costs[-1].name}."
    odds = next(iter(found.values()))
    worth = []
    for ending, value in zip(odds.chances, odds.values, strict=True):
        name = "win" if ending == team else "lose" if ending in odds.teams else ending
        worth.append(f"{name} {value:+d}" if value else f"{name} 0")
    return f"The best move has the highest value: {', '.join(dict.fromkeys(worth))}."


def _move(odds: Odds, team: str) -> dict[str, Any]:
    seen = {ending: float(chance) for ending, chance in odds.for_team(team).items()}
    low, high = odds.interval(team)
    return {
        "chances": {ending: float(chance) for ending, chance in odds.chances.items()},
        **{name: seen.get(name, 0.0) for name in ("win", "lose", "draw")},
        "low": low,
        "high": high,
        "fights": odds.fights,
        "tells": odds.tells,
        "value": float(odds.value),
        "costs": {name: rate._asdict() for name, rate in odds.costs.items()},
        "at_once": {name: float(chance) for name, chance in odds.at_once.items()} if odds.at_once else None,
        "unfinished": odds.unfinished,
    }
