"""Events of a fight as sentences, and its state as somebody at the table sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from textwrap import wrap

from affray.kernel import records
from affray.kernel.chance import cards_of
from affray.kernel.rules import Event, Kind
from affray.kernel.status import name_column, named_row
from affray.kernel.system import Gauge
from affray.systems.deckahedron import rules
from affray.systems.deckahedron.cards import EDGES, FIRST_WOUND, SCORES, STAMINA, count_of
from affray.systems.deckahedron.moves import WEAPONS
from affray.systems.deckahedron.rules import (
    DROPPED,
    HELD,
    POINTS,
    RANGED_WEAPON,
    STANDING,
    Fight,
    Fighter,
    deck_size,
    pile_size,
    points_left,
    weapon,
)
from affray.systems.deckahedron.sheets import REGISTER, Sheet

Called = Callable[[int], str]
WIDTH = 80
LONGEST_NAME = 18  # that stands before the piles
STATS = ("Str", "Dex", "Int")
LEFT = {rules.OUT: "incapacitated", rules.YIELDED: "yielded", rules.GONE: "gone"}


def card_text(card: int) -> str:
    """A card as the story shows it: its number, or Wound, and its four edges."""
    return f"{'Wound' if card >= FIRST_WOUND else card + 1}:{EDGES[card]}"


def tell(event: Event, fight: Fight, sheets: Sequence[Sheet], names: Sequence[str], teams: Sequence[str]) -> str:
    """One event as a sentence."""

    def name(who: int) -> str:
        return called(sheets[who], names[who])

    if event.kind == rules.ENDS:
        sentence = _ends(event, teams)
    elif event.kind == rules.ORDER:
        sentence = f"the order is {', '.join(name(who) for who in fight.order)}."
    else:
        sentence = _SENTENCES[event.kind](event, name)
    return sentence[:1].upper() + sentence[1:]


def called(sheet: Sheet, name: str) -> str:
    """How the story names a fighter: by name, or as the guard or the second guard where it is a common foe."""
    article = REGISTER.article(sheet.id, sheet.name)
    return article + name.replace("-", " ") if article else name


def announces(event: Event, names: Sequence[str]) -> str:
    """Whose card or die is due, and what for, where an event says just that."""
    if event.kind != rules.AWAITS:
        return ""
    who = names[event.who]
    if event.what in _AWAITED:
        return who + _AWAITED[event.what]
    deck = "" if event.own else " from the Storyteller's deck"
    return f"{who}, who flips {STATS[event.what]}{_net(event.net)}{deck}"


_AWAITED = {
    rules.D4_DIE: "",
    rules.D4_CARD: ", who reads a d4 off its pips",
    rules.STAMINA_SEARCH: ", who searches for a Stamina symbol",
    rules.CARD_BACK: ", at random out of the Exhaustion pile",
}


def _net(net: int) -> str:
    return f" {net:+}" if net else ""


def _flips(event: Event, name: Called) -> str:
    cards = ", ".join(card_text(card) for card in cards_of(event.cards))
    critical = rules.is_critical(event.cards)
    return f"{name(event.who)} flips {STATS[event.stat]}{_net(event.net)}: {cards} shows {SCORES[event.score]}" + (
        f" ({critical})." if critical else "."
    )


def _loses(event: Event, name: Called) -> str:
    """A lost point, and the cards that were revealed for it; what goes face down has no name."""
    lost = cards_of(event.cards & STAMINA)
    skipped = ", ".join(card_text(card) for card in cards_of(event.cards & ~STAMINA))
    searching = f"reveals {skipped}, then " if skipped else ""
    what = ", a card face down," if event.down else _as_card(lost[0] if lost else -1)
    return f"{name(event.who)} {searching}loses a Stamina point{what} and has {_points(event.left)} left."


def _as_card(card: int) -> str:
    """A card in passing, if there is one."""
    return f", {card_text(card)}," if card >= 0 else ""


def _ends(event: Event, teams: Sequence[str]) -> str:
    if event.ending < len(teams):
        return f"the fight is over: {teams[event.ending]} are left."
    return "the fight is over, and nobody has won it."


def _points(count: int) -> str:
    return f"{count} point{'' if count == 1 else 's'}"


_SENTENCES: Mapping[Kind, Callable[[Event, Called], str]] = {
    rules.OPENS: lambda e, name: f"the fight begins, in {'Gritty' if e.mode else 'Heroic'} mode.",
    rules.AMBUSHES: lambda e, name: f"{name(e.who)} attacks out of nowhere.",
    rules.FLIPS: _flips,
    rules.TURN: lambda e, name: f"it is the turn of {name(e.who)}.",
    rules.ATTACKS: lambda e, name: f"{name(e.who)} attacks {name(e.target)}.",
    rules.SHOOTS: lambda e, name: f"{name(e.who)} shoots at {name(e.target)}.",
    rules.BREATHES: lambda e, name: f"{name(e.who)} takes a Breather, by {STATS[e.stat]}.",
    rules.CLOSES: lambda e, name: f"{name(e.who)} closes in on {name(e.target)}.",
    rules.FALLS_BACK: lambda e, name: f"{name(e.who)} falls back.",
    rules.REARMS: lambda e, name: f"{name(e.who)} rearms and has ammo for {e.ammo}.",
    rules.PICKS_UP: lambda e, name: f"{name(e.who)} picks up the {WEAPONS[e.weapon]}.",
    rules.YIELDS: lambda e, name: f"{name(e.who)} yields.",
    rules.RUNS: lambda e, name: f"{name(e.who)} runs away.",
    rules.WAITS: lambda e, name: f"{name(e.who)} waits.",
    rules.RESHUFFLES: lambda e, name: f"{name(e.who)} shuffles the discard pile back into the deck.",
    rules.REFILLS: lambda e, name: "the Storyteller shuffles the discard pile back into the deck.",
    rules.DEALS: lambda e, name: f"{name(e.who)} deals {name(e.target)} {e.amount} fatigue.",
    rules.CANCELED: lambda e, name: f"{name(e.who)} cannot do any fatigue yet.",
    rules.LOSES: _loses,
    rules.PAYS_TOKEN: lambda e, name: f"{name(e.who)} takes an Exhaustion token instead and has {e.tokens}.",
    rules.HARMS: lambda e, name: f"{name(e.who)} takes Harm and has {e.harm} of it.",
    rules.WOUNDS: lambda e, name: f"{name(e.who)} is wounded, {e.wounds} of 2; a Wound card goes to the discard pile.",
    rules.ABSORBS: lambda e, name: f"armour keeps the worst from {name(e.who)}.",
    rules.GROANS: lambda e, name: f"{name(e.who)} groans: the Wound costs a Stamina point.",
    rules.FALLS: lambda e, name: f"{name(e.who)} is incapacitated.",
    rules.PINNED: lambda e, name: f"{name(e.who)} is pinned.",
    rules.STUNNED: lambda e, name: f"{name(e.who)} cannot do fatigue next turn.",
    rules.GROUNDED: lambda e, name: f"{name(e.who)} is pushed to the ground and cannot do fatigue next turn.",
    rules.CLASHES: lambda e, name: f"{name(e.who)} and {name(e.target)} clash, and something nasty is said.",
    rules.MISSES: lambda e, name: f"{name(e.who)} misses {name(e.target)}.",
    rules.SPENDS_AMMO: lambda e, name: f"{name(e.who)} loses ammo and has {e.ammo} left.",
    rules.DROPS: lambda e, name: f"{name(e.who)} drops the {WEAPONS[e.weapon]}.",
    rules.SUPERIOR: lambda e, name: f"{name(e.who)} moves to a superior position over {name(e.target)}.",
    rules.MOVES_AWAY: lambda e, name: (
        f"{name(e.who)} {'closes in on' if e.near else 'gets away from'} {name(e.target)}."
    ),
    rules.SHAKES_OFF: lambda e, name: f"{name(e.who)} is pinned no longer.",
    rules.BREAKS_AWAY: lambda e, name: f"{name(e.who)} gets out from under {name(e.target)}.",
    rules.REGAINS: lambda e, name: (
        f"{name(e.who)} regains a Stamina point{_as_card(e.card)} and has {_points(e.left)} left."
    ),
    rules.DISCARDS_TOKEN: lambda e, name: f"{name(e.who)} discards an Exhaustion token and has {e.tokens} left.",
    rules.READS_PIPS: lambda e, name: f"{name(e.who)} flips {card_text(e.card)} for pips: {e.pips or 'a blank'}.",
    rules.ROUND: lambda e, name: f"round {e.number}.",
    rules.STALLED: lambda e, name: f"after {e.rounds} rounds nobody has the heart to go on.",
}


# The state


def status(fight: Fight, sheets: Sequence[Sheet], names: Sequence[str], teams: Sequence[str]) -> str:
    """The state as the table shows it: piles by their size, what lies face up, tokens, and who stands where."""
    wide = name_column(names, LONGEST_NAME)
    lines = [f"Round {fight.round}", f"{'':{wide}}  Stamina           Deck Discard Exhausted Tokens Harm Wound"]
    indent = " " * (wide + 2)
    for fighter, name in zip(fight.fighters, names, strict=True):
        lines += named_row(name, wide, f"{_bar(fighter)}  {_piles(fighter)}")
        notes = "; ".join([", ".join(conditions(fight, fighter, names)), *_face_up(fight, fighter)])
        lines += wrap(notes, WIDTH, initial_indent=indent, subsequent_indent=indent)
    if not all(fighter.has_deck for fighter in fight.fighters):
        shared = f"The Storyteller's deck: {count_of(fight.deck)} cards; discarded {_numbers(fight.discard) or 'none'}"
        lines += wrap(shared, WIDTH, subsequent_indent="  ")
    return "\n".join([*lines, *wrap(question(fight, names), WIDTH)])


def _bar(fighter: Fighter) -> str:
    """The Stamina that is left, as a bar and in numbers."""
    most = min(POINTS, fighter.stamina) if fighter.has_deck else fighter.stamina
    left = max(0, points_left(fighter)) if fighter.state != rules.OUT else 0
    filled = -(-10 * left // most)
    return f"{'#' * filled:.<10} {left:>2}/{most:<2}"


def _piles(fighter: Fighter) -> str:
    """How many cards and tokens lie where."""
    deck, discard, exhausted = "-", "-", fighter.ticks
    if fighter.has_deck:
        deck, discard, exhausted = str(deck_size(fighter)), str(count_of(fighter.discard)), pile_size(fighter)
    tokens = f"{fighter.tokens}/{fighter.token_slots}" if fighter.token_slots else "-"
    return f"{deck:>4} {discard:>7} {exhausted:>9} {tokens:>6} {fighter.harm:>4} {fighter.wounds:>5}"


def _face_up(fight: Fight, fighter: Fighter) -> list[str]:
    """The cards of the piles that anybody may look through: what was lost in Heroic mode is none of them. 14."""
    if fighter.state != STANDING:
        return []
    piles = (("discarded", fighter.discard), ("exhausted", fighter.exhausted if fight.gritty else 0))
    return [f"{what} {_numbers(cards)}" for what, cards in piles if cards]


def _numbers(cards: int) -> str:
    plain = [str(card + 1) for card in cards_of(cards) if card < FIRST_WOUND]
    wounds = count_of(cards >> FIRST_WOUND)
    return " ".join([*plain, *["Wound"] * wounds])


def question(fight: Fight, names: Sequence[str]) -> str:
    """What somebody is asked between two actions."""
    if not rules.to_act(fight) or fight.phase == rules.ACT:
        return ""
    who = fight.due.bit_length() - 1
    fighter = fight.fighters[who]
    return (
        names[who]
        + {
            rules.AMBUSH: " may attack before anybody knows.",
            rules.CHOOSE: " chooses what comes of the attack.",
            rules.LOSE: f" has {_points(fighter.owes)} to lose{_in_turn(fighter.owes)}.",
            rules.MOVE: " may move.",
            rules.REGAIN: f" has {_points(fighter.regains)} to regain{_in_turn(fighter.regains)}.",
            rules.RESHUFFLE_OFFER: " may shuffle the discard pile back into the deck.",
        }[fight.phase]
    )


def _in_turn(count: int) -> str:
    return ", one at a time" if count > 1 else ""


def conditions(fight: Fight, fighter: Fighter, names: Sequence[str]) -> list[str]:
    """What holds for a fighter beyond the piles."""
    if fighter.state != STANDING:
        return [LEFT[fighter.state]]
    notes = [f"Str {fighter.strength} Dex {fighter.dexterity} Int {fighter.intelligence}"]
    if weapon(fighter, RANGED_WEAPON) == HELD:
        notes.append(f"ammo {fighter.ammo}/{fighter.most_ammo}")
    notes += [f"{WEAPONS[which]} dropped" for which in range(2) if weapon(fighter, which) == DROPPED]
    armour = ((fighter.harm_slots, "Harm"), (fighter.wound_slots, "Wound"))
    notes += [f"armour for {slots} {what}" for slots, what in armour if slots]
    flags = ((fighter.unaware, "unaware"), (fighter.pinned, "pinned"), (fighter.stunned, "no fatigue yet"))
    notes += [text for flag, text in flags if flag]
    standing = [other for other in range(len(names)) if fight.fighters[other].state == STANDING]
    over = [names[other] for other in standing if fighter.superior >> other & 1]
    if over:
        notes.append(f"in a superior position over {' and '.join(over)}")
    near = [names[other] for other in standing if fighter.near >> other & 1]
    notes.append(f"close to {' and '.join(near)}" if near else "far from all foes")
    return notes


def gauges(fight: Fight, who: int) -> list[Gauge]:
    """What a picture draws of a fighter."""
    fighter = fight.fighters[who]
    most = min(POINTS, fighter.stamina) if fighter.has_deck else fighter.stamina
    return [
        Gauge("Stamina", 0 if fighter.state == rules.OUT else max(0, points_left(fighter)), most),
        Gauge("Deck", max(0, deck_size(fighter)), 24),
    ]


def cut(fight: Fight, viewer: int | None) -> Fight:
    """The fight as a viewer may know it: in Heroic mode nobody has seen the face-down cards, their owner included.

    They lie among the deck's, as many as there are: unseen cards are exchangeable. 14.
    """
    seen = records.copy(fight)
    if not fight.gritty:
        seen.veil = 1
        for fighter in seen.fighters:
            fighter.veiled += count_of(fighter.exhausted)
            fighter.deck |= fighter.exhausted
            fighter.exhausted = 0
    return seen
