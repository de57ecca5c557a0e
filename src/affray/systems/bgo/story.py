"""Events of an encounter as sentences, and its state as a small table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap

from affray.kernel import records
from affray.kernel.rules import Event, Kind
from affray.kernel.status import name_column, named_row
from affray.kernel.system import Gauge
from affray.schema import slug
from affray.systems.bgo import rules
from affray.systems.bgo.rules import TYPES, Encounter, Fighter
from affray.systems.bgo.sheets import Sheet

Called = Callable[[int], str]
WIDTH = 80
LONGEST_NAME = 24  # that stands before the Health

RIDERS = {
    rules.IGNITE: "is burning",
    rules.DRENCH: "is drenched and attacks at -1 next round",
    rules.QUAKE: "is shaken and defends at -1 next round",
    rules.GUST: "is blown off balance and loses any poise",
    rules.BEWILDER: "is bewildered and may not defend next round",
}


def called(sheet: Sheet, name: str) -> str:
    """How the story names a fighter: "the fire slime", or the name alone where it is a person's."""
    number = name.removeprefix(slug(sheet.name) or sheet.id).replace("-", " ")
    common = slug(sheet.name) == sheet.id
    return (f"the {sheet.name.lower()}" if common else sheet.name) + number


def tell(event: Event, fight: Encounter, sheets: Sequence[Sheet], names: Sequence[str], teams: Sequence[str]) -> str:
    """One event as a sentence."""

    def name(who: int) -> str:
        return called(sheets[who], names[who])

    sentence = _SENTENCES[event.kind](event, name, fight)
    opening = 1 + sentence.startswith("(")
    return sentence[:opening].upper() + sentence[opening:]


def _rolls(event: Event, name: Called, fight: Encounter) -> str:
    faces = event.fell[0] if event.fell else ()
    roll = f" (roll: {', '.join(str(face) for face in faces)}; needs {event.needed})" if faces else ""
    return f"{name(event.who)}'s attack {'hits' if event.hits else 'misses'}{roll}."


def _afflicts(event: Event, name: Called, fight: Encounter) -> str:
    effects = [text for bit, text in RIDERS.items() if event.rider & bit]
    return f"{name(event.who)} {' and '.join(effects)}."


def _ends(event: Event, name: Called, fight: Encounter) -> str:
    if event.ending < fight.teams:
        winners = [who for who, fighter in enumerate(fight.fighters) if fighter.team == event.ending]
        standing = [who for who in winners if fight.fighters[who].state == rules.STANDING]
        return f"victory for {' and '.join(name(who) for who in standing)}!"
    if event.ending == fight.teams:
        return "nobody is left standing: a draw."
    return "the encounter ends without a victor."


_SENTENCES: Mapping[Kind, Callable[[Event, Called, Encounter], str]] = {
    rules.ROUND: lambda e, name, fight: f"battle round {e.number}.",
    rules.ATTACKS: lambda e, name, fight: f"{name(e.who)} attacks{_whom(e, name, fight)}.",
    rules.DEFENDS: lambda e, name, fight: f"{name(e.who)} defends.",
    rules.FLEES: lambda e, name, fight: f"{name(e.who)} turns to flee.",
    rules.ROLLS: _rolls,
    rules.PARTS: lambda e, name, fight: f"{name(e.who)} lets {name(e.target)} go.",
    rules.WARDED: lambda e, name, fight: f"{name(e.target)}'s ward swallows the hit.",
    rules.CANCELED: lambda e, name, fight: f"({name(e.who)}'s attack is canceled by {name(e.by)}'s first strike.)",
    rules.CHANGED: lambda e, name, fight: f"{name(e.who)} turns {e.before} {TYPES[e.type]} damage into {e.after}.",
    rules.DEALS: lambda e, name, fight: f"{name(e.who)} deals {e.amount} damage to {name(e.target)}.",
    rules.PRICKS: lambda e, name, fight: f"{name(e.who)}'s thorns deal {e.amount} damage to {name(e.target)}.",
    rules.RISES: lambda e, name, fight: f"{name(e.who)} should be dead, and stands up with 1 Health.",
    rules.DRAINS: lambda e, name, fight: f"{name(e.who)} drains {e.amount} Health.",
    rules.DOUSES: lambda e, name, fight: f"{name(e.who)} beats out the flames.",
    rules.BURNS: lambda e, name, fight: f"{name(e.who)} burns for 1 damage.",
    rules.REGENERATES: lambda e, name, fight: f"{name(e.who)} regenerates {e.amount} Health.",
    rules.DIES: lambda e, name, fight: f"{name(e.who)} dies.",
    rules.ESCAPES: lambda e, name, fight: f"{name(e.who)} gets away.",
    rules.AFFLICTS: _afflicts,
    rules.STALLED: lambda e, name, fight: f"after {e.rounds} rounds everybody has had enough.",
    rules.ENDS: _ends,
}


def _whom(event: Event, name: Called, fight: Encounter) -> str:
    """The target, named only where there is a choice of targets."""
    return f" {name(event.target)}" if len(fight.fighters) > 2 else ""


def status(fight: Encounter, sheets: Sequence[Sheet], names: Sequence[str], teams: Sequence[str]) -> str:
    """The state as a table that fits 80 columns."""
    wide = name_column(names, LONGEST_NAME)
    lines = [f"Round {fight.round}", f"{'':{wide}}  Health             Att Def  Damage"]
    for fighter, name in zip(fight.fighters, names, strict=True):
        bar = _bar(fighter.health, fighter.max_health)
        health = f"{bar} {fighter.health:>3}/{fighter.max_health:<3}"
        *above, row = named_row(name, wide, f"{health} {fighter.attack:>+3} {fighter.defense:>+3}  ")
        lines += [*above, *_folded(damage_text(fighter), row)]
        lines += _folded(", ".join(conditions(fighter)), " " * (wide + 2))
    return "\n".join(lines)


def _folded(text: str, before: str) -> list[str]:
    """The text behind what stands before it, folded at the width of a terminal."""
    return wrap(text, WIDTH, initial_indent=before, subsequent_indent=" " * len(before), break_on_hyphens=False)


def _bar(value: int, most: int, width: int = 10) -> str:
    filled = -(-value * width // most)
    return "#" * filled + "." * (width - filled)


def damage_text(fighter: Fighter) -> str:
    """A fighter's damage by type: "2 fire", "2 physical + 3 fire"."""
    places = range(fighter.components)
    return " + ".join(f"{fighter.damage[p]} {TYPES[fighter.kinds[p]]}" for p in places if fighter.damage[p]) or "none"


def conditions(fighter: Fighter) -> list[str]:
    """What holds for a fighter beyond its numbers."""
    notes = []
    if fighter.state != rules.STANDING:
        notes.append("dead" if fighter.state == rules.DEAD else "fled")
    if fighter.poised:
        notes.append("poised (+Attack)")
    if fighter.burning:
        notes.append("burning")
    for bit, note in ((rules.DRENCH, "drenched"), (rules.QUAKE, "shaken"), (rules.BEWILDER, "bewildered")):
        if fighter.afflicted & bit:
            notes.append(note)
    return notes + abilities(fighter)


def abilities(fighter: Fighter) -> list[str]:
    """A fighter's abilities that still count."""
    spent = {name for name, left in (("ward", fighter.ward), ("undying", fighter.undying)) if not left}
    names = [flag for bit, flag in enumerate(rules.FLAGS) if fighter.abilities >> bit & 1 and flag not in spent]
    for kind, type_ in enumerate(TYPES):
        if fighter.abilities >> (rules.NUL + kind) & 1:
            names.append(f"nul-{type_}")
        if fighter.abilities >> (rules.WEAK + kind) & 1:
            names.append(f"weak-{type_}")
        if fighter.resist[kind]:
            names.append(f"resist-{type_} {fighter.resist[kind]}")
        if fighter.thorns[kind]:
            names.append(f"thorns-{type_} {fighter.thorns[kind]}")
    if fighter.regenerate:
        names.append(f"regenerate {fighter.regenerate}")
    if fighter.enrage:
        names.append(f"enrage {fighter.enrage}")
    return names


def gauges(fight: Encounter, who: int) -> list[Gauge]:
    """What a picture draws of a fighter."""
    return [Gauge("Health", fight.fighters[who].health, fight.fighters[who].max_health)]


def cut(fight: Encounter, viewer: int | None) -> Encounter:
    """The encounter as a viewer may know it: no choice that is not the viewer's own, nor who has chosen."""
    seen = records.copy(fight)
    for who, fighter in enumerate(seen.fighters):
        if who != viewer:
            fighter.choice = 0
            fighter.target = 0
            if fight.ending == rules.RUNNING and fighter.state == rules.STANDING:
                seen.due |= 1 << who
    return seen
