"""The state of a fight as a table, and what is asked between two actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from affray.kernel.state import STANDING, to_act
from affray.system.pictures import Gauge
from affray.system.setup import Setup
from affray.system.status import WIDTH, name_column, named_row
from affray.systems.strategic import abilities, state
from affray.systems.strategic.arms import ARMOURS, NAMES, WEAPONS
from affray.systems.strategic.events import span
from affray.systems.strategic.moves import ATTACKS, INTENTS
from affray.systems.strategic.sheets import Sheet
from affray.systems.strategic.state import Fight, Fighter

LONGEST_NAME = 18  # of names written before the numbers
LEFT = {state.DOWN: "down", state.DEAD: "dead", state.FLED: "away", state.YIELDED: "has yielded"}


def status(setup: Setup[Sheet], fight: Fight) -> str:
    """The state as the table shows it: abilities, highwaters, Life Coins and what they are worth, and stances."""
    wide = name_column(setup.names, LONGEST_NAME)
    lines = [
        f"Round {max(1, fight.round)}",
        f"{'':{wide}}  Attack Defence Init  Pain Incap Cripple  Life Coins",
    ]
    indent = " " * (wide + 2)
    for fighter, name in zip(fight.fighters, setup.names, strict=True):
        lines += named_row(name, wide, _numbers(fight, fighter))
        notes = "; ".join(conditions(fight, fighter, setup.names))
        lines += wrap(notes, WIDTH, initial_indent=indent, subsequent_indent=indent)
    return "\n".join([*lines, *wrap(question(setup, fight), WIDTH)])


def _numbers(fight: Fight, fighter: Fighter) -> str:
    penalty = abilities.fixed_penalty(fighter)
    attack, defence = (
        abilities.attack_ability(fight, fighter) - penalty,
        abilities.defence_ability(fight, fighter) - penalty,
    )
    initiative = abilities.initiative_ability(fight, fighter)
    marks = f"{fighter.pain:>5} {fighter.incapacitation:>5} {fighter.crippling:>7}"
    coins = f"{fighter.coins:>2} = {span(fighter.coins)}" if fighter.coins else "none"
    return f"{max(0, attack):>6} {max(0, defence):>7} {initiative:>4} {marks}  {coins}"


def _arms(fighter: Fighter) -> Iterator[str]:
    """What is in hand and worn, with the numbers that are not those of the tables. arms."""
    weapon, armour = list(WEAPONS.values())[fighter.owned], list(ARMOURS.values())[fighter.armour]
    if fighter.weapon != fighter.owned:
        yield f"{NAMES[fighter.weapon]} (weapon dropped)"
    else:
        mine = {key: getattr(fighter, key) for key in ("damage", "lethality", "weight")}
        yield weapon.name + _differing(mine, {key: getattr(weapon, key) for key in mine})
    worn = _differing(
        {"value": fighter.armour_value, "penalty": fighter.armour_penalty},
        {"value": armour.value, "penalty": armour.penalty},
    )
    if fighter.armour or worn:
        yield f"{armour.name} armour{worn}" if fighter.armour else f"armour{worn}"


def _differing(mine: Mapping[str, int], usual: Mapping[str, int]) -> str:
    """The numbers that are not the usual ones, in brackets."""
    different = [f"{key} {number}" for key, number in mine.items() if number != usual[key]]
    return f" ({', '.join(different)})" if different else ""


def conditions(fight: Fight, fighter: Fighter, names: Sequence[str]) -> list[str]:
    """What holds for a fighter beyond the numbers."""
    if fighter.state != STANDING:
        return [LEFT[fighter.state]]
    notes = [*_arms(fighter)]
    notes.append(f"stake {fighter.stake} years")
    flags = (
        (fighter.standing_down, "standing down"),
        (fighter.yielding, f"offers to yield: {_defence(fight)}"),
        (fighter.guard, f"defence {fighter.guard:+}"),
        (fighter.quick + fighter.hurried, f"initiative {fighter.quick + fighter.hurried:+}"),
        (fighter.shaken, f"next attack -{fighter.shaken}"),
    )
    notes += [text for flag, text in flags if flag]
    others = [other for other in range(len(names)) if fight.fighters[other].team != fighter.team]
    if not all(fighter.near >> other & 1 for other in others):
        near = [names[other] for other in others if fighter.near >> other & 1]
        notes.append(f"close to {' and '.join(near)}" if near else "far from all foes")
    return notes


def _defence(fight: Fight) -> str:
    return f"a defence of {fight.helpless_defence}"


def question(setup: Setup[Sheet], fight: Fight) -> str:
    """What a fighter is asked between two actions."""
    if not to_act(fight) or fight.phase == state.ACT:
        return ""
    who, actor, target = setup.names[fight.due.bit_length() - 1], setup.names[fight.actor], setup.names[fight.target]
    blow = f"{ATTACKS[fight.move]} {INTENTS[fight.intent]}" if fight.move != state.DISARM else ATTACKS[fight.move]
    return {
        state.DEFEND: f"{actor} comes at {who}: {blow}. Which defence?",
        state.THREATENED: f"{who} is threatened by {actor}: fight on, or yield?",
        state.OFFERED: f"{target} offers to yield to {who}: accept, or refuse?",
        state.STOPPING: f"{who} could stop {target}: let go, or strike at {_defence(fight)}?",
    }[fight.phase]


def gauges(setup: Setup[Sheet], fight: Fight, who: int) -> list[Gauge]:
    """What a picture draws of a fighter."""
    fighter = fight.fighters[who]
    ability = max(1, abilities.attack_ability(fight, fighter))
    return [
        Gauge("Attack", max(0, ability - abilities.fixed_penalty(fighter)), ability),
        Gauge("Life Coins", fighter.coins, max(30, fighter.coins)),
    ]
