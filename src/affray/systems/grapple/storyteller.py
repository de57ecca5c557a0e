"""What a storyteller may change in a combat, and what follows for turns and the end."""

from __future__ import annotations

from collections.abc import Sequence

from affray.kernel.chance import Dice
from affray.kernel.rules import Log
from affray.kernel.state import RUNNING
from affray.system.setup import Setup
from affray.system.storytelling import Deal, Storytelling, Touch
from affray.systems.grapple import rules
from affray.systems.grapple.rules import LARGEST_POOL, LEAST_DEFENSE, MOST_DEFENSE, Combat
from affray.systems.grapple.sheets import MOST_SD, Sheet


def touches(setup: Setup[Sheet], fight: Combat, who: int) -> Sequence[Touch]:
    """Dice, wounds, what skill actions give, and the marks of the skills."""
    fighter = fight.fighters[who]
    return [
        Touch("wounds", "wounds", 0, fighter.max_wounds),
        Touch("max-wounds", "max_wounds", max(1, fighter.wounds), 5, "wounds that knock out"),
        Touch("ad", "ad", 0, fighter.pool, "Action Dice"),
        Touch("sd", "sd", 0, MOST_SD, "Strike Dice"),
        Touch("ap", "ap", 6, LARGEST_POOL, "the Action Pool as shown"),
        Touch("pool", "pool", max(6, fighter.ad), LARGEST_POOL, "the Action Pool that holds"),
        Touch("defense", "defense", LEAST_DEFENSE, MOST_DEFENSE, "successes that a strike must exceed"),
        Touch("speed", "speed", 0, 1, "a die more in every maneuver"),
        Touch("spirit", "spirit", 0, 1, "a die more in every strike"),
        *(
            Touch(f"marked-{rules.RATING[slot]}", "marked", 0, 1, "whether that skill was used in a maneuver", bit=slot)
            for slot, skill in enumerate(fighter.skills)
            if skill != rules.EMPTY
        ),
    ]


def wound(fight: Combat, who: int, points: int, dice: Dice, log: Log | None) -> None:
    """Wounds as by a strike: no more than knock out."""
    fighter = fight.fighters[who]
    fighter.wounds = min(fighter.max_wounds, fighter.wounds + points)


def settle(fight: Combat, who: int, dice: Dice, log: Log | None) -> None:
    """The knocked out have no turn; a team whose last member to move is out passes it on."""
    for place, fighter in enumerate(fight.fighters):
        if rules.is_out(fighter):
            fight.due &= ~(1 << place)
    rules.judge(fight, log)
    if fight.ending == RUNNING and fight.due == 0:
        rules.pass_turn(fight, 0, log)


def skip(fight: Combat, who: int, dice: Dice, log: Log | None) -> None:
    """The fighter has moved."""
    fight.due &= ~(1 << who)
    if fight.due == 0:
        rules.pass_turn(fight, 0, log)


def turn(fight: Combat, who: int, dice: Dice, log: Log | None) -> None:
    """The fighter moves together with the team whose turn it is."""
    fight.due |= 1 << who


def depart(fight: Combat, who: int, way: int, log: Log | None) -> None:
    """Out is who has all wounds."""
    fight.fighters[who].wounds = fight.fighters[who].max_wounds


def join(fight: Combat, seated: Combat, who: int, dice: Dice, log: Log | None) -> None:
    """The newcomer moves when the turn next comes to the team."""


STORYTELLING = Storytelling[Combat, Sheet](
    touches=touches,
    deals={"wound": Deal("wounds, as by a strike", wound, 5)},
    settle=settle,
    skip=skip,
    turn=turn,
    ways_out={"knocked out": 1},
    depart=depart,
    stands=lambda fight, who: not rules.is_out(fight.fighters[who]),
    returns=False,
    join=join,
)
