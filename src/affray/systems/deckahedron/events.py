"""What happens in a fight, each kind with its sentence and the rules it cites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affray.kernel.chance import cards_of
from affray.kernel.rules import Event, event
from affray.system.telling import counted
from affray.systems.deckahedron.cards import CRITICAL_FAILURE, CRITICAL_SUCCESS, SCORES, STAMINA, card_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from affray.system.setup import Setup

STATS = ("Str", "Dex", "Int")
WEAPONS = ("weapon", "bow")

# What a throw is for, beside the stats that are flipped.
D4_DIE, D4_CARD, STAMINA_SEARCH, CARD_BACK, CARD_SHOWN, CARD_TURNED_UP = range(3, 9)
_AWAITED = {
    D4_DIE: "",
    D4_CARD: ", who reads a d4 off its pips",
    STAMINA_SEARCH: ", who searches for a Stamina symbol",
    CARD_BACK: ", who takes a random card out of the Exhaustion pile, 0 being the one lost first",
    CARD_TURNED_UP: ", who turns up what lies face down in the Exhaustion pile",
    CARD_SHOWN: ", at random out of the Exhaustion pile",
}


def _awaits(setup: Setup[Any], fight: Any, event: Event) -> str:
    """Whose card or die is due, and what for."""
    who = setup.names[event.who]
    if event.what in _AWAITED:
        return who + _AWAITED[event.what]
    deck = "" if event.own else " from the Storyteller's deck"
    return f"{who}, who flips {flipped(event.what, event.net)}{deck}"


def flipped(stat: int, net: int) -> str:
    """A stat with the net advantage on its flip, if there is one."""
    return f"{STATS[stat]} {net:+}" if net else STATS[stat]


def _flips(setup: Setup[Any], fight: Any, event: Event) -> str:
    cards = ", ".join(card_text(card) for card in cards_of(event.cards))
    score = f"{SCORES[event.score]}{_critical(event.cards)}"
    return f"{setup.told_as(event.who)} flips {flipped(event.stat, event.net)}: {cards} shows {score}."


def _critical(cards: int) -> str:
    """Which of the two critical cards is among those flipped; they change nothing."""
    if cards >> CRITICAL_FAILURE & 1:
        return " (the critical failure card)"
    return " (the critical success card)" if cards >> CRITICAL_SUCCESS & 1 else ""


def _loses(setup: Setup[Any], fight: Any, event: Event) -> str:
    """A lost point, and the cards that were revealed for it; what goes face down has no name."""
    lost = cards_of(event.cards & STAMINA)
    skipped = ", ".join(card_text(card) for card in cards_of(event.cards & ~STAMINA))
    searching = f"reveals {skipped}, then " if skipped else ""
    what = ", a card face down," if event.down else _as_card(lost[0] if lost else -1)
    left = counted(event.left, "point")
    return f"{setup.told_as(event.who)} {searching}loses a Stamina point{what} and has {left} left."


def _turns_up(setup: Setup[Any], fight: Any, event: Event) -> str:
    cards = ", ".join(card_text(card) for card in cards_of(event.cards))
    return f"{setup.told_as(event.who)} turns up what lies in the Exhaustion pile: {cards}."


def _regains(setup: Setup[Any], fight: Any, event: Event) -> str:
    left = counted(event.left, "point")
    return f"{setup.told_as(event.who)} regains a Stamina point{_as_card(event.card)} and has {left} left."


def _as_card(card: int) -> str:
    """A card in passing, if there is one."""
    return f", {card_text(card)}," if card >= 0 else ""


def _moves_away(setup: Setup[Any], fight: Any, event: Event) -> str:
    does = "closes in on" if event.near else "gets away from"
    return f"{setup.told_as(event.who)} {does} {setup.told_as(event.target)}."


def _reads_pips(setup: Setup[Any], fight: Any, event: Event) -> str:
    return f"{setup.told_as(event.who)} flips {card_text(event.card)} for pips: {event.pips or 'a blank'}."


def _ends(setup: Setup[Any], fight: Any, event: Event) -> str:
    if event.ending < len(setup.team_names):
        return f"The fight is over: {setup.team_names[event.ending]} are left."
    return "The fight is over, and nobody has won it."


# When a ruling applies that not every such event has to do with


def _has_deck(setup: Setup[Any], event: Event) -> bool:
    return bool(setup.sheets[event.who].deck)


def _has_no_deck(setup: Setup[Any], event: Event) -> bool:
    return not _has_deck(setup, event)


def _is(field: str, value: int) -> Callable[[Setup[Any], Event], bool]:
    return lambda setup, event: bool(getattr(event, field) == value)


OPENS = event(
    lambda setup, fight, event: f"The fight begins, in {'Gritty' if event.mode else 'Heroic'} mode.",
    "mode",
    rule="modes",
)
TURNS_UP = event(_turns_up, "who cards", rule="gritty, 33", amounts=True)
AMBUSHES = event("{who} attacks out of nowhere.", rule="unopposed, 1")
FLIPS = event(_flips, "who stat net cards score", rule="flip")
ORDER = event(
    lambda setup, fight, event: f"The order is {', '.join(map(setup.told_as, fight.order))}.", "who", rule="1"
)
TURN = event("It is the turn of {who}.", rule="1")
ATTACKS = event("{who} attacks {target}.", "who target alike", rule="melee, 2, 3, 27", where={"27": _is("alike", 0)})
SHOOTS = event(
    "{who} shoots at {target}.",
    "who target alike close",
    rule="ranged, 2, 3, 9, 27",
    where={"9": _is("close", 1), "27": _is("alike", 0)},
)
BREATHES = event(
    lambda setup, fight, event: f"{setup.told_as(event.who)} takes a Breather, by {STATS[event.stat]}.",
    "who stat",
    rule="breather, 22",
)
CLOSES = event("{who} closes in on {target}.", rule="9")
FALLS_BACK = event("{who} falls back.", rule="9")
REARMS = event("{who} rearms and has ammo for {ammo}.", rule="10")
PICKS_UP = event(
    lambda setup, fight, event: f"{setup.told_as(event.who)} picks up the {WEAPONS[event.weapon]}.",
    "who weapon",
    rule="13",
)
YIELDS = event("{who} yields.", rule="26")
RUNS = event("{who} runs away.", rule="26")
WAITS = event("{who} waits.", rule="29")
RESHUFFLES = event("{who} shuffles the discard pile back into the deck.", rule="reshuffle")
REFILLS = event("The Storyteller shuffles the discard pile back into the deck.", "who", rule="reshuffle, 24")
DEALS = event(
    "{who} deals {target} {amount} fatigue.",
    "who target amount no_die",
    rule="fatigue, 13",
    where={"13": _is("no_die", 1)},
    amounts=True,
)
CANCELED = event("{who} cannot do any fatigue yet.", rule="4")
LOSES = event(
    _loses,
    "who left cards down",
    rule="heroic, gritty, 14, 15, 24",
    where={**dict.fromkeys(("heroic", "gritty", "14", "15"), _has_deck), "24": _has_no_deck},
    amounts=True,
)
PAYS_TOKEN = event("{who} takes an Exhaustion token instead and has {tokens}.", rule="23", amounts=True)
HARMS = event("{who} takes Harm and has {harm} of it.", rule="harm", amounts=True)
WOUNDS = event(
    "{who} is wounded, {wounds} of 2; a Wound card goes to the discard pile.",
    "who wounds for_harm",
    rule="wounds, 18",
    where={"18": _is("for_harm", 1)},
    amounts=True,
)
ABSORBS = event("Armour keeps the worst from {who}.", rule="28")
GROANS = event("{who} groans: the Wound costs a Stamina point.", rule="wounds, 17")
FALLS = event(
    "{who} is incapacitated.",
    "who wounded for_harm",
    rule="16, 18, 19",
    where={"16": _is("wounded", 0), "18": _is("for_harm", 1), "19": _is("wounded", 1)},
)
PINNED = event("{who} is pinned.", rule="6")
STUNNED = event("{who} cannot do fatigue next turn.", rule="4")
GROUNDED = event("{who} is pushed to the ground and cannot do fatigue next turn.", rule="melee, 4")
CLASHES = event("{who} and {target} clash, and something nasty is said.", rule="5")
MISSES = event("{who} misses {target}.", rule="ranged")
SPENDS_AMMO = event("{who} loses ammo and has {ammo} left.", rule="10")
DROPS = event(
    lambda setup, fight, event: f"{setup.told_as(event.who)} drops the {WEAPONS[event.weapon]}.",
    "who weapon",
    rule="13",
)
SUPERIOR = event(
    "{who} moves to a superior position over {target}.",
    "who target several",
    rule="breather, 8, 30",
    where={"30": _is("several", 1)},
)
MOVES_AWAY = event(_moves_away, "who target near", rule="7")
SHAKES_OFF = event("{who} is pinned no longer.", rule="6, 7")
BREAKS_AWAY = event("{who} gets out from under {target}.", rule="7, 8")
REGAINS = event(_regains, "who left card", rule="breather, 22", amounts=True)
DISCARDS_TOKEN = event("{who} discards an Exhaustion token and has {tokens} left.", rule="breather, 23", amounts=True)
READS_PIPS = event(_reads_pips, "who card pips", rule="flip")
ROUND = event("Round {number}.", rule="1")
STALLED = event("After {rounds} rounds nobody has the heart to go on.", rule="31")
ENDS = event(_ends, "ending", rule="26")
AWAITS = event(_awaits, "who what net own", rule="flip", announces=True)
