"""The notation of a fight: what a person types, and the move it means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from affray.kernel.state import standing_foes
from affray.system.contract import Impossible
from affray.system.notation import by_prefix, folded
from affray.system.setup import Setup
from affray.systems.mythos import rules
from affray.systems.mythos.gear import ITEMS
from affray.systems.mythos.rules import Fight, Fighter, build_gap, in_reach, must_fight, needed_level
from affray.systems.mythos.terms import CRITICAL

if TYPE_CHECKING:
    from affray.systems.mythos.gear import Item
    from affray.systems.mythos.sheets import Sheet

PLAIN = {
    rules.FLEE: "flee",
    rules.FALL_BACK: "fall back",
    rules.WAIT: "wait",
    rules.DODGE: "dodge",
    rules.DIVE: "dive",
    rules.STAND: "stand",
    rules.USE: "use",
    rules.SAVE: "save",
}
MANOEUVRES = {rules.TRIP: "trip", rules.DISARM: "disarm", rules.HOLD: "hold"}
READYING = {rules.RELOAD: "reload", rules.CLEAR: "clear", rules.PICK_UP: "pick up"}
WORDS = {**PLAIN, **MANOEUVRES, **READYING}
ONLY_ATTACK = "enemies only attack (option enemy_ai)"
TIMES = ("", "", " twice", " three times")


def comrades(fight: Fight, who: int) -> list[int]:
    """All members of a fighter's team, the fighter included."""
    return [other for other in range(len(fight.fighters)) if fight.fighters[other].team == fight.fighters[who].team]


def write_move(setup: Setup[Sheet], fight: Fight, who: int, move: int) -> str:
    """A move as text; targets and weapons are named if there is more than one."""
    kind, slot, shots, target = move & 31, move >> 5 & 7, move >> 8 & 3, move >> 10
    if kind in PLAIN:
        return PLAIN[kind]
    fighter, sheet = fight.fighters[who], setup.sheets[who]
    if kind in READYING:
        return f"{READYING[kind]} {sheet.slots[slot].name}"
    if kind == rules.ITEM:
        return write_item(sheet.item_slots[slot]) + (f" {setup.names[target]}" if len(comrades(fight, who)) > 1 else "")
    using = f" with {sheet.slots[slot].name}" if sheet.carried else ""
    if kind == rules.FIGHT_BACK:
        return f"fight back{using}"
    several = len(standing_foes(fight, who)) > 1 or fight.fighters[target].team == fighter.team
    at = f" {setup.names[target]}" if several else ""
    if kind == rules.FIGHT:
        return f"fight{at}{using}"
    if kind == rules.SHOOT:
        return f"shoot{at}{TIMES[shots]}{using}"
    return MANOEUVRES.get(kind, "close") + at


def write_item(item: Item) -> str:
    """The use of an item as text; one of a fighter's own may be called like another move."""
    return item.name if item.id in ITEMS else f"use {item.name}"


def read_move(setup: Setup[Sheet], fight: Fight, who: int, text: str, written: Mapping[str, int]) -> int:
    """The move that a text means; a weapon need not be named if only one is possible."""
    begun = [move for notation, move in written.items() if notation.lower().startswith(f"{folded(text)} with ")]
    if len(begun) == 1 or (begun and folded(text) == "fight back"):  # the weapon in hand is the first of several
        return begun[0]
    return by_prefix(text, written, lambda: impossible(setup, fight, who))


def impossible(setup: Setup[Sheet], fight: Fight, who: int) -> list[Impossible]:
    """What is not open to a fighter now, and why."""
    if not fight.due >> who & 1 or fight.phase != rules.ACT:
        return []
    able = setup.written(fight, who)
    reasons = {**_closed_attacks(setup, fight, who), **_closed_readying(setup, fight, who)}
    reasons |= {**_closed_rest(setup, fight, who), **_idle_perks(setup, fight, who)}
    return [Impossible(notation, reason) for notation, reason in reasons.items() if notation not in able]


def _idle_perks(setup: Setup[Sheet], fight: Fight, who: int) -> Mapping[str, str]:
    """The perks that do nothing in this fight, and why."""
    from affray.systems.mythos.sheets import idle_perks

    left = replace(setup.sheets[who], luck=fight.fighters[who].luck)
    idle = idle_perks(left, setup.options)
    return {left.all_perks[perk].name: f"this perk does nothing: {reason}" for perk, reason in idle.items()}


def _closed_attacks(setup: Setup[Sheet], fight: Fight, who: int) -> Mapping[str, str]:
    """Why a foe cannot be attacked with some weapon."""
    fighter = fight.fighters[who]
    dived = "getting up from the dive: no attack in this turn" if fighter.diving else ""
    reasons: dict[str, str] = {}
    for foe in standing_foes(fight, who):
        for slot, weapon in enumerate(setup.sheets[who].slots):
            floor = "it lies on the floor: pick it up first" if fighter.dropped >> slot & 1 else ""
            if weapon.kind == "melee":
                far = "" if in_reach(fight, who, foe) else "too far away: close in first"
                move = rules.FIGHT | slot << 5 | foe << 10
                reasons[write_move(setup, fight, who, move)] = dived or floor or far
                continue
            jam = "jammed: clear it first" if fighter.jammed >> slot & 1 else ""
            tiny = fight.build_table >= rules.FOR_SHOTS and fight.fighters[foe].build <= rules.TINY
            missed = "too small to be shot" if tiny else "out of range"
            far = missed if needed_level(fight, who, slot, foe) > CRITICAL else ""
            for shots in range(1, weapon.shots + 1):
                empty = f"only {fighter.loaded[slot]} loaded" if fighter.loaded[slot] else _emptied(fighter, slot)
                move = rules.SHOOT | slot << 5 | shots << 8 | foe << 10
                reasons[write_move(setup, fight, who, move)] = dived or floor or jam or far or empty
        for kind, word in MANOEUVRES.items():
            move = kind | foe << 10
            reasons[write_move(setup, fight, who, move)] = dived or _closed_manoeuvre(fight, who, foe, word)
    return reasons


def _emptied(fighter: Fighter, slot: int) -> str:
    """What to do about a weapon with nothing to shoot or throw."""
    return "empty: reload it first" if fighter.spare[slot] else "none left"


def _closed_manoeuvre(fight: Fight, who: int, foe: int, word: str) -> str:
    other = fight.fighters[foe]
    if must_fight(fight, who):
        return ONLY_ATTACK
    if not fight.manoeuvres:
        return "there are no manoeuvres here (option manoeuvres)"
    if not in_reach(fight, who, foe):
        return "too far away: close in first"
    if build_gap(fight, who, foe) <= -3:
        return f"Build {other.build} is too much for Build {fight.fighters[who].build}"
    return {"trip": "down already", "disarm": "there is no weapon in hand", "hold": "held already"}[word]


def _closed_readying(setup: Setup[Sheet], fight: Fight, who: int) -> Mapping[str, str]:
    """Why a gun cannot be loaded."""
    fighter = fight.fighters[who]
    reasons = {}
    for slot, weapon in enumerate(setup.sheets[who].slots):
        if weapon.kind == "gun":
            floor = "it lies on the floor: pick it up first" if fighter.dropped >> slot & 1 else ""
            bound = ONLY_ATTACK if must_fight(fight, who) and fighter.spare[slot] else ""
            full = fighter.loaded[slot] == weapon.magazine
            reasons[f"reload {weapon.name}"] = floor or ("loaded already" if full else bound or "no ammunition left")
    return reasons


def _closed_rest(setup: Setup[Sheet], fight: Fight, who: int) -> Mapping[str, str]:
    fighter = fight.fighters[who]
    if must_fight(fight, who):
        return {"flee": "enemies do not flee (option enemy_ai)"}
    reasons = {"flee": "held: break the hold first by hurting the fighter who holds you"}
    reasons["wait"] = "there is something else to do (option waiting)"
    for place, item in enumerate(setup.sheets[who].item_slots):
        if not fighter.items[place]:
            reasons[write_item(item)] = "none left"
        elif not fighter.heals[place] and not fighter.boosts[place]:
            reasons[write_item(item)] = "it does nothing here (option boost_dice)"
        elif not fighter.heals[place] and fighter.boosted:
            reasons[write_item(item)] = "the last one has not worn off"
    return reasons
