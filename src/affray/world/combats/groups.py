"""Groups of like NPCs that act together: one answer of their storyteller counts for each of them in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray.errors import Illegal
from affray.fight import Fight
from affray.system.storytelling import gathered
from affray.world.combats import games
from affray.world.combats.roster import Member

if TYPE_CHECKING:
    from affray.world.combats.combat import Combat
    from affray.world.combats.told import Told


def form(combat: Combat, name: str, members: list[Member]) -> None:
    """Let NPCs of one team act together from now on; each is in one group at most."""
    played = [one.name for one in members if one.player is not None]
    if played:
        raise Illegal(f"{' and '.join(played)} cannot act in a group: that is for NPCs", given=name)
    teams = {combat.roster.team_of(one) for one in members}
    if len(teams) > 1:
        raise Illegal(f"a group is on one team, not on {' and '.join(sorted(teams))}", given=name)
    for member in members:
        member.group, member.order = name, []


def gather(combat: Combat) -> int:
    """Give groups that were formed before the start one place in the order of fighters, once the rules have one.

    The group acts where its first member does. Returns how many words in the log that took.
    """
    fight, words = combat.fight, 0
    if not isinstance(fight, Fight) or fight.over:
        return words
    for name in dict.fromkeys(one.group for one in combat.members if one.gathers):
        members = [one for one in combat.members if one.gathers and one.group == name]
        names = [combat.fighter(one) for one in members]
        try:
            order = gathered(fight.state, [fight.index(one) for one in names])
        except Illegal:  # not yet
            continue
        for one in members:
            one.gathers, combat.orders_changed = False, True
        if order != list(fight.state.order):
            fight.intervene(f"gather {' '.join(names)}", files=False)
            words += 1
    return words


def move(combat: Combat, member: Member, words: str, by: str, decision: int | None) -> tuple[Told, int]:
    """Make a move for a member of a group; the others make it too when they are asked the same in this round.

    Returns what is told, and how many choices beyond the first are secret still.
    """
    fight = combat.fought()
    if not member.group or member.player is not None:
        raise Illegal(f"{member.name} is in no group", given=member.name)
    question, round, lines, before = _asked(combat, member), fight.round, len(fight.lines), len(fight.answers)
    told = combat.move(member, words, by, decision)
    answer = fight.answers[before]
    for other in combat.roster.teams[combat.roster.team_of(member)]:
        is_alike = other.group == member.group and other.player is None and not other.tactic
        if other is not member and is_alike:
            other.order = [answer.move, round, question, by]
    while (ordered := next((one for one in combat.awaited() if is_ordered(combat, one)), None)) and not combat.is_full:
        combat.obey(ordered)
    secret = sum(one.decision == fight.decision for one in fight.answers[before:])
    if happened := fight.lines[lines:]:
        told = combat.told(happened)
    return told, max(0, secret - 1)


def is_ordered(combat: Combat, member: Member) -> bool:
    """Whether a member has to move, and does so as its group was told."""
    fight = combat.fight
    if not member.order or member.player is not None or not isinstance(fight, Fight):
        return False
    words, round, question, _ = member.order
    if fight.round != round or _asked(combat, member) != question:
        return False
    return words in games.moves(fight, combat.fighter(member))[0]


def _asked(combat: Combat, member: Member) -> str:
    """What a member is asked, whatever its name."""
    names = [one.name for one in combat.members]
    return games.question(combat.running(), names).replace(member.name, "*")
