"""A fighter as the table sees it, with coins and highwaters, and the coins that fell."""

from __future__ import annotations

from collections.abc import Sequence

from affray.kernel.rules import Event
from affray.kernel.system import Thrown, Widget
from affray.systems.strategic import rules, state
from affray.systems.strategic.abilities import attack_ability, defence_ability, fixed_penalty, initiative_ability
from affray.systems.strategic.sheets import MOVES, Sheet
from affray.systems.strategic.state import Fight, Fighter
from affray.systems.strategic.story import TYPES, WHAT, conditions, span

ATTRIBUTES = ("strength", "agility", "discipline", "training", "hardiness")


def scene(fight: Fight, sheets: Sequence[Sheet], who: int) -> list[Widget]:
    """Life Coins, highwaters with what they cost, attributes, abilities, and what somebody holds and does."""
    fighter = fight.fighters[who]
    notes = conditions(fight, fighter, [sheet.name for sheet in sheets])
    return [
        Widget("coins", "Life Coins", fighter.coins, sheets[who].life_coins, span(fighter.coins) * bool(fighter.coins)),
        *_highwaters(fight, fighter),
        Widget("numbers", "Attributes", names=tuple(f"{name.title()} {getattr(fighter, name)}" for name in ATTRIBUTES)),
        Widget("numbers", "Abilities", names=_abilities(fight, fighter)),
        Widget("tags", "State", names=(*notes, *_openings(fight, who))),
    ]


def _highwaters(fight: Fight, fighter: Fighter) -> list[Widget]:
    """Each up to where it could take the whole attack, or as far as it has risen. pain, penalties."""
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
    """The openings of whoever acts; those of an earlier turn have closed."""
    if not rules.to_act(fight) >> who & 1 or fight.phase != state.ACT:
        return []
    return [f"opening: {move}" for place, move in enumerate(MOVES) if fight.fighters[who].openings >> place & 1]


def thrown(event: Event) -> list[Thrown]:
    """The coins that were announced, and what for."""
    if event.kind != rules.AWAITS:
        return []
    if event.what == state.FOR_FLIP_OFF:
        return [Thrown("coins", (heads, 1), "Flip-Off") for (heads,) in event.fell]
    if event.what == state.FOR_AN_OPENING:
        left = [move for place, move in enumerate(MOVES) if event.coins >> place & 1]
        return [Thrown("pick", (lot,), WHAT[event.what], (left[lot],)) for (lot,) in event.fell]
    return [Thrown("coins", (heads, event.coins), WHAT[event.what]) for (heads,) in event.fell]
