"""What happens in a fight: each kind of event with its sentence and the rulings it cites."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from affray.kernel.rules import Event, event
from affray.system.telling import counted
from affray.systems.strategic import state
from affray.systems.strategic.life import Life, in_words
from affray.systems.strategic.moves import MOVES, PLAIN

if TYPE_CHECKING:
    from affray.system.setup import Setup
    from affray.systems.strategic.sheets import Sheet

TYPES = ("Pain", "Incapacitation", "Crippling")
MEANT = ("to hurt", "to incapacitate", "to cripple")
BLOWS = {
    state.STRIKE: "strikes at",
    state.JAB: "jabs at",
    state.POWER: "swings with full power at",
    state.PULL: "pulls a blow at",
    state.MAIM: "goes for the limbs of",
    state.GAP: "goes for a gap in the armour of",
    state.DISARM: "tries to disarm",
}
WHAT = {
    state.FOR_LIFE: "Life check",
    state.FOR_INITIATIVE: "initiative",
    state.FOR_OPENINGS: "openings",
    state.FOR_AN_OPENING: "which opening, by lot",
    state.FOR_PAIN_PENALTY: "the Pain Penalty",
    state.FOR_ATTACK: "attack",
    state.FOR_DEFENCE: "defence",
    state.FOR_PAIN: "Pain",
    state.FOR_INCAPACITATION: "Incapacitation",
    state.FOR_CRIPPLING: "Crippling",
    state.FOR_CONTROL: "Discipline, to keep control",
    state.FOR_SLIP: "where it slips (Heads: Crippling, Tails: Pain)",
    state.FOR_SOAK: "soak",
    state.FOR_THREAT: "the threat",
    state.FOR_NERVE: "nerve",
    state.FOR_STOP: "stopping the flight (Heads: it is stopped)",
}


@cache
def span(coins: int) -> str:
    """The mean life with so many Life Coins, in words."""
    return in_words(Life(coins).mean)


def moves_in(bits: int) -> list[str]:
    """The attack moves that are set in a row of bits."""
    return [move for place, move in enumerate(MOVES) if bits >> place & 1]


def _opens(setup: Setup[Sheet], fight: state.Fight, event: Event) -> str:
    return "The fight begins, at arm's length." if event.near else "The fight begins, far apart."


def _life_check(setup: Setup[Sheet], fight: state.Fight, event: Event) -> str:
    who = setup.told_as(event.who)
    if not event.lost:
        return f"{who} passes the Life check with {counted(event.coins, 'coin')}."
    if not event.coins:
        return f"All Tails: {who} loses the last Life Coin."
    return f"All Tails: {who} loses a Life Coin and has {event.coins} left."


def _openings(setup: Setup[Sheet], fight: state.Fight, event: Event) -> str:
    seen = ", ".join(moves_in(event.seen))
    return f"{setup.told_as(event.who)} sees {f'openings for {seen}' if seen else 'no opening'}."


def _attacks(setup: Setup[Sheet], fight: state.Fight, event: Event) -> str:
    who, target = setup.told_as(event.who), setup.told_as(event.target)
    if event.move == state.DISARM:
        return f"{who} {BLOWS[event.move]} {target}."
    if event.move == state.GUARDED:
        return f"{who} attacks {target} from behind a guard, {MEANT[event.intent]}."
    return f"{who} {BLOWS[event.move]} {target} {MEANT[event.intent]}."


def _defends(setup: Setup[Sheet], fight: state.Fight, event: Event) -> str:
    return f"{setup.told_as(event.who)} {PLAIN[event.defence].replace('parry', 'parrie')}s."


def _slips(setup: Setup[Sheet], fight: state.Fight, event: Event) -> str:
    return f"{event.points} of the margin slip{'s' * (event.points == 1)} to {TYPES[event.intent]}."


def _loses_coins(setup: Setup[Sheet], fight: state.Fight, event: Event) -> str:
    left = f"has {event.coins}: {span(event.coins)} untreated" if event.coins else "has none left"
    return f"{setup.told_as(event.who)} loses {counted(event.points, 'coin')} of life and {left}."


def _weighs(setup: Setup[Sheet], fight: state.Fight, event: Event) -> str:
    """Why a fighter looks for a way out, as a sum that can be checked."""
    who = setup.told_as(event.who)
    weighted = f" counted at {event.caution}%" if event.caution != 100 else ""
    worth = f"worth it, but not what {who} wants" if event.net >= 0 else "not worth it"
    return (
        f"{who} reckons: {event.win / 10:.1f}% of {counted(event.stake, 'year')}, less"
        f" {event.years / 1000:.1f} years at risk{weighted}: {event.net / 1000:+.1f}, {worth}."
    )


def _peace(setup: Setup[Sheet], fight: state.Fight, event: Event) -> str:
    return "Nobody wants to go on." if event.offers else "All fighters stand down."


def _ends(setup: Setup[Sheet], fight: state.Fight, event: Event) -> str:
    ending = setup.endings[event.ending]
    known = {"draw": ", undecided", "peace": ": peace", "standoff": ": a standoff"}
    return f"The fight is over{known.get(ending, f': {ending} have won')}."


def _awaits(setup: Setup[Sheet], fight: state.Fight, event: Event) -> str:
    """Whose coins are due, and what for."""
    who = setup.names[event.who]
    if event.what == state.FOR_FLIP_OFF:  # the coins are those of several fighters: which, as bits
        others = [name for other, name in enumerate(setup.names) if event.coins >> other & 1 and other != event.who]
        return f"Flip-Off: {', '.join([who, *others])}"
    if event.what == state.FOR_AN_OPENING:
        lots = ", ".join(f"{number} {move}" for number, move in enumerate(moves_in(event.coins)))
        return f"{who}, {WHAT[event.what]} ({lots})"
    return f"{who}, {WHAT[event.what]}"


OPENS = event(_opens, "near", rule="range")
ROUND = event("Round {number}.", rule="turns")
LIFE_CHECK = event(_life_check, "who coins lost", rule="life", amounts=True)
DIES = event("{who} is dead.", rule="life")
INITIATIVE = event("{who} flips {coins:coin} for initiative: {heads}.", rule="turns, initiative")
FLIPS_OFF = event("A tie; {who} wins the Flip-Off.", rule="contested")
ACTS = event("{who} acts.", rule="turns")
OPENINGS = event(_openings, "who count seen", rule="openings, weapons")
ATTACKS = event(
    _attacks,
    "who target move intent",
    rule="moves, intents",
    where={"intents": lambda setup, event: event.move != state.DISARM},
)
THREATENS = event("{who} threatens {target}.", rule="moves")
DEFENDS = event(_defends, "who defence", rule="defences")
PAIN_PENALTY = event("Pain {pain} costs {who} {lost:coin}.", "who pain lost", rule="pain", amounts=True)
TOO_WEAK = event("{who} has no coin left for the attack, and it fails.", "who coins", rule="pain")
CONTEST = event(
    "{who} flips {coins:coin}: {heads}; {target} flips {against:coin}: {their}.",
    "who target coins heads against their",
    rule="contested",
)
MISSES = event("{who} does not hit {target}.", rule="contested")
HITS = event("{who} hits {target}, margin {margin}.", rule="damage", amounts=True)
SLIPS = event(_slips, "who intent points", rule="intents", amounts=True)
SOAKS = event("{who} soaks {points}.", rule="soak", amounts=True)
HURTS = event(
    "{who} is at Pain {pain}, Incapacitation {incapacitation}, Crippling {crippling}.",
    rule="highwaters",
    amounts=True,
)
LOSES_COINS = event(_loses_coins, "who points coins", rule="lethal", amounts=True)
FALLS = event("{who} cannot fight any longer and goes down.", rule="penalties, ends")
DISARMED = event("{target} drops the weapon.", "who target", rule="moves")
KEEPS_WEAPON = event("{target} keeps hold of the weapon.", "who target", rule="moves")
COWED = event("{who} flinches, and has to say whether to go on.", "who target", rule="moves")
UNMOVED = event("{who} is unmoved.", "who target", rule="moves")
FIGHTS_ON = event("{who} fights on.", rule="moves")
STANDS_DOWN = event("{who} stands down.", rule="stand-down")
OFFERS = event("{who} offers to yield.", rule="yield")
WITHDRAWS = event("{who} takes the offer to yield back.", rule="yield")
ACCEPTED = event("{who} accepts; {target} drops the weapon and is out of it.", "who target stake", rule="yield, stakes")
REFUSED = event("{who} refuses.", "who target", rule="yield")
RUNS = event("{who} makes a run for it.", "who severity", rule="flight")
SLIPS_PAST = event("{who} cannot stop {target}.", rule="flight")
CAUGHT = event("{who} could stop {target}.", rule="flight")
LETS_GO = event("{who} lets {target} go.", rule="flight")
AWAY = event("{who} gets away.", rule="flight")
STOPPED = event("{who} does not get away.", rule="flight")
PICKS_UP = event("{who} picks the weapon up.", rule="moves")
CLOSES = event("{who} closes in on {target}.", rule="range")
WAITS = event("{who} waits.", rule="wait")
RIPOSTE = event("{who} has parried so well that the next move may be theirs.", rule="defences")
WEIGHS = event(_weighs, "who win years stake caution net", rule="stakes", amounts=True)
PEACE = event(_peace, "rounds offers", rule="stand-down, yield", where={"yield": lambda setup, event: event.offers > 0})
STANDOFF = event("{rounds:round} without a hit: nobody sees a way in.", rule="ends")
STALLED = event("After {rounds:round} nobody has the strength to go on.", rule="round-cap")
ENDS = event(_ends, "ending", rule="ends")
AWAITS = event(_awaits, "who what coins", rule="d2", announces=True)
