"""Computer fighters that decide by a named tactic, from what they may know and with their own dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from affray.errors import Invalid, unknown
from affray.fight import Fight, Line, Move, Teams
from affray.kernel.chance import Seeded
from affray.system.contract import System
from affray.system.setup import Setup


def usual_tactics(setup: Setup[Any] | Fight, tactics: Mapping[str, str] | None = None) -> dict[str, str]:
    """Every fighter's tactic: the one given for the fighter or its team, otherwise the sheet's own."""
    given = dict(tactics or {})
    team_of = setup.team_of
    for key, tactic in given.items():
        if key not in team_of and key not in team_of.values():
            raise Invalid(unknown("fighter or team", key, [*setup.names, *setup.teams]), given=key)
        if tactic not in setup.system.tactics:
            known = list(setup.system.tactics)
            raise Invalid(unknown("tactic", tactic, known), given=tactic, allowed=known)
    chosen = {}
    for name, sheet in zip(setup.names, setup.sheets, strict=True):
        usual = setup.system.usual_tactic(sheet)
        chosen[name] = given.get(name, given.get(team_of[name], usual))
    return chosen


def numbered(system: System[Any, Any], tactics: Mapping[str, str]) -> tuple[int, ...]:
    """The tactics' places in the system's list, as the rules take them."""
    order = list(system.tactics)
    return tuple(order.index(tactic) for tactic in tactics.values())


def decide(fight: Fight, who: str, tactic: str) -> Move:
    """The move that a tactic chooses. It gets only the fighter's view and the fight's whim: no dice, no secret."""
    index = fight.index(who)
    code = fight.system.tactics[tactic](fight.setup.view(fight.state, index), index, fight.whim)
    return Move(who, fight.system.write_move(fight.setup, fight.state, index, code), code)


def play_on(fight: Fight, tactics: Mapping[str, str]) -> list[Line]:
    """Play a fight to its end, every fighter by its tactic, in the order of compiled play."""
    told = len(fight.lines)
    while not fight.over:
        for name in fight.names:
            if name in fight.to_act:
                fight.play(name, decide(fight, name, tactics[name]))
    return fight.lines[told:]


def replay_simulated(
    system: str | System[Any, Any],
    teams: Teams | str,
    *,
    seed: int,
    number: int,
    tactics: Mapping[str, str] | None = None,
    options: Mapping[str, object] | None = None,
) -> Fight:
    """Fight `number` of a simulation, move by move and with its story."""
    fight = Fight(system, teams, dice=Seeded(seed, number), options=options)
    play_on(fight, usual_tactics(fight, tactics))
    return fight
