"""The odds of a fighter's moves: as text for a terminal, and as plain values for a page."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from affray.errors import Refused
from affray.fight import Fight
from affray.players.tactics import usual_tactics

if TYPE_CHECKING:
    from affray.lab.odds import Odds

SHOWN = 10
UNCOMPILED = 2.0  # seconds of play-outs by interpreted rules, which are slow
WIDTH = 80
LONGEST_MOVE = 40
"""Moves that are longer have a line of their own above their odds."""


def odds_text(fight: Fight, fighter: str, team: str) -> str:
    """The moves of a fighter with their odds, the best first."""
    from affray.lab import warm_up

    warm_up(fight.setup, fight.state)
    name = fight.system.as_table(fight.sheets[fight.index(fighter)])["name"]
    heading = f"How {name}'s moves are likely to end for {team}:"
    try:
        return "\n".join([heading, *(_costs(fight, fighter) if fight.system.costs else _odds(fight, fighter, team))])
    except Refused as problem:
        return str(problem)


def _costs(fight: Fight, fighter: str) -> list[str]:
    """What is at stake, and what the moves cost: the best of each kind where they are many."""
    from affray.lab import costs
    from affray.lab.bars import Screen

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


def _found(fight: Fight, fighter: str, tactics: Mapping[str, str] | None = None) -> dict[str, Odds]:
    """The odds of a fighter's moves, with their costs: by native code if it is ready, else as many as can be had."""
    from affray.lab import costs, native_ready
    from affray.lab.figures import TOO_FEW
    from affray.lab.odds import odds_of_moves

    is_native = native_ready(fight.setup)
    if not fight.system.costs:
        return fight.odds(fighter, play="tactics", tactics=tactics, seconds=None if is_native else UNCOMPILED)
    if is_native:
        return odds_of_moves(fight.setup, fight.state, fighter, tactics=tactics, least=TOO_FEW)
    return costs.first_look(fight.setup, fight.state, fighter, tactics)


def _more(moves: int) -> str:
    return f"; {moves} more move{'s' * (moves != 1)}" if moves else ""


def _odds(fight: Fight, fighter: str, team: str) -> list[str]:
    """The best moves, a line each, and how their odds were found."""
    found = _found(fight, fighter)
    best = dict(sorted(found.items(), key=lambda item: -item[1].at_least)[:SHOWN])
    rest = [f"and {len(found) - SHOWN} more moves"] if len(found) > SHOWN else []
    return [*_rows(best, team), *rest, f"({_how(best)})"]


def _rows(found: Mapping[str, Odds], team: str) -> list[str]:
    """A line for each move: the chances to win and to lose, and how sure the first is, in 80 columns."""
    wide = min(LONGEST_MOVE, max(map(len, found)))
    sampled = any(odds.fights for odds in found.values())
    lines = [f"{'':{wide}} {'win':>6} {'lose':>6}" + "  95 % interval" * sampled]
    for move, odds in found.items():
        seen, (low, high) = odds.for_team(team), odds.interval(team)
        between = f"  {f'{low:.1%} to {high:.1%}':14}" if odds.fights else ""
        label = move if len(move) <= wide else ""
        lines += [] if label else [move]
        line = f"{label:{wide}} {float(seen['win']):6.1%} {float(seen['lose']):6.1%}{between}"
        bar = "#" * round(min(20, max(0, WIDTH - len(line) - 2)) * float(seen["win"]))
        lines.append(f"{line}  {bar}".rstrip())
    return lines


def _how(found: Mapping[str, Odds]) -> str:
    """How the odds were found; the better moves are played out more often than the others."""
    fewest = min(found.values(), key=lambda odds: odds.fights or 0)
    return fewest.how if len({odds.how for odds in found.values()}) == 1 else f"at least {fewest.how} each"


def odds_table(fight: Fight, fighter: str, tactics: Mapping[str, str]) -> dict[str, Any]:
    """The odds of a fighter's moves for a page to draw, as plain JSON values."""
    from affray.lab import warm_up

    warm_up(fight.setup, fight.state)
    team = fight.team_of[fighter]
    found = _found(fight, fighter, tactics)
    return {
        "team": team,
        "moves": {move: _move(odds, team) for move, odds in found.items()},
        "how": _how(found),
        "best": max(found, key=lambda move: found[move].at_least),
        "at_stake": fight.at_stake.get(fighter),
        "costs": [
            {"name": c.name, "is_chance": c.is_chance, "sign": c.sign, "meaning": c.meaning} for c in fight.system.costs
        ],
    }


def _move(odds: Odds, team: str) -> dict[str, Any]:
    seen = {ending: float(chance) for ending, chance in odds.for_team(team).items()}
    low, high = odds.interval(team)
    return {
        "chances": {ending: float(chance) for ending, chance in odds.chances.items()},
        **{name: seen.get(name, 0.0) for name in ("win", "lose", "draw")},
        "low": low,
        "high": high,
        "value": float(odds.value),
        "costs": {name: rate._asdict() for name, rate in odds.costs.items()},
        "at_once": {name: float(chance) for name, chance in odds.at_once.items()} if odds.at_once else None,
    }
