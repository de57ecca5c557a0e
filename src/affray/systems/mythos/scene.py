"""A fighter as the table sees it, with HP, Luck, weapons and ammunition, and the dice that fell."""

from __future__ import annotations

from affray.kernel.chance import read_percent
from affray.kernel.rules import Event
from affray.kernel.state import STANDING
from affray.system import pictograms
from affray.system.pictures import Thrown, Widget
from affray.system.setup import Setup
from affray.systems.mythos.derived import bonus_text
from affray.systems.mythos.events import AWAITS, ROLLS, purpose
from affray.systems.mythos.rules import Fight, Fighter
from affray.systems.mythos.sheets import Sheet, rounds_loaded
from affray.systems.mythos.story import conditions, damage_text
from affray.systems.mythos.terms import FOR_ATTACK, FOR_CON, FOR_DODGE, FOR_FIGHT_BACK, LEVELS
from affray.systems.mythos.weapons import HANDS

CONDITIONS = pictograms.conditions(
    {
        "unconscious": pictograms.FALLEN,
        "dying": pictograms.HEART,
        "dead": pictograms.SKULL,
        "escaped": pictograms.AWAY,
        "on the floor": pictograms.DROPPED,
        "jammed": pictograms.CROSS,
        "armour": pictograms.SHIELD,
        "held by": pictograms.CHAIN,
        "down": pictograms.FALLEN,
        "surprised": pictograms.ALARM,
        "off balance": pictograms.TILT,
        "boosted": pictograms.BETTER,
        "no attack next turn": pictograms.WORSE,
        "a major wound": pictograms.HEART,
    }
)
PERCENT = (FOR_ATTACK, FOR_DODGE, FOR_FIGHT_BACK, FOR_CON)


def scene(setup: Setup[Sheet], fight: Fight, who: int) -> list[Widget]:
    """HP, Luck, what follows from the characteristics, weapons with their skills, ammunition, and conditions."""
    fighter = fight.fighters[who]
    bonus = bonus_text((fighter.bonus_dice, fighter.bonus_sides, fighter.bonus_flat))
    stats = (("DEX", fighter.dexterity), ("MOV", fighter.mov), ("Build", fighter.build), ("Dodge", fighter.dodge))
    sheet = setup.sheets[who]
    slots = range(len(sheet.slots))
    drawn = [
        Widget("bar", "HP", fighter.hp, fighter.max_hp),
        Widget("bar", "Luck", fighter.luck, sheet.luck),
        Widget("numbers", "Stats", names=(*(f"{name} {number}" for name, number in stats), f"Bonus {bonus}")),
        Widget("numbers", "Weapons", names=tuple(_weapon(fighter, sheet, slot) for slot in slots)),
        *(_rounds(fighter, sheet, slot) for slot in slots if sheet.slots[slot].magazine),
        Widget("tags", "State", names=(*_handled(fighter, sheet), *_states(setup, fight, who))),
    ]
    return [widget for widget in drawn if widget.most or widget.names]


def _weapon(fighter: Fighter, sheet: Sheet, slot: int) -> str:
    """A weapon with its skill and its damage; an enemy's bare hands may be claws."""
    weapon = "unarmed" if slot == HANDS and fighter.enemy else sheet.slots[slot].name
    return f"{weapon} {fighter.skills[slot]}% {damage_text(fighter.damage[slot])}"


def _rounds(fighter: Fighter, sheet: Sheet, slot: int) -> Widget:
    """What is in a gun, and to spare; of something to throw how many there are of those that were brought."""
    weapon, loaded = sheet.slots[slot], fighter.loaded[slot]
    if weapon.kind == "gun":
        return Widget("rounds", weapon.name, loaded, weapon.magazine, f"{fighter.spare[slot]} to spare")
    return Widget("rounds", weapon.name, loaded, rounds_loaded(sheet, weapon))


def _handled(fighter: Fighter, sheet: Sheet) -> list[str]:
    """Where weapons are, and which of them are jammed."""
    if fighter.state != STANDING:
        return []
    places = (("on the floor", fighter.dropped), ("jammed", fighter.jammed), ("in hand", 1 << fighter.wielded))
    return [
        f"{weapon.name} {what}"
        for what, which in places
        for slot, weapon in enumerate(sheet.slots)
        if which >> slot & 1 and slot != HANDS
    ]


def _states(setup: Setup[Sheet], fight: Fight, who: int) -> list[str]:
    """What the status says of a fighter behind the weapons, which are drawn by themselves."""
    notes = conditions(setup, fight, who, [sheet.name for sheet in setup.sheets])
    return notes[len(setup.sheets[who].slots) :] if fight.fighters[who].state == STANDING else notes


def thrown(setup: Setup[Sheet], fight: Fight, event: Event) -> list[Thrown]:
    """A d100 with the level of success, and the dice of damage, bonus and medicine."""
    if event.kind == ROLLS:
        return [Thrown("percent", _readings(faces, event.net), _level(event.level)) for faces in event.fell]
    if event.kind != AWAITS or event.what in PERCENT:
        return []
    return [Thrown("dice", faces, purpose(setup.sheets[event.who], event.what)) for faces in event.fell]


def _readings(faces: tuple[int, ...], net: int) -> tuple[int, ...]:
    """What a d100 reads with each of its tens dice, the one that counts first."""
    readings = [read_percent((faces[0], tens), 0) for tens in faces[1:]]
    counts = read_percent(faces, net)
    readings.remove(counts)
    return (counts, *readings)


def _level(level: int) -> str:
    """A level of success without its article."""
    return LEVELS[level].split(" ", 1)[1] if level >= 0 else "a click"
