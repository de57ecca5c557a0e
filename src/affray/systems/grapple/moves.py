"""The notation of a combat: what a person types, and the move it means."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from affray.errors import Illegal, Invalid, listing, unknown
from affray.system.contract import Impossible
from affray.system.schema import cut
from affray.system.setup import Setup
from affray.systems.grapple import rules
from affray.systems.grapple.rules import Combat, Fighter, breaks_limit, can_target, is_directed, is_out
from affray.systems.grapple.sheets import ABBREVIATIONS, SKILLS, Sheet, skill_called

VERBS = {
    "maneuver": rules.MANEUVER,
    "m": rules.MANEUVER,
    "strike": rules.STRIKE,
    "attack": rules.STRIKE,
    "a": rules.STRIKE,
    "skill": rules.SKILL,
    "s": rules.SKILL,
    "catch": rules.CATCH,
    "c": rules.CATCH,
}
FORMS = {
    rules.MANEUVER: "maneuver <AD> <skill>",
    rules.STRIKE: "strike <SD> <target>",
    rules.SKILL: "skill <SD> <skill> [<target>]",
    rules.CATCH: "catch breath",
}


def write_move(setup: Setup[Sheet], fight: Combat, who: int, move: int) -> str:
    """A move as text."""
    verb, spent, target = move & 3, move >> 2 & 7, move >> 7
    if verb == rules.CATCH:
        return "catch breath"
    if verb == rules.STRIKE:
        return f"strike {spent} {setup.names[target]}"
    skill = fight.fighters[who].skills[move >> 5 & 3]
    if verb == rules.MANEUVER:
        return f"maneuver {spent} {ABBREVIATIONS[skill]}"
    whom = f" {setup.names[target]}" if is_directed(fight, skill) else ""
    return f"skill {spent} {ABBREVIATIONS[skill]}{whom}"


def read_move(setup: Setup[Sheet], fight: Combat, who: int, text: str, written: Mapping[str, int]) -> int:
    """The move a text means, if it is legal now; otherwise a sentence.

    What is wrong is looked for in a fixed order: the number of words, the skill, the target, whole numbers, their
    range, and what the fighter holds.
    """
    words = text.split()
    if not words:
        raise Illegal("no move was given", given=text, allowed=list(FORMS.values()))
    verb = VERBS.get(words[0] if setup.options["words"] == "exact" else words[0].lower())
    if verb is None:
        raise Illegal(unknown("move", words[0], VERBS), given=text, allowed=list(FORMS.values()))
    if verb == rules.CATCH:
        return _catch(words, bool(setup.options["catch_words"]))
    if verb == rules.MANEUVER:
        return _maneuver(fight, who, words)
    if verb == rules.STRIKE:
        return _strike(setup, fight, who, words)
    return _skill_action(setup, fight, who, words)


def _catch(words: Sequence[str], any_follow: bool) -> int:
    if not any_follow and [word.lower() for word in words[1:]] not in ([], ["breath"]):
        raise _form(rules.CATCH, words)
    return rules.CATCH


def _maneuver(fight: Combat, who: int, words: Sequence[str]) -> int:
    if len(words) != 3:
        raise _form(rules.MANEUVER, words)
    fighter = fight.fighters[who]
    skill = _skill(words[2])
    spent = _dice(words[1], "AD", 1, fight.maneuver_max, "a maneuver")
    slot = _slot(fighter, skill)
    _check_held(spent, "AD", fighter.ad)
    return rules.maneuver_with(slot, spent)


def _strike(setup: Setup[Sheet], fight: Combat, who: int, words: Sequence[str]) -> int:
    if len(words) != 3:
        raise _form(rules.STRIKE, words)
    target = _target(setup, fight, who, words[2])
    spent = _dice(words[1], "SD", 1, rules.MOST_STRIKE_DICE, "a strike")
    _check_held(spent, "SD", fight.fighters[who].sd)
    return rules.strike_at(target, spent)


def _skill_action(setup: Setup[Sheet], fight: Combat, who: int, words: Sequence[str]) -> int:
    if len(words) not in (3, 4):
        raise _form(rules.SKILL, words)
    fighter = fight.fighters[who]
    skill = _skill(words[2])
    title = SKILLS[ABBREVIATIONS[skill]]
    if not is_directed(fight, skill):
        if len(words) == 4:
            raise Illegal(f"{title} is for its user and takes no target; {cut(words[3])!r} was given", given=words[3])
        target = who
    elif len(words) == 3:
        raise Illegal(f"{title} needs a target: {listing(targets(setup, fight, who))}", given=" ".join(words))
    else:
        target = _target(setup, fight, who, words[3])
    spent = _dice(words[1], "SD", 0, rules.MOST_STRIKE_DICE, "a skill action")
    slot = _slot(fighter, skill)
    _check_held(spent, "SD", fighter.sd)
    if breaks_limit(skill, fight.fighters[target]):
        raise Illegal(_limit(skill, fight.fighters[target], setup.names[target]), given=" ".join(words))
    return rules.skill_on(slot, target, spent)


def _form(verb: int, words: Sequence[str]) -> Illegal:
    problem = f"this move is written  {FORMS[verb]} , and {cut(' '.join(words))!r} was given"
    return Illegal(problem, given=" ".join(words), allowed=[FORMS[verb]])


def _skill(word: str) -> int:
    try:
        return ABBREVIATIONS.index(skill_called(word))
    except Invalid as problem:
        raise Illegal(str(problem), given=word, allowed=problem.allowed) from None


def _slot(fighter: Fighter, skill: int) -> int:
    if skill not in fighter.skills:
        held = [_titled(own) for own in fighter.skills if own != rules.EMPTY]
        raise Illegal(
            f"{_titled(skill)} is not among this fighter's skills: {listing(held)}", given=skill, allowed=held
        )
    return list(fighter.skills).index(skill)


def _titled(skill: int) -> str:
    return f"{SKILLS[ABBREVIATIONS[skill]]} ({ABBREVIATIONS[skill]})"


def _dice(word: str, what: str, low: int, high: int, move: str) -> int:
    if not re.fullmatch(r"[+-]?[0-9]{1,9}", word):
        raise Illegal(f"{cut(word)!r} is not a whole number; {move} takes {low} to {high} {what}", given=word)
    if not low <= int(word) <= high:
        raise Illegal(f"{move} takes {low} to {high} {what}, not {word}", given=word, allowed=[f"{low} to {high}"])
    return int(word)


def _check_held(spent: int, what: str, held: int) -> None:
    if spent > held:
        raise Illegal(f"{spent} {what} cannot be spent: there are only {held}", given=spent, allowed=[f"up to {held}"])


def find_name(name: str, names: Sequence[str], exact: bool) -> int:
    """The place of a name; -1 if no fighter has it. An exact match has priority if case does not matter."""
    if name in names:
        return names.index(name)
    folded = [known.casefold() for known in names]
    return folded.index(name.casefold()) if not exact and name.casefold() in folded else -1


def targets(setup: Setup[Sheet], fight: Combat, who: int) -> list[str]:
    """Whom a fighter may strike or direct a skill action at."""
    return [name for target, name in enumerate(setup.names) if can_target(fight, who, target)]


def _target(setup: Setup[Sheet], fight: Combat, who: int, name: str) -> int:
    allowed = targets(setup, fight, who)
    target = find_name(name, setup.names, setup.options["names"] == "exact")
    if target < 0:
        raise Illegal(unknown("target", name, allowed), given=name, allowed=allowed)
    if target == who:
        raise Illegal(f"{setup.names[who]} cannot be their own target", given=name, allowed=allowed)
    if not can_target(fight, who, target):
        problem = f"{setup.names[target]} is on the same team, and friends are no targets here"
        raise Illegal(problem, given=name, allowed=allowed)
    return target


def _limit(skill: int, recipient: Fighter, name: str) -> str:
    reason = {
        "ac": f"defense is {recipient.defense} and cannot fall further",
        "en": f"defense is {recipient.defense} and cannot rise further",
        "sy": f"the AP size is {recipient.ap}, and 20 is the largest",
        "sp": "the extra maneuver die is there already",
        "sr": "the extra strike die is there already",
    }[ABBREVIATIONS[skill]]
    return f"{_titled(skill)} would do nothing for {name}: {reason}"


def not_due(setup: Setup[Sheet], fight: Combat, who: int) -> str:
    """Why a fighter cannot move now."""
    fighter = fight.fighters[who]
    if fighter.team != fight.order[fight.place]:
        return "it is another team's turn to move"
    if is_out(fighter):
        return "a fighter who is knocked out cannot move"
    return "each member of a team moves once a round, and this one has moved or just stood up"


def impossible(setup: Setup[Sheet], fight: Combat, who: int) -> list[Impossible]:
    """What is not open to a fighter now, and why: kinds of moves, and skills at their limits."""
    able = setup.codes(fight, who)
    if not able:
        return [Impossible(form, not_due(setup, fight, who)) for form in FORMS.values()]
    found = []
    fighter = fight.fighters[who]
    verbs = {move & 3 for move in able}
    if rules.MANEUVER not in verbs:
        found.append(Impossible(FORMS[rules.MANEUVER], "no AD left: catching breath brings 3"))
    if rules.STRIKE not in verbs:
        found.append(Impossible(FORMS[rules.STRIKE], "no SD: a maneuver earns them"))
    for slot, skill in enumerate(fighter.skills):
        if skill == rules.EMPTY or any(move & 3 == rules.SKILL and move >> 5 & 3 == slot for move in able):
            continue
        found.append(Impossible(f"skill <SD> {ABBREVIATIONS[skill]}", _why_not(setup, fight, who, skill)))
    return found


def _why_not(setup: Setup[Sheet], fight: Combat, who: int, skill: int) -> str:
    if fight.fighters[who].sd < 0:
        return f"{fight.fighters[who].sd} SD: not even 0 can be spent"
    if not is_directed(fight, skill):
        return _limit(skill, fight.fighters[who], setup.names[who])
    reached = [target for target in range(len(setup.names)) if can_target(fight, who, target)]
    return "; ".join(_limit(skill, fight.fighters[target], setup.names[target]) for target in reached[:3])
