"""What the story calls a fighter, and the state of an encounter as a small table."""

from __future__ import annotations

from textwrap import wrap

from affray.kernel.state import STANDING
from affray.system.pictures import Gauge
from affray.system.schema import slug
from affray.system.setup import Setup
from affray.system.status import WIDTH, bar, name_column, named_row
from affray.systems.bgo.abilities import BEWILDER, DRENCH, NUL, QUAKE, TYPES, UNTYPED, WEAK, signed, typed
from affray.systems.bgo.rules import DEAD, Encounter, Fighter
from affray.systems.bgo.sheets import Sheet

LONGEST_NAME = 24  # of names written before the Health


def told_as(setup: Setup[Sheet], who: int) -> str:
    """How the story names a fighter: "the fire slime", or the name alone for a person."""
    sheet = setup.sheets[who]
    number = setup.names[who].removeprefix(slug(sheet.name) or sheet.id).replace("-", " ")
    common = slug(sheet.name) == sheet.id
    return (f"the {sheet.name.lower()}" if common else sheet.name) + number


def status(setup: Setup[Sheet], fight: Encounter) -> str:
    """The state as a table that fits 80 columns."""
    wide = name_column(setup.names, LONGEST_NAME)
    lines = [f"Round {fight.round}", f"{'':{wide}}  Health             Att Def  Damage"]
    for fighter, name in zip(fight.fighters, setup.names, strict=True):
        health = f"{bar(fighter.health, fighter.max_health)} {fighter.health:>3}/{fighter.max_health:<3}"
        *above, row = named_row(name, wide, f"{health} {fighter.attack:>+3} {fighter.defense:>+3}  ")
        lines += [*above, *_folded(damage_text(fighter), row)]
        lines += _folded(", ".join(conditions(fighter)), " " * (wide + 2))
    return "\n".join(lines)


def _folded(text: str, before: str) -> list[str]:
    """The text behind what stands before it, folded at the width of a terminal."""
    return wrap(text, WIDTH, initial_indent=before, subsequent_indent=" " * len(before), break_on_hyphens=False)


def damage_text(fighter: Fighter) -> str:
    """A fighter's damage by type: "2 ▲ fire", "2 † physical + 3 ▲ fire"."""
    places = range(fighter.components)
    return (
        " + ".join(f"{fighter.damage[p]} {typed(TYPES[fighter.kinds[p]])}" for p in places if fighter.damage[p])
        or "none"
    )


def conditions(fighter: Fighter) -> list[str]:
    """What holds for a fighter beyond its numbers."""
    notes = []
    if fighter.state != STANDING:
        notes.append("dead" if fighter.state == DEAD else "fled")
    if fighter.poised:
        notes.append("poised (+Attack)")
    if fighter.burning:
        notes.append("burning")
    for bit, note in ((DRENCH, "drenched"), (QUAKE, "shaken"), (BEWILDER, "bewildered")):
        if fighter.afflicted & bit:
            notes.append(note)
    return notes + abilities(fighter)


def abilities(fighter: Fighter) -> list[str]:
    """A fighter's abilities that still count."""
    spent = {name for name, left in (("ward", fighter.ward), ("undying", fighter.undying)) if not left}
    names = [flag for bit, flag in enumerate(UNTYPED) if fighter.abilities >> bit & 1 and flag not in spent]
    for kind, type_ in enumerate(TYPES):
        if fighter.abilities >> (NUL + kind) & 1:
            names.append(signed(f"nul-{type_}"))
        if fighter.abilities >> (WEAK + kind) & 1:
            names.append(signed(f"weak-{type_}"))
        if fighter.resist[kind]:
            names.append(f"{signed(f'resist-{type_}')} {fighter.resist[kind]}")
        if fighter.thorns[kind]:
            names.append(f"{signed(f'thorns-{type_}')} {fighter.thorns[kind]}")
    if fighter.regenerate:
        names.append(f"regenerate {fighter.regenerate}")
    if fighter.enrage:
        names.append(f"enrage {fighter.enrage}")
    return names


def gauges(setup: Setup[Sheet], fight: Encounter, who: int) -> list[Gauge]:
    """What a picture draws of a fighter."""
    return [Gauge("Health", fight.fighters[who].health, fight.fighters[who].max_health)]
