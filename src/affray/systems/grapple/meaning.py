"""What each move of a combat means: how many dice are thrown for it, and what successes bring."""

from __future__ import annotations

from affray.kernel import records
from affray.system.meaning import Meaning
from affray.system.setup import Setup
from affray.systems.grapple import rules
from affray.systems.grapple.rules import Combat, Fighter, is_directed
from affray.systems.grapple.sheets import ABBREVIATIONS, SKILLS, Sheet

STATS = {
    "ac": "DEF",
    "co": "AD",
    "en": "DEF",
    "in": "AD",
    "ld": "AD",
    "md": "wounds",
    "sp": "extra maneuver dice",
    "sr": "extra strike dice",
    "sy": "AP",
    "tc": "SD",
    "tt": "SD",
    "tr": "SD",
}
"""The stat that each skill changes."""


def explain(setup: Setup[Sheet], fight: Combat, who: int, move: int) -> Meaning:
    """A move in plain words."""
    verb, spent, target = move & 3, move >> 2 & 7, move >> 7
    fighter = fight.fighters[who]
    if verb == rules.CATCH:
        back = min(fighter.pool, fighter.ad + rules.BREATH) - fighter.ad
        return Meaning("Catch breath", f"No roll: {back} AD come back, and the turn is over.")
    count = _dice(fighter, move)
    dice = f"Roll {count}d6, {rules.SUCCESS}+ succeeds." if count else "No dice."
    if verb == rules.STRIKE:
        defense = fight.fighters[target].defense
        least = defense if rules.beats(fight, defense, defense) else defense + 1
        if count < least:
            return Meaning("Strike", f"{dice} It cannot hit: that takes {least}.", target, f"{spent} SD")
        lost = f"A hit costs {spent} SD and wounds {setup.told_as(target)} once for every {defense}; a miss is free."
        return Meaning("Strike", f"{dice} {least} or more hit. {lost}", target, f"{spent} SD")
    skill = fighter.skills[move >> 5 & 3]
    title = SKILLS[ABBREVIATIONS[skill]]
    if verb == rules.MANEUVER:
        gains = f"Each gives 1 SD, at most {rules.MOST_EARNED}, and marks {title}. It costs {spent} AD unless all fail."
        return Meaning(f"Maneuver: {title}", f"{dice} {gains}", None, f"{spent} AD")
    return _skill(setup, fight, move, skill, count, dice)


def _dice(fighter: Fighter, move: int) -> int:
    verb, spent, slot = move & 3, move >> 2 & 7, move >> 5 & 3
    if verb == rules.MANEUVER:
        return rules.maneuver_dice(fighter, slot, spent)
    return rules.strike_dice(fighter, spent) if verb == rules.STRIKE else max(0, rules.action_dice(slot, spent))


def _skill(setup: Setup[Sheet], fight: Combat, move: int, skill: int, count: int, dice: str) -> Meaning:
    spent, target, directed = move >> 2 & 7, move >> 7, is_directed(fight, skill)
    difficulty = rules.DIFFICULTY[skill]
    least = difficulty if rules.beats(fight, difficulty, difficulty) else difficulty + 1
    now = rules.take_effect(fight, skill, records.copy(fight.fighters[target]))
    whose = f"{setup.told_as(target)}'s" if directed else "your"
    word = ABBREVIATIONS[skill]
    effect = f"With {least} or more, {whose} {STATS[word]} become{'s' * (STATS[word] in ('DEF', 'AP'))} {now}"
    if count < least:
        effect = f"It cannot succeed: that takes {least}"
        return Meaning(SKILLS[word], f"{dice} {effect}.", target if directed else None, f"{spent} SD")
    text = f"{dice} {effect}, which costs {spent} SD; else nothing changes."
    return Meaning(SKILLS[word], text, target if directed else None, f"{spent} SD")
