"""A storyteller's interventions in a combat: by the world's names, with the consent of the sides where it is needed."""

from __future__ import annotations

from typing import Any

from affray.errors import Forbidden, Illegal
from affray.fight import Fight, asides
from affray.fight.intervening import VERBS, open_to
from affray.system import gauging
from affray.system.schema import cut
from affray.world.combats import consent
from affray.world.combats.combat import Combat
from affray.world.combats.told import Told
from affray.world.store.tables import fold

WORD = "word "
"""What the wish for an intervention begins with, unlike that for an undo."""
LONGEST = 4000


def intervene(combat: Combat, text: str, by: str, decision: int | None = None) -> Told:
    """Carry out an intervention; if `by` fights too, every other side with people has to agree to it first."""
    fight = combat.fought()
    if len(text) > LONGEST:
        raise Illegal(f"an intervention has at most {LONGEST} characters, not {len(text)}", given=cut(text))
    combat.check_room(text)
    check_impartial(combat, by, _verb(text))
    text = in_names_of_fight(combat, text)
    if by in combat.players:
        fight.fork().intervene(text, decision=decision, files=False)  # a wish that cannot be fulfilled is refused
        if waiting := consent.agree_to(combat, _wish(combat, text), by):
            member = combat.roster.of_player(by)
            asking = member.name if member else "The owner"
            return Told(
                news=f"+ {asking} asks to intervene: {text}\n  {' and '.join(waiting)} must agree: combat agree"
            )
    return _carried_out(combat, text, by, decision)


def is_aside(text: str) -> bool:
    """Whether a storyteller's word is one that others do not learn of."""
    return _verb(text) in asides.VERBS


def aside(combat: Combat, text: str, by: str) -> Told:
    """Do something in secret; only the visitor who asked for it is told."""
    fight = combat.fought()
    check_impartial(combat, by, _verb(text))
    if len(text) > LONGEST:
        raise Illegal(f"an aside has at most {LONGEST} characters, not {len(text)}", given=cut(text))
    combat.check_room(text)
    text = in_names_of_fight(combat, text)
    verb, _, rest = text.partition(" ")
    if verb == "veil" and rest in fight.names and (member := combat.seated(rest)).player:
        raise Illegal(f"{member.name} is moved by a player, whose dice are open", given=member.name)
    return Told(reply=fight.aside(text, files=False).told)


def undo_aside(combat: Combat) -> Told | None:
    """Take back the last aside, if no decision has been taken since; None if there is no such one."""
    fight = combat.fight
    if not isinstance(fight, Fight) or not fight.asides or fight.asides[-1].after < fight.closed:
        return None
    return Told(reply=f"Taken back: {fight.undo_aside().text}")


def check_impartial(combat: Combat, by: str, verb: str) -> None:
    """Refuse a storyteller who fights what only one without a side may do or know."""
    if by not in combat.players:
        return
    if verb in ("hide", "reveal", "veil", "unveil"):
        raise Forbidden(f"only a storyteller who does not fight may use {verb}", given=verb)
    if verb not in asides.VERBS and gauging.in_words(combat.fought().options):
        problem = "only a storyteller who does not fight may intervene where foes are seen in words (gauges=words)"
        raise Forbidden(problem, given=verb)


def _verb(text: str) -> str:
    return text.split(maxsplit=1)[0] if text.strip() else ""


def still_to_choose(combat: Combat) -> int:
    """How many of those who are asked, but for one, have not chosen in secret yet.

    With the choices that an intervention drops these are always as many, so that none can be told from the version.
    """
    fight = combat.fought()
    asked = int(fight.state.due | fight.state.sealed).bit_count()
    return max(0, asked - 1 - (len(fight.answers) - combat.closed))


def agree(combat: Combat, by: str) -> Told:
    """Let the side for which an account moves agree to the intervention that was asked for."""
    text = asked_for(combat)
    if text is None:
        raise Illegal("there is no intervention to agree to", given=combat.name)
    if not any(by in accounts for accounts in combat.sides().values()):
        raise Illegal("only players who take part can agree", given=combat.name)
    if waiting := consent.agree_to(combat, _wish(combat, text), by):
        return Told(news=f"+ {' and '.join(waiting)} must still agree: {text}")
    return _carried_out(combat, text, combat.owner, None)


def asked_for(combat: Combat) -> str | None:
    """The intervention that waits for consent."""
    wishes = {member.agrees for member in combat.roster if member.agrees.startswith(WORD)}
    if combat.fight is None or not wishes:
        return None
    behind = f" of {combat.closed}"
    return next(
        (wish.removeprefix(WORD).removesuffix(behind) for wish in sorted(wishes) if wish.endswith(behind)), None
    )


def may_agree(combat: Combat, account: str) -> bool:
    """Whether an intervention waits for the consent of a side for which an account moves."""
    text = asked_for(combat)
    if text is None:
        return False
    wish = _wish(combat, text)
    sides = [team for team, accounts in combat.sides().items() if account in accounts]
    return any(all(member.agrees != wish for member in combat.roster.teams[team]) for team in sides)


def _wish(combat: Combat, text: str) -> str:
    return f"{WORD}{text} of {combat.closed}"


def _carried_out(combat: Combat, text: str, by: str, decision: int | None) -> Told:
    fight, kept = combat.fought(), combat.closed
    lines = fight.intervene(text, decision=decision, files=False)
    combat.movers[kept:] = [by]
    combat.align()
    return combat.told(lines)


def in_names_of_fight(combat: Combat, text: str) -> str:
    """An intervention with the fight's name of a member instead of the world's."""
    verb, _, rest = " ".join(text.split()).partition(" ")
    if verb in ("join", "reveal", "end", "hide", "roll") or verb not in (*VERBS, *asides.VERBS):
        return f"{verb} {rest}".strip()
    if verb == "gather":
        return f"{verb} {_all_in_names_of_fight(combat, rest)}".strip()
    mark = ":" if verb == "note" else " "
    for member in sorted(combat.roster, key=lambda member: -len(member.name)):
        if fold(f"{rest} ").startswith(fold(f"{member.name}{mark}")):
            return f"{verb} {combat.fighter(member)}{mark}{rest[len(member.name) + 1 :]}".strip()
    return f"{verb} {rest}".strip()


def _all_in_names_of_fight(combat: Combat, names: str) -> str:
    """The same of a row of members; what is none of them is left as it is, to be refused."""
    found, rest = list[str](), names
    while rest:
        for member in sorted(combat.roster, key=lambda member: -len(member.name)):
            if fold(f"{rest} ").startswith(fold(f"{member.name} ")):
                found.append(combat.fighter(member))
                rest = rest[len(member.name) :].strip()
                break
        else:
            return " ".join([*found, rest])
    return " ".join(found)


def touchable(combat: Combat) -> dict[str, Any]:
    """All that a storyteller may touch now, by the world's names of the fighters."""
    fight = combat.fought()
    shown, veiled, notes = open_to(fight.setup, fight.state), asides.veiled(fight), asides.notes(fight)
    for one, member in zip(shown["fighters"], combat.roster, strict=True):
        one |= {"veiled": one["name"] in veiled, "notes": notes.get(one["name"], [])}
        one |= {"name": member.name, "by_player": member.player is not None}
    secret = {
        "wings": [{"name": w.name, "team": w.team, "notes": notes.get(w.name, [])} for w in fight.wings.values()],
        "notes": notes.get("", []),
        "rolls": [one.told for one in fight.asides if one.verb == "roll"],
        "can_undo_aside": bool(fight.asides) and fight.asides[-1].after == fight.closed,
    }
    forms = [*VERBS.values(), *asides.VERBS.values()]
    return shown | secret | {"forms": forms, "decision": fight.decision, "asked_for": asked_for(combat)}
