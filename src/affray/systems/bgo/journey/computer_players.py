"""Computer players on the board: which equipment they wear, when they drink, and how they fight."""

from __future__ import annotations

from collections.abc import Sequence

from affray.kernel.chance import Dice, pick
from affray.players.tactics import decide as decide_move
from affray.systems.bgo import system
from affray.systems.bgo.journey import choices
from affray.systems.bgo.journey.course import Course
from affray.systems.bgo.journey.travellers import Traveller, changing, wearing
from affray.systems.bgo.sheets import Item, Stats, consumables

# What a point of each statistic, and each ability, is worth to a computer player, in points of Health.
ATTACK, DEFENSE, DAMAGE = 3, 3, 4
ABILITIES = {
    "first-strike": 3,
    "ignite": 2,
    "drench": 1,
    "quake": 1,
    "gust": 1,
    "bewilder": 1,
    "drain": 3,
    "ward": 3,
    "undying": 6,
    "light-step": 1,
    "leaden-feet": -1,
    "regenerate": 6,
    "enrage": 4,
    "nul": 2,
    "resist": 1,
    "weak": -2,
    "thorns": 3,
}


def worth(stats: Stats) -> int:
    """What statistics are worth in total."""
    abilities = sum(
        ABILITIES.get(name, ABILITIES.get(name.partition("-")[0], 0)) * n for name, n in stats.abilities.items()
    )
    return stats.health + ATTACK * stats.attack + DEFENSE * stats.defense + DAMAGE * sum(stats.damage) + abilities


def decide(course: Course, who: str, plays: str) -> str:
    """The answer of a computer player or a creature, which knows only public information and its own whim."""
    if course.fight is not None:
        return str(decide_move(course.fight, who, plays))
    if plays == "random":
        return any_of(course.legal(who), course.whim)
    item = course.position.offer
    return dress(course.me, item) if item is not None else prepare(course.me)


def any_of(answers: Sequence[str], whim: Dice) -> str:
    """A random answer, all equally likely."""
    return answers[pick(whim, len(answers))]


def usual(course: Course) -> str:
    """The tactic of the creature in the current encounter."""
    assert course.fight is not None
    return system.usual_tactic(course.fight.sheets[1])


def dress(traveller: Traveller, item: Item) -> str:
    """Wear the new item if that makes the player stronger, otherwise leave it."""
    better = worth(wearing(traveller, item).stats) > worth(traveller.stats)
    return choices.WEAR if better else choices.LEAVE


def prepare(traveller: Traveller) -> str:
    """Before moving: end curses, drink when hurt, change into better equipment; then roll."""
    for answer in choices.before_moving(traveller):
        verb, _, thing = answer.partition(" ")
        if verb == "use" and _wants(traveller, thing.partition(" on ")[0]):
            return answer
        if verb == "wear":
            spare = next(item for item in traveller.spares if item.id == thing)
            if worth(changing(traveller, spare).stats) > worth(traveller.stats):
                return answer
    return choices.ROLL


def _wants(traveller: Traveller, id: str) -> bool:
    """Whether to use a consumable now: none of a draught should be wasted, unless Health is low."""
    missing = traveller.stats.health - traveller.health
    thing = consumables()[id]
    return thing.ends_curses > 0 or missing >= thing.heal or 2 * traveller.health <= traveller.stats.health
