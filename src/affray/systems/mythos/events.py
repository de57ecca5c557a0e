"""What happens in a fight, each kind with its sentence and the rules it cites."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from affray.kernel.chance import read_percent
from affray.kernel.rules import Event, event
from affray.systems.mythos.gear import ITEMS
from affray.systems.mythos.terms import (
    CRITICAL_FAILURE,
    DICE_WORDS,
    EXTREME,
    FOR_HEAVY,
    FOR_ITEM,
    HEAVY_HITTER,
    LEAST,
    LEVELS,
    MOST,
    PURPOSES,
    REGULAR,
)
from affray.systems.mythos.weapons import HANDS, WEAPONS

if TYPE_CHECKING:
    from affray.system.setup import Setup

SHOT_WORDS = ("", "", "twice ", "three times ")


def _armed(sentence: str) -> Callable[[Setup[Any], Any, Event], str]:
    """A sentence that names a `weapon` of the fighter who acts, or what the blow comes from where that is no hand."""

    def told(setup: Setup[Any], fight: Any, event: Event) -> str:
        words: dict[str, object] = dict(zip(event.kind.fields, event.values, strict=True))
        words |= {key: setup.told_as(getattr(event, key)) for key in ("who", "target") if key in words}
        sheet = setup.sheets[event.who]
        weapon, using = sheet.slots[event.slot].name, with_weapon(sheet, event.slot)
        return sentence.format(**words, weapon=weapon, using=using)

    return told


def with_weapon(sheet: Any, slot: int) -> str:
    """What a blow comes from, where it is not the bare hands."""
    return f" with the {sheet.slots[slot].name}" if slot != HANDS else ""


def purpose(sheet: Any, what: int) -> str:
    """What a throw of a fighter is for."""
    if what >= FOR_ITEM:
        return f"what the {_item(sheet, what - FOR_ITEM)} does"
    return f"{sheet.perk_with(HEAVY_HITTER)}'s die" if what == FOR_HEAVY else PURPOSES[what]


def _item(sheet: Any, item: int) -> str:
    return str(sheet.item_slots[item].name)


def _one(thing: Any, known: Mapping[str, Any]) -> str:
    """One of several things; before the name of one's own only `the` is sure to be right."""
    return f"a {thing.name}" if thing.id in known else f"the {thing.name}"


def _shoots(setup: Setup[Any], fight: Any, event: Event) -> str:
    sheet = setup.sheets[event.who]
    who, target = setup.told_as(event.who), setup.told_as(event.target)
    if sheet.slots[event.slot].kind == "thrown":
        return f"{who} throws {_one(sheet.slots[event.slot], WEAPONS)} at {target}."
    return f"{who} shoots {SHOT_WORDS[event.shots]}at {target}{with_weapon(sheet, event.slot)}."


def _manoeuvres(setup: Setup[Any], fight: Any, event: Event) -> str:
    larger = ", who is larger" if event.net else ""
    tries = setup.system.moves[event.kind_of]
    return f"{setup.told_as(event.who)} tries to {tries} {setup.told_as(event.target)}{larger}."


def _awaits(setup: Setup[Any], fight: Any, event: Event) -> str:
    return f"{setup.names[event.who]}, {purpose(setup.sheets[event.who], event.what)}{DICE_WORDS[event.net]}"


def _rolls(setup: Setup[Any], fight: Any, event: Event) -> str:
    rolled = f" {read_percent(event.fell[-1], event.net)}" if event.fell else ""
    level = LEVELS[event.level] if event.level >= 0 else "nothing but a click"
    skill = f"{event.skill} or less{DICE_WORDS[event.net]}"
    why = purpose(setup.sheets[event.who], event.what)
    return f"{setup.told_as(event.who)} rolls{rolled} {why} ({skill}): {level}."


def _dives(setup: Setup[Any], fight: Any, event: Event) -> str:
    outcome = "and is hard to hit" if event.level >= REGULAR else "too late"
    return f"{setup.told_as(event.who)} dives for cover, {outcome}."


def _hits(setup: Setup[Any], fight: Any, event: Event) -> str:
    sheet = setup.sheets[event.who]
    great = ""
    if event.level >= EXTREME:
        great = ", impaling" if sheet.slots[event.slot].impales else ", as hard as can be"
    kept = f", of which {event.kept} {'does' if event.kept == 1 else 'do'} not get through" if event.kept else ""
    blow = f"{setup.told_as(event.target)}{with_weapon(sheet, event.slot)}{great}"
    return f"{setup.told_as(event.who)} hits {blow}: {event.amount} damage{kept}."


def _uses_perk(setup: Setup[Any], fight: Any, event: Event) -> str:
    return f"{setup.told_as(event.who)} uses {setup.sheets[event.who].perk_with(event.perk)}, Luck is now {event.luck}."


def _treats(setup: Setup[Any], fight: Any, event: Event) -> str:
    whom = "themselves" if event.who == event.target else setup.told_as(event.target)
    gain = f"+{event.amount} HP, now {event.hp}" if event.amount else f"already at {event.hp} HP"
    return f"{setup.told_as(event.who)} uses {_item(setup.sheets[event.who], event.item)} on {whom}: {gain}."


def _boosts(setup: Setup[Any], fight: Any, event: Event) -> str:
    item = _one(setup.sheets[event.who].item_slots[event.item], ITEMS)
    if event.who == event.target:
        return f"{setup.told_as(event.who)} takes {item}."
    return f"{setup.told_as(event.who)} gives {setup.told_as(event.target)} {item}."


def _ends(setup: Setup[Any], fight: Any, event: Event) -> str:
    teams = setup.team_names
    if event.ending < len(teams):
        return f"The fight is over: {teams[event.ending]} are left."
    if event.ending == len(teams):
        return "The fight is over, and nobody has won it."
    return "The fight is over: nobody has won, for a fighter got away."


# When a ruling applies that not every such event has to do with


def _told(field: str) -> Callable[[Setup[Any], Event], bool]:
    """Whether the rules say so in a field of the event."""
    return lambda setup, event: bool(getattr(event, field))


def _several(setup: Setup[Any], event: Event) -> bool:
    return len(setup.names) > 2


def _by_an_enemy(setup: Setup[Any], event: Event) -> bool:
    return bool(setup.sheets[event.who].kind == "enemy")


def _by_an_enemy_or_outnumbered(setup: Setup[Any], event: Event) -> bool:
    return bool(event.outnumbered) or _by_an_enemy(setup, event)


def _by_a_gun_or_stopped(setup: Setup[Any], event: Event) -> bool:
    gun = setup.sheets[event.who].slots[event.slot].kind == "gun"
    return bool(gun or event.kept > 0 or event.dealt == LEAST)


def _several_or_away(setup: Setup[Any], event: Event) -> bool:
    return event.ending > len(setup.team_names) or _several(setup, event)


def _fumbled(setup: Setup[Any], event: Event) -> bool:
    return event.level == CRITICAL_FAILURE


OPENS = event("The fight begins; {who} is first.", "who settled", rule="order, 1", where={"1": _told("settled")})
ROUND = event("Round {number}.", rule="order, 2", where={"2": _several})
SURPRISED = event("{who} is taken by surprise.", rule="22")
ATTACKS = event(
    _armed("{who} attacks {target}{using}."),
    "who target slot outnumbered",
    rule="fight, 9",
    where={"9": _by_an_enemy_or_outnumbered},
)
SHOOTS = event(
    _shoots,
    "who target slot shots fast",
    rule="fight, 4, 5, 6, 19",
    where={"4": _told("fast"), "6": lambda setup, event: event.shots > 1},
)
MANOEUVRES = event(
    _manoeuvres, "who target kind_of net", rule="3, 23", where={"3": lambda setup, event: event.net != 0}
)
AWAITS = event(_awaits, "who what net", rule="levels", announces=True)
ROLLS = event(_rolls, "who what skill net level", rule="levels, 20, 27", where={"20": _fumbled, "27": _fumbled})
DODGES = event("{who} tries to dodge.", rule="dodge")
FIGHTS_BACK = event(
    _armed("{who} fights back{using}."), "who slot", rule="fight-back, 9, 12", where={"9": _by_an_enemy}
)
DIVES = event(_dives, "who level pays", rule="5, 24", where={"24": _told("pays")})
AVOIDED = event("{who} avoids the attack of {target}.", rule="dodge, 8")
NOBODY_HITS = event(
    "Nobody is hurt.",
    "who target fought_back",
    rule="fight, fight-back, 7",
    where={"fight-back": _told("fought_back"), "7": _told("fought_back")},
)
SPENDS = event(_armed("{who} fires the rest all the same: {spent} out of the {weapon}."), "who slot spent", rule="6")
MISSES = event("{who} misses {target}.", rule="fight, 19")
JAMS = event(_armed("The {weapon} of {who} jams."), "who slot", rule="18")
HITS = event(
    _hits,
    "who target slot amount level kept fought_back dealt",
    rule="damage, 7, 10, 11",
    where={
        "7": _told("fought_back"),
        "10": lambda setup, event: event.dealt == MOST,
        "11": _by_a_gun_or_stopped,
    },
    amounts=True,
)
USES_PERK = event(_uses_perk, "who perk luck", rule="16", amounts=True)
IGNORES = event("{who} ignores {amount} damage.", rule="16", amounts=True)
HURT = event("{who} has {hp} HP left.", rule="damage", amounts=True)
DIES = event("{who} is dead.", rule="15")
FALLS_UNCONSCIOUS = event("{who} falls unconscious.", rule="15")
MAJOR_WOUND = event("That is a major wound for {who}.", rule="15")
STAYS_UP = event("{who} stays conscious.", "who level", rule="15")
IS_DYING = event("{who} is dying.", rule="15")
HANGS_ON = event("{who} hangs on for another round.", "who level", rule="15")
TRIPPED = event("{who} knocks {target} down.", rule="23")
DISARMED = event("{who} knocks the weapon out of the hand of {target}.", "who target slot", rule="23")
HELD = event("{who} holds {target}.", rule="23")
LOOSE = event("{who} is held no longer.", rule="23")
RUNS = event("{who} runs for it.", rule="flee, 13")
PACE = event("{who} goes at MOV {mov}.", "who level mov", rule="flee, 13")
ESCAPES = event("{who} gets away.", rule="flee, 13")
CAUGHT = event("{who} does not get away.", rule="flee, 13")
TREATS = event(_treats, "who target item amount hp", rule="items, 14", amounts=True)
BOOSTS = event(_boosts, "who target item", rule="items, 30")
COMES_TO = event("{who} comes to.", rule="15")
STABLE = event("{who} is no longer dying.", rule="15")
RELOADS = event(
    _armed("{who} reloads the {weapon}: {loaded} loaded, {spare} to spare."), "who slot loaded spare", rule="18"
)
CLEARS = event(_armed("{who} clears the {weapon}."), "who slot", rule="18")
PICKS_UP = event(_armed("{who} picks up the {weapon}."), "who slot", rule="23")
CLOSES = event("{who} closes in on {target}: {yards} yards apart.", rule="19")
FALLS_BACK = event("{who} falls back: {yards} yards from the nearest foe.", rule="19")
WAITS = event("{who} waits.", rule="25")
REGAINS = event("The flesh of {who} closes: {hp} HP.", rule="26", amounts=True)
STALEMATE = event("After {rounds} rounds nobody can win this.", rule="21")
ENDS = event(_ends, "ending", rule="ends, 2", where={"2": _several_or_away})
