"""The state of a fight in words: the status, what is asked, and what a fighter carries."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from affray.kernel.state import STANDING, to_act
from affray.system.pictures import Gauge
from affray.system.setup import Setup
from affray.system.status import bar, name_column, named_row
from affray.systems.mythos import rules
from affray.systems.mythos.derived import bonus_text
from affray.systems.mythos.events import with_weapon
from affray.systems.mythos.moves import MANOEUVRES
from affray.systems.mythos.rules import Fight, Fighter
from affray.systems.mythos.sheets import Sheet
from affray.systems.mythos.terms import ACTIVE_PERKS, NIMBLE, PERKS, STATES, WARDS, perk_name
from affray.systems.mythos.weapons import GUN, HANDS, KIND, MAGAZINE, SLOTS, THROWN, weapon_name

WIDTH = 80
LONGEST_NAME = 18  # that stands before the numbers
TIED = "\N{NO-BREAK SPACE}"
SHOTS_AT = ("", "", "two shots ", "three shots ")


def status(setup: Setup[Sheet], fight: Fight) -> str:
    """The state as the table shows it: HP, skills, what is in hand, ammunition, and how each one stands."""
    wide = name_column(setup.names, LONGEST_NAME)
    lines = [f"Round {max(1, fight.round)}", f"{'':{wide}}  HP                DEX MOV Build Bonus Dodge Luck"]
    indent = " " * (wide + 2)
    for fighter, name in zip(fight.fighters, setup.names, strict=True):
        lines += named_row(name, wide, f"{_hp(fighter)}  {_numbers(fighter)}")
        lines += _set_out(conditions(fight, fighter, setup.names), indent)
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


def conditions(fight: Fight, fighter: Fighter, names: Sequence[str]) -> list[str]:
    """What holds for a fighter beyond the numbers."""
    if fighter.state != STANDING:
        return [STATES[fighter.state]]
    notes = [_carried(fighter, slot) for slot in range(SLOTS) if fighter.weapons[slot]]
    items = ((fighter.first_aid, "first aid"), (fighter.medicine, "medicine"), (fighter.stimulants, "stimulant"))
    notes += [f"{what} {count}" for count, what in items if count]
    notes += [perk_name(PERKS.index(perk)) for perk in ACTIVE_PERKS if rules.has_perk(fighter, PERKS.index(perk))]
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


def _carried(fighter: Fighter, slot: int) -> str:
    """A weapon with its skill, its damage and what is in it; a star marks what is in hand."""
    star = "*" if slot == fighter.wielded else ""
    weapon = "unarmed" if slot == HANDS and fighter.enemy else weapon_name(fighter, slot)
    text = f"{star}{weapon} {fighter.skills[slot]}% {damage_text(rules.weapon_damage(fighter, slot))}"
    if KIND[fighter.weapons[slot]] == GUN:
        text += f" {fighter.loaded[slot]}/{MAGAZINE[fighter.weapons[slot]]}+{fighter.spare[slot]}"
    elif KIND[fighter.weapons[slot]] == THROWN:
        text += f" x{fighter.loaded[slot]}"
    if fighter.dropped >> slot & 1:
        text += " on the floor"
    return text + (" jammed" if fighter.jammed >> slot & 1 else "")


def damage_text(damage: int) -> str:
    """Damage dice as one writes them: 1D8+2; where there are none, the damage bonus is all."""
    count, sides, plus = damage & 15, damage >> 4 & 63, damage >> 10
    dice = [f"{count}D{sides}"] if count else []
    return "+".join(dice + ([str(plus)] if plus else [])) or "bonus"


def question(setup: Setup[Sheet], fight: Fight) -> str:
    """What a fighter is asked between two actions."""
    if not to_act(fight) or fight.phase == rules.ACT:
        return ""
    who = setup.names[fight.due.bit_length() - 1]
    against, price = setup.names[fight.actor], f"{fight.perk_price} Luck"
    return {
        rules.MORE: f"{who} attacks again{_which_attack(fight)}.",
        rules.EXTRA: f"{who} has one more attack.",
        rules.REACT: f"{against} {_attack_on(fight, who)}{_which_attack(fight)}: dodge, or fight back?",
        rules.UNDER_FIRE: f"{against} {_attack_on(fight, who)}: stand, or dive for cover{_price_of_cover(fight)}?",
        rules.HEAVY: f"{who} has hit: use Heavy Hitter for one more damage die ({price})?",
        rules.RAPID: f"{who} may attack once more: use Rapid Attack ({price})?",
        rules.TOUGH: f"{who} is about to take {fight.hurt} damage: use Tough Guy to ignore up to 5 ({price})?",
        rules.FLEET: f"{who} is outnumbered: use Fleet Footed not to be, for this fight ({price})?",
    }[fight.phase]


def _attack_on(fight: Fight, whom: str) -> str:
    """The attack that a fighter has to react to."""
    using = with_weapon(fight.fighters[fight.actor], fight.slot)
    if fight.doing == rules.SHOOT:
        return f"aims {SHOTS_AT[fight.shots]}at {whom}{using}"
    return f"tries to {MANOEUVRES[fight.doing]} {whom}" if fight.doing in MANOEUVRES else f"attacks {whom}{using}"


def _which_attack(fight: Fight) -> str:
    """Which of several attacks of a turn it is."""
    most = fight.fighters[fight.actor].attacks
    return f" ({most - fight.attacks + 1} of {most})" if most > 1 and fight.doing not in MANOEUVRES else ""


def _price_of_cover(fight: Fight) -> str:
    """What diving would cost the fighter who is asked."""
    nimble = rules.has_perk(fight.fighters[fight.target], NIMBLE)
    return " and not attack next turn" if fight.dive_cost and not nimble else ""


def gauges(setup: Setup[Sheet], fight: Fight, who: int) -> list[Gauge]:
    """What a picture draws of a fighter."""
    fighter = fight.fighters[who]
    drawn = [Gauge("HP", fighter.hp, fighter.max_hp)]
    for slot in range(SLOTS):
        if KIND[fighter.weapons[slot]] == GUN:
            drawn.append(Gauge(weapon_name(fighter, slot), fighter.loaded[slot], MAGAZINE[fighter.weapons[slot]]))
    return drawn
