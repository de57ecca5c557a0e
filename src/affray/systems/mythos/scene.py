"""A fighter as the table sees it, with HP, Luck, weapons and ammunition, and the dice that fell."""

from __future__ import annotations

from collections.abc import Sequence

from affray.kernel.chance import read_percent
from affray.kernel.rules import Event
from affray.kernel.system import Thrown, Widget
from affray.systems.mythos import rules
from affray.systems.mythos.derived import bonus_text
from affray.systems.mythos.moves import weapon_name
from affray.systems.mythos.rules import HANDS, SLOTS, STANDING, Fight, Fighter
from affray.systems.mythos.sheets import Sheet, rounds_loaded
from affray.systems.mythos.story import LEVELS, WHAT, conditions, damage_text
from affray.systems.mythos.weapons import GUN, KIND, MAGAZINE, THROWN

PERCENT = (rules.FOR_ATTACK, rules.FOR_DODGE, rules.FOR_FIGHT_BACK, rules.FOR_CON)


def scene(fight: Fight, sheets: Sequence[Sheet], who: int) -> list[Widget]:
    """HP, Luck, what follows from the characteristics, weapons with their skills, ammunition, and conditions."""
    fighter = fight.fighters[who]
    bonus = bonus_text((fighter.bonus_dice, fighter.bonus_sides, fighter.bonus_flat))
    stats = (("DEX", fighter.dex), ("MOV", fighter.mov), ("Build", fighter.build), ("Dodge", fighter.dodge))
    slots = [slot for slot in range(SLOTS) if fighter.weapons[slot]]
    drawn = [
        Widget("bar", "HP", fighter.hp, fighter.max_hp),
        Widget("bar", "Luck", fighter.luck, sheets[who].luck),
        Widget("numbers", "Stats", names=(*(f"{name} {number}" for name, number in stats), f"Bonus {bonus}")),
        Widget("numbers", "Weapons", names=tuple(_weapon(fighter, slot) for slot in slots)),
        *(_rounds(fighter, sheets[who], slot) for slot in slots if KIND[fighter.weapons[slot]] in (GUN, THROWN)),
        Widget("tags", "State", names=(*_handled(fighter, slots), *_states(fight, sheets, who, len(slots)))),
    ]
    return [widget for widget in drawn if widget.most or widget.names]


def _weapon(fighter: Fighter, slot: int) -> str:
    """A weapon with its skill and its damage; an enemy's bare hands may be claws."""
    weapon = "unarmed" if slot == HANDS and fighter.enemy else weapon_name(fighter, slot)
    return f"{weapon} {fighter.skills[slot]}% {damage_text(rules.weapon_damage(fighter, slot))}"


def _rounds(fighter: Fighter, sheet: Sheet, slot: int) -> Widget:
    """What is in a gun, and to spare; of something to throw how many there are of those that were brought."""
    name, loaded = weapon_name(fighter, slot), fighter.loaded[slot]
    if KIND[fighter.weapons[slot]] == GUN:
        return Widget("rounds", name, loaded, MAGAZINE[fighter.weapons[slot]], f"{fighter.spare[slot]} to spare")
    return Widget("rounds", name, loaded, rounds_loaded(sheet, sheet.weapons[slot - HANDS - 1]))


def _handled(fighter: Fighter, slots: Sequence[int]) -> list[str]:
    """Where weapons are, and which of them are jammed."""
    if fighter.state != STANDING:
        return []
    places = (("on the floor", fighter.dropped), ("jammed", fighter.jammed), ("in hand", 1 << fighter.wielded))
    return [
        f"{weapon_name(fighter, slot)} {what}"
        for what, which in places
        for slot in slots
        if which >> slot & 1 and slot != HANDS
    ]


def _states(fight: Fight, sheets: Sequence[Sheet], who: int, weapons: int) -> list[str]:
    """What the status says of a fighter behind the weapons, which are drawn by themselves."""
    fighter = fight.fighters[who]
    notes = conditions(fight, fighter, [sheet.name for sheet in sheets])
    return notes[weapons:] if fighter.state == STANDING else notes


def thrown(event: Event) -> list[Thrown]:
    """A d100 with the level of success, and the dice of damage, bonus and medicine."""
    if event.kind == rules.ROLLS:
        return [Thrown("percent", _readings(faces, event.net), _level(event.level)) for faces in event.fell]
    if event.kind != rules.AWAITS or event.what in PERCENT:
        return []
    return [Thrown("dice", faces, WHAT[event.what]) for faces in event.fell]


def _readings(faces: tuple[int, ...], net: int) -> tuple[int, ...]:
    """What a d100 reads with each of its tens dice, the one that counts first."""
    readings = [read_percent((faces[0], tens), 0) for tens in faces[1:]]
    counts = read_percent(faces, net)
    readings.remove(counts)
    return (counts, *readings)


def _level(level: int) -> str:
    """A level of success without its article."""
    return LEVELS[level].split(" ", 1)[1] if level >= 0 else "a click"
