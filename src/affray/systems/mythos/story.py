"""The state of a fight in words: the status, what is asked, and what a fighter carries."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from affray.kernel.state import STANDING, to_act
from affray.system.pictures import Gauge
from affray.system.setup import Setup
from affray.system.status import WIDTH, bar, name_column, named_row
from affray.systems.mythos import rules
from affray.systems.mythos.derived import bonus_text
from affray.systems.mythos.events import with_weapon
from affray.systems.mythos.moves import MANOEUVRES
from affray.systems.mythos.rules import Fight, Fighter
from affray.systems.mythos.sheets import Sheet
from affray.systems.mythos.terms import (
    FLEET_FOOTED,
    HEAVY_HITTER,
    NIMBLE,
    PERKS,
    RAPID_ATTACK,
    STATES,
    TOUGH_GUY,
    WARDS,
)
from affray.systems.mythos.weapons import HANDS

LONGEST_NAME = 18  # of names written before the numbers
TIED = "\N{NO-BREAK SPACE}"
SHOTS_AT = ("", "", "two shots ", "three shots ")


def status(setup: Setup[Sheet], fight: Fight) -> str:
    """The state as the table shows it: HP, skills, what is in hand, ammunition, and how each one stands."""
    wide = name_column(setup.names, LONGEST_NAME)
    lines = [f"Round {max(1, fight.round)}", f"{'':{wide}}  HP                DEX MOV Build Bonus Dodge Luck"]
    indent = " " * (wide + 2)
    for who, (fighter, name) in enumerate(zip(fight.fighters, setup.names, strict=True)):
        lines += named_row(name, wide, f"{_hp(fighter)}  {_numbers(fighter)}")
        lines += _set_out(conditions(setup, fight, who, setup.names), indent)
    return "\n".join([*lines, *wrap(question(setup, fight), WIDTH)])


def _set_out(notes: Sequence[str], indent: str) -> list[str]:
    """Notes as lines that break between them, not within."""
    kept = "; ".join(note.replace(" ", TIED) for note in notes)
    lines = wrap(kept, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace(TIED, " ") for line in lines]


def _hp(fighter: Fighter) -> str:
    """HP, as a bar and in numbers."""
    return f"{bar(fighter.hp, fighter.max_hp)} {fighter.hp:>2}/{fighter.max_hp:<2}"


def _numbers(fighter: Fighter) -> str:
    bonus = bonus_text((fighter.bonus_dice, fighter.bonus_sides, fighter.bonus_flat))
    luck = f"{fighter.luck:>4}" if fighter.luck or not fighter.enemy else "   -"
    return f"{fighter.dexterity:>3} {fighter.mov:>3} {fighter.build:>5} {bonus:>5} {fighter.dodge:>5} {luck}"


def conditions(setup: Setup[Sheet], fight: Fight, who: int, names: Sequence[str]) -> list[str]:
    """What holds for a fighter beyond the numbers."""
    fighter, sheet = fight.fighters[who], setup.sheets[who]
    if fighter.state != STANDING:
        return [STATES[fighter.state]]
    notes = [_carried(fighter, sheet, slot) for slot in range(len(sheet.slots))]
    notes += [f"{item.name} {fighter.items[i]}" for i, item in enumerate(sheet.item_slots) if fighter.items[i]]
    active = [effect for effect in range(RAPID_ATTACK, len(PERKS)) if rules.has_perk(fighter, effect)]
    notes += dict.fromkeys(map(sheet.perk_with, active))
    if fighter.attacks > 1:
        notes.append(f"{fighter.attacks} attacks")
    if fighter.armour:
        notes.append(f"armour {fighter.armour}")
    if fighter.ward:
        notes.append(tuple(WARDS.values())[fighter.ward])
    if fighter.regains:
        notes.append(f"regains {fighter.regains} a round")
    if fighter.held_by:
        notes.append(f"held by {names[fighter.held_by - 1]}")
    flags = (
        (fighter.down, "down"),
        (fighter.surprised, "surprised"),
        (fighter.off_balance, "off balance"),
        (fighter.boosted, "boosted"),
        (fighter.diving, "no attack next turn"),
        (fighter.major_wound, "a major wound"),
    )
    notes += [text for flag, text in flags if flag]
    return notes + ([f"at {fighter.yards} yards"] if fight.range else [])


def _carried(fighter: Fighter, sheet: Sheet, slot: int) -> str:
    """A weapon with its skill, its damage and what is in it; a star marks what is in hand."""
    star = "*" if slot == fighter.wielded else ""
    weapon = sheet.slots[slot]
    name = "unarmed" if slot == HANDS and fighter.enemy else weapon.name
    text = f"{star}{name} {fighter.skills[slot]}% {damage_text(fighter.damage[slot])}"
    if weapon.kind == "gun":
        text += f" {fighter.loaded[slot]}/{weapon.magazine}+{fighter.spare[slot]}"
    elif weapon.kind == "thrown":
        text += f" x{fighter.loaded[slot]}"
    if fighter.dropped >> slot & 1:
        text += " on the floor"
    return text + (" jammed" if fighter.jammed >> slot & 1 else "")


def damage_text(damage: int) -> str:
    """Damage dice in the usual notation, for the first band: 1D8+2; without dice, only the damage bonus."""
    count, sides, plus = damage & 15, damage >> 4 & 63, damage >> 10 & 127
    dice = [f"{count}D{sides}"] if count else []
    return "+".join(dice + ([str(plus)] if plus else [])) or "bonus"


def question(setup: Setup[Sheet], fight: Fight) -> str:
    """What a fighter is asked between two actions."""
    if not to_act(fight) or fight.phase == rules.ACT:
        return ""
    index = fight.due.bit_length() - 1
    who, against = setup.names[index], setup.names[fight.actor]
    if fight.phase >= rules.HEAVY:
        return _offer(setup, fight, index)
    return {
        rules.MORE: f"{who} attacks again{_which_attack(fight)}.",
        rules.EXTRA: f"{who} has one more attack.",
        rules.REACT: f"{against} {_attack_on(setup, fight, who)}{_which_attack(fight)}: dodge, or fight back?",
        rules.UNDER_FIRE: f"{against} {_attack_on(setup, fight, who)}: stand, or dive for cover{_cover(fight)}?",
    }[fight.phase]


def _offer(setup: Setup[Sheet], fight: Fight, index: int) -> str:
    """The question whether to use an active perk."""
    fighter, who = fight.fighters[index], setup.names[index]
    effect = (HEAVY_HITTER, RAPID_ATTACK, TOUGH_GUY, FLEET_FOOTED)[fight.phase - rules.HEAVY]
    perk, amount = setup.sheets[index].perk_with(effect), fighter.perks[effect]
    more = "one more damage die" if amount == 1 else f"{amount} more damage dice"
    asked = {
        HEAVY_HITTER: f"{who} has hit: use {perk} for {more}",
        RAPID_ATTACK: f"{who} may attack once more: use {perk}",
        TOUGH_GUY: f"{who} is about to take {fight.hurt} damage: use {perk} to ignore up to {amount}",
        FLEET_FOOTED: f"{who} is outnumbered: use {perk} not to be, for this fight",
    }[effect]
    return f"{asked} ({fighter.prices[effect - RAPID_ATTACK]} Luck)?"


def _attack_on(setup: Setup[Sheet], fight: Fight, whom: str) -> str:
    """The attack that a fighter has to react to."""
    using = with_weapon(setup.sheets[fight.actor], fight.slot)
    if fight.doing == rules.SHOOT:
        return f"aims {SHOTS_AT[fight.shots]}at {whom}{using}"
    return f"tries to {MANOEUVRES[fight.doing]} {whom}" if fight.doing in MANOEUVRES else f"attacks {whom}{using}"


def _which_attack(fight: Fight) -> str:
    """Which of several attacks of a turn it is."""
    most = fight.fighters[fight.actor].attacks
    return f" ({most - fight.attacks + 1} of {most})" if most > 1 and fight.doing not in MANOEUVRES else ""


def _cover(fight: Fight) -> str:
    """What diving would cost the fighter who is asked."""
    nimble = rules.has_perk(fight.fighters[fight.target], NIMBLE)
    return " and not attack next turn" if fight.dive_cost and not nimble else ""


def gauges(setup: Setup[Sheet], fight: Fight, who: int) -> list[Gauge]:
    """What a picture draws of a fighter."""
    fighter = fight.fighters[who]
    guns = [(slot, weapon) for slot, weapon in enumerate(setup.sheets[who].slots) if weapon.kind == "gun"]
    rounds = [Gauge(weapon.name, fighter.loaded[slot], weapon.magazine) for slot, weapon in guns]
    return [Gauge("HP", fighter.hp, fighter.max_hp), *rounds]
