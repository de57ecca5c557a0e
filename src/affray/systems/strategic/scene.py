"""A fighter as the table sees it, with coins and highwaters, and the coins that fell."""

from __future__ import annotations

from affray.kernel.rules import Event
from affray.kernel.state import to_act
from affray.system import pictograms
from affray.system.pictures import Thrown, Widget
from affray.system.setup import Setup
from affray.systems.strategic import state
from affray.systems.strategic.abilities import attack_ability, defence_ability, fixed_penalty, initiative_ability
from affray.systems.strategic.events import AWAITS, TYPES, WHAT, moves_in, span
from affray.systems.strategic.sheets import Sheet
from affray.systems.strategic.state import Fight, Fighter
from affray.systems.strategic.story import conditions

CONDITIONS = pictograms.conditions(
    {
        "down": pictograms.FALLEN,
        "dead": pictograms.SKULL,
        "away": pictograms.AWAY,
        "has yielded": pictograms.FLAG,
        "offers to yield": pictograms.FLAG,
        "standing down": pictograms.FLAG,
        "defence": pictograms.SHIELD,
        "next attack": pictograms.WORSE,
        "weapon dropped": pictograms.DROPPED,
    }
)
ATTRIBUTES = ("strength", "agility", "discipline", "training", "hardiness")


def scene(setup: Setup[Sheet], fight: Fight, who: int) -> list[Widget]:
    """Life Coins, highwaters with what they cost, attributes, abilities, and what a fighter holds and does."""
    fighter = fight.fighters[who]
    notes = conditions(fight, fighter, [sheet.name for sheet in setup.sheets])
    return [
        Widget(
            "coins",
            "Life Coins",
            fighter.coins,
            setup.sheets[who].life_coins,
            span(fighter.coins) * bool(fighter.coins),
        ),
        *_highwaters(fight, fighter),
        Widget("numbers", "Attributes", names=tuple(f"{name.title()} {getattr(fighter, name)}" for name in ATTRIBUTES)),
        Widget("numbers", "Abilities", names=_abilities(fight, fighter)),
        Widget("tags", "State", names=(*notes, *_openings(fight, who))),
    ]


def _highwaters(fight: Fight, fighter: Fighter) -> list[Widget]:
    """Each up to the level at which it takes the whole attack, or higher if it has risen further. pain, penalties."""
    heights = (fighter.pain, fighter.incapacitation, fighter.crippling)
    costs = ("up to {} off an attack, as coins fall", *["-{} to attack and defence"] * 2)
    most = attack_ability(fight, fighter)
    return [
        Widget("highwater", type_, height, max(height, most), cost.format(height) if height else "")
        for type_, height, cost in zip(TYPES, heights, costs, strict=True)
    ]


def _abilities(fight: Fight, fighter: Fighter) -> tuple[str, ...]:
    penalty = fixed_penalty(fighter)
    return (
        f"Attack {max(0, attack_ability(fight, fighter) - penalty)}",
        f"Defence {max(0, defence_ability(fight, fighter) - penalty)}",
        f"Initiative {initiative_ability(fight, fighter)}",
    )


def _openings(fight: Fight, who: int) -> list[str]:
    """The openings of the fighter who acts; those of an earlier turn have closed."""
    if not to_act(fight) >> who & 1 or fight.phase != state.ACT:
        return []
    return [f"opening: {move}" for move in moves_in(fight.fighters[who].openings)]


def thrown(setup: Setup[Sheet], fight: Fight, event: Event) -> list[Thrown]:
    """The coins that were announced, and what for."""
    if event.kind != AWAITS:
        return []
    if event.what == state.FOR_FLIP_OFF:
        return [Thrown("coins", (heads, 1), "Flip-Off") for (heads,) in event.fell]
    if event.what == state.FOR_AN_OPENING:
        left = moves_in(event.coins)
        return [Thrown("pick", (lot,), WHAT[event.what], (left[lot],)) for (lot,) in event.fell]
    return [Thrown("coins", (heads, event.coins), WHAT[event.what]) for (heads,) in event.fell]
