"""Ends that people make of a combat before its rules do, and moves for players who are out of time."""

from __future__ import annotations

from affray.errors import Illegal
from affray.fight.concluding import conclude
from affray.world.combats import games
from affray.world.combats.combat import AUTO, Combat
from affray.world.combats.roster import Member
from affray.world.combats.told import Told


def check_open_to_people(combat: Combat) -> None:
    """Refuse to conclude a combat that is over, or that no two teams could decide."""
    if combat.fought().over:
        raise Illegal(f"the fight is over: {combat.fought().ending}", given=combat.name)
    if len(combat.roster.teams) != 2:
        problem = f"{combat.name} has {len(combat.roster.teams)} teams; only two can agree on an end"
        raise Illegal(problem, given=combat.name)


def not_wishing(combat: Combat, wish: str) -> list[str]:
    """The teams that people move of which no one has this wish; an owner who fights also speaks for NPCs."""
    wishing = {member.player for member in combat.roster if member.wishes == wish}
    return [team for team, accounts in combat.sides().items() if not accounts & wishing]


def concluded(combat: Combat, reason: str, member: Member) -> Told:
    """End the fight for a reason that its rules do not know: `member` resigned, or is out of time, or agreed."""
    team = "" if reason == "agreed" else combat.roster.team_of(member)
    ending = next(other for other in combat.roster.teams if other != team) if team else "draw"
    done = conclude(combat.fought(), reason, ending, team)
    combat.forget_found()
    for one in combat.roster:
        one.wishes = ""
    result = f"{ending} win" if team else "it is a draw"
    return Told(news=f"+ {done.text[:1].upper()}{done.text[1:]}: {result}", status="\n\n")


def move_late(combat: Combat, member: Member, tactic: str) -> Told:
    """Let a tactic move for a player whose time for this move is up."""
    fight = combat.fought()
    told = len(fight.lines)
    games.play_by(fight, combat.fighter(member), tactic)
    combat.note_mover(AUTO)
    late = f"* The time of {member.name} is up; the move was made by tactic: {tactic}"
    return combat.told(fight.lines[told:], late)
