"""What a storyteller may change in an encounter, and what follows by the rules of a round."""

from __future__ import annotations

from collections.abc import Sequence

from affray.kernel.chance import Dice
from affray.kernel.rules import Log, emit
from affray.kernel.state import RUNNING, STANDING
from affray.system.setup import Setup
from affray.system.storytelling import Deal, Storytelling, Touch
from affray.systems.bgo import abilities, events, rules
from affray.systems.bgo.rules import DEAD, FLED, Encounter
from affray.systems.bgo.sheets import Sheet

_AFFLICTIONS = {"drenched": abilities.DRENCH, "shaken": abilities.QUAKE, "bewildered": abilities.BEWILDER}
_HELD_APART = ("ward", "undying")  # they have cells of their own, because they can be used up


def touches(setup: Setup[Sheet], fight: Encounter, who: int) -> Sequence[Touch]:
    """Health and bonuses, what clings to a fighter, and every ability that has no number."""
    fighter = fight.fighters[who]
    return [
        Touch("health", "health", 0, fighter.max_health),
        Touch("max-health", "max_health", 1, 999),
        Touch("attack", "attack", -20, 40),
        Touch("defense", "defense", -20, 40),
        Touch("burning", "burning", 0, 1, "loses 1 Health a round until it defends"),
        Touch("poised", "poised", 0, 1, "attacks better in the next round"),
        Touch("ward", "ward", 0, 1, "swallows the next hit"),
        Touch("undying", "undying", 0, 1, "rises once with 1 Health"),
        *(
            Touch(name, "afflicted", 0, 1, "in this round", bit=bit.bit_length() - 1)
            for name, bit in _AFFLICTIONS.items()
        ),
        *(
            Touch(name, "abilities", 0, 1, "an ability", bit=bit)
            for bit, name in enumerate(abilities.FLAGS)
            if name not in _HELD_APART
        ),
    ]


def fit(setup: Setup[Sheet], fight: Encounter, who: int) -> None:
    """No more Health than the maximum, and the encounter knows which abilities there are."""
    fighter = fight.fighters[who]
    fighter.health = min(fighter.health, fighter.max_health)
    fight.abilities |= fighter.abilities


def damage(fight: Encounter, who: int, points: int, dice: Dice, log: Log | None) -> None:
    """Health is lost as by a hit."""
    fight.fighters[who].health -= points


def settle(fight: Encounter, who: int, dice: Dice, log: Log | None) -> None:
    """A fighter with no Health left dies, and the encounter ends when it is decided; else those who stand are asked."""
    standing = 0
    for place, fighter in enumerate(fight.fighters):
        if fighter.state == STANDING and fighter.health <= 0:
            if fighter.undying:
                rules.refuse_death(fighter, place, 0, log)
            else:
                rules.leave(fighter, place, log)
        standing |= int(fighter.state == STANDING) << place
    fight.ending = rules.judge(fight)
    fight.due = (fight.due & standing or standing) if fight.ending == RUNNING else 0
    if fight.ending != RUNNING:
        emit(log, events.ENDS, fight.ending)


def turn(fight: Encounter, who: int, dice: Dice, log: Log | None) -> None:
    """A round in which only this fighter acts."""
    fight.due = 1 << who


def depart(fight: Encounter, who: int, way: int, log: Log | None) -> None:
    """Gone, and nothing clings to the gone."""
    fighter = fight.fighters[who]
    fighter.state = way
    fighter.burning = fighter.poised = fighter.afflicted = 0
    if way == DEAD:
        fighter.health = 0


def join(fight: Encounter, seated: Encounter, who: int, dice: Dice, log: Log | None) -> None:
    """The newcomer chooses in this round, like all others."""
    fight.abilities |= seated.fighters[who].abilities
    fight.due |= 1 << who


STORYTELLING = Storytelling[Encounter, Sheet](
    touches=touches,
    fit=fit,
    deals={"damage": Deal("Health lost, untyped", damage, 999)},
    settle=settle,
    turn=turn,
    ways_out={"fled": FLED, "dead": DEAD},
    depart=depart,
    join=join,
)
