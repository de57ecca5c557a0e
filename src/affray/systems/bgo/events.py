"""What happens in an encounter, each kind with its sentence and the rulings it cites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affray.kernel.rules import Event, event
from affray.kernel.state import STANDING
from affray.systems.bgo.abilities import BEWILDER, DRENCH, GUST, IGNITE, QUAKE, TYPES, typed

if TYPE_CHECKING:
    from collections.abc import Callable

    from affray.system.setup import Setup

RIDERS = {
    IGNITE: "is burning",
    DRENCH: "is drenched and attacks at -1 next round",
    QUAKE: "is shaken and defends at -1 next round",
    GUST: "is blown off balance and loses any poise",
    BEWILDER: "is bewildered and may not defend next round",
}


def _attacks(setup: Setup[Any], fight: Any, event: Event) -> str:
    """The target is named only if there is a choice of targets."""
    whom = f" {setup.told_as(event.target)}" if len(fight.fighters) > 2 else ""
    return f"{setup.told_as(event.who)} attacks{whom}."


def _rolls(setup: Setup[Any], fight: Any, event: Event) -> str:
    faces = event.fell[0] if event.fell else ()
    roll = f" (roll: {', '.join(str(face) for face in faces)}; needs {event.needed})" if faces else ""
    return f"{setup.told_as(event.who)}'s attack {'hits' if event.hits else 'misses'}{roll}."


def _changed(setup: Setup[Any], fight: Any, event: Event) -> str:
    return f"{setup.told_as(event.who)} turns {event.before} {typed(TYPES[event.type])} damage into {event.after}."


def _afflicts(setup: Setup[Any], fight: Any, event: Event) -> str:
    effects = [text for bit, text in RIDERS.items() if event.rider & bit]
    return f"{setup.told_as(event.who)} {' and '.join(effects)}."


def _ends(setup: Setup[Any], fight: Any, event: Event) -> str:
    if event.ending > fight.teams:
        return "the encounter ends without a victor."
    if event.ending == fight.teams:
        return "nobody is left standing: a draw."
    winners = [who for who, one in enumerate(fight.fighters) if one.team == event.ending and one.state == STANDING]
    return f"victory for {' and '.join(setup.told_as(who) for who in winners)}!"


# When a ruling applies that not every such event has to do with


def _just_reached(setup: Setup[Any], event: Event) -> bool:
    return sum(event.fell[0]) == event.number


def _by_a_creature(setup: Setup[Any], event: Event) -> bool:
    """Or by a roll that hits or misses automatically."""
    by_itself = (sum(event.fell[0]) >= event.number) != bool(event.hits)
    return by_itself or not _of_a_player(setup, event)


def _of_a_player(setup: Setup[Any], event: Event) -> bool:
    return bool(setup.sheets[event.who].kind == "player")


def _changed_by(ability: str) -> Callable[[Setup[Any], Event], bool]:
    """Whether the fighter has nul, resist or weak of the event's type, and it had anything left to change."""

    def applied(setup: Setup[Any], event: Event) -> bool:
        held, kind = setup.sheets[event.who].abilities, TYPES[event.type]
        if f"{ability}-{kind}" not in held:
            return False
        if ability == "weak":
            return event.after > 0
        return ability == "nul" or f"nul-{kind}" not in held

    return applied


def _rider(bit: int) -> Callable[[Setup[Any], Event], bool]:
    return lambda setup, event: bool(event.rider & bit)


def _a_draw(setup: Setup[Any], event: Event) -> bool:
    return event.ending == len(setup.team_names)


ROUND = event("battle round {number}.", rule="order")
ATTACKS = event(_attacks, "who target", rule="attack")
DEFENDS = event("{who} defends.", rule="defend, 5")
FLEES = event("{who} turns to flee.", rule="flee, 5")
ROLLS = event(
    _rolls, "who target needed hits number", rule="attack, 1, 2", where={"1": _just_reached, "2": _by_a_creature}
)
PARTS = event("{who} lets {target} go.", rule="6")
WARDED = event("{target}'s ward swallows the hit.", "who target", rule="ward, 22")
CANCELED = event("({who}'s attack is canceled by {by}'s first strike.)", rule="first-strike, 17")
CHANGED = event(
    _changed,
    "who type before after types",
    rule="nul, resist, weak, 15, 16",
    where={
        **{name: _changed_by(name) for name in ("nul", "resist", "weak")},
        "15": lambda setup, event: event.types > 1,
        "16": _changed_by("nul"),
    },
    amounts=True,
)
DEALS = event("{who} deals {amount} damage to {target}.", "who target amount", rule="attack", amounts=True)
PRICKS = event("{who}'s thorns deal {amount} damage to {target}.", "who target amount", rule="thorns, 23", amounts=True)
RISES = event(
    "{who} should be dead, and stands up with 1 Health.",
    "who struck_first",
    rule="undying, 24",
    where={"24": lambda setup, event: bool(event.struck_first)},
    amounts=True,
)
DRAINS = event("{who} drains {amount} Health.", rule="drain, 25", amounts=True)
DOUSES = event("{who} beats out the flames.", rule="ignite, 26")
BURNS = event("{who} burns for 1 damage.", rule="ignite, 26", amounts=True)
REGENERATES = event("{who} regenerates {amount} Health.", rule="regenerate", amounts=True)
DIES = event("{who} dies.", rule="statistics, death", where={"death": _of_a_player})
ESCAPES = event("{who} gets away.", rule="flee, 6")
AFFLICTS = event(
    _afflicts,
    "who rider",
    rule="ignite, drench, quake, gust, bewilder",
    where={
        "ignite": _rider(IGNITE),
        "drench": _rider(DRENCH),
        "quake": _rider(QUAKE),
        "gust": _rider(GUST),
        "bewilder": _rider(BEWILDER),
    },
)
STALLED = event("after {rounds:round} all fighters have had enough.", rule="20")
ENDS = event(_ends, "ending", rule="21, 3", where={"3": _a_draw})
