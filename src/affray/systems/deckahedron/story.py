"""The state of a fight as a person at the table sees it."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from affray.kernel.chance import cards_of
from affray.kernel.state import STANDING, to_act
from affray.kernel.weights import how_many
from affray.system.pictures import Gauge
from affray.system.setup import Setup
from affray.system.status import WIDTH, bar, name_column, named_row
from affray.system.telling import counted
from affray.systems.deckahedron import rules
from affray.systems.deckahedron.cards import FIRST_WOUND
from affray.systems.deckahedron.events import WEAPONS
from affray.systems.deckahedron.rules import (
    Fight,
    Fighter,
    deck_size,
    pile_size,
    points_left,
    weapon,
)
from affray.systems.deckahedron.sheets import Sheet

LONGEST_NAME = 18  # of names written before the piles
LEFT = {rules.OUT: "incapacitated", rules.YIELDED: "yielded", rules.GONE: "gone"}


def status(setup: Setup[Sheet], fight: Fight) -> str:
    """The state as the table shows it: piles by their size, what lies face up, tokens, and who stands where."""
    wide = name_column(setup.names, LONGEST_NAME)
    lines = [f"Round {fight.round}", f"{'':{wide}}  Stamina           Deck Discard Exhausted Tokens Harm Wound"]
    indent = " " * (wide + 2)
    for who, (fighter, name) in enumerate(zip(fight.fighters, setup.names, strict=True)):
        stamina, _ = gauges(setup, fight, who)
        left = f"{bar(stamina.value, stamina.most)} {stamina.value:>2}/{stamina.most:<2}"
        lines += named_row(name, wide, f"{left}  {_piles(fighter)}")
        notes = "; ".join([", ".join(conditions(fight, fighter, setup.names)), *_face_up(fight, fighter)])
        lines += wrap(notes, WIDTH, initial_indent=indent, subsequent_indent=indent)
    if not all(fighter.has_deck for fighter in fight.fighters):
        shared = f"The Storyteller's deck: {how_many(fight.deck)} cards; discarded {_numbers(fight.discard) or 'none'}"
        lines += wrap(shared, WIDTH, subsequent_indent="  ")
    return "\n".join([*lines, *wrap(question(setup, fight), WIDTH)])


def _piles(fighter: Fighter) -> str:
    """How many cards and tokens lie where."""
    deck, discard, exhausted = "-", "-", fighter.ticks
    if fighter.has_deck:
        deck, discard, exhausted = str(deck_size(fighter)), str(how_many(fighter.discard)), pile_size(fighter)
    tokens = f"{fighter.tokens}/{fighter.token_slots}" if fighter.token_slots else "-"
    return f"{deck:>4} {discard:>7} {exhausted:>9} {tokens:>6} {fighter.harm:>4} {fighter.wounds:>5}"


def _face_up(fight: Fight, fighter: Fighter) -> list[str]:
    """The cards of the piles that lie open: what was lost in Heroic mode is none of them. 14."""
    if fighter.state != STANDING:
        return []
    piles = (("discarded", fighter.discard), ("exhausted", fighter.exhausted if fight.gritty else 0))
    return [f"{what} {_numbers(cards)}" for what, cards in piles if cards]


def _numbers(cards: int) -> str:
    plain = [str(card + 1) for card in cards_of(cards) if card < FIRST_WOUND]
    wounds = how_many(cards >> FIRST_WOUND)
    return " ".join([*plain, *["Wound"] * wounds])


def question(setup: Setup[Sheet], fight: Fight) -> str:
    """What a fighter is asked between two actions."""
    if not to_act(fight) or fight.phase == rules.ACT:
        return ""
    who = fight.due.bit_length() - 1
    asked = {
        rules.AMBUSH: "may attack before the foes know",
        rules.CHOOSE: "chooses what comes of the attack",
        rules.LOSE: _points_to("lose", fight.fighters[who].owes),
        rules.MOVE: "may move",
        rules.REGAIN: _points_to("regain", fight.fighters[who].regains),
        rules.RESHUFFLE_OFFER: "may shuffle the discard pile back into the deck",
    }
    return f"{setup.names[who]} {asked[fight.phase]}."


def _points_to(verb: str, count: int) -> str:
    return f"has {counted(count, 'point')} to {verb}{', one at a time' if count > 1 else ''}"


def conditions(fight: Fight, fighter: Fighter, names: Sequence[str]) -> list[str]:
    """What holds for a fighter beyond the piles."""
    if fighter.state != STANDING:
        return [LEFT[fighter.state]]
    notes = [f"Str {fighter.strength} Dex {fighter.dexterity} Int {fighter.intelligence}"]
    if weapon(fighter, rules.RANGED_WEAPON) == rules.HELD:
        notes.append(f"ammo {fighter.ammo}/{fighter.most_ammo}")
    notes += [f"{WEAPONS[which]} dropped" for which in range(2) if weapon(fighter, which) == rules.DROPPED]
    armour = ((fighter.harm_slots, "Harm"), (fighter.wound_slots, "Wound"))
    notes += [f"armour for {slots} {what}" for slots, what in armour if slots]
    flags = ((fighter.unaware, "unaware"), (fighter.pinned, "pinned"), (fighter.stunned, "no fatigue yet"))
    notes += [text for flag, text in flags if flag]
    if fighter.favour:
        notes.append(f"the next flip at {'an advantage' if fighter.favour > 0 else 'a disadvantage'}")
    standing = [other for other in range(len(names)) if fight.fighters[other].state == STANDING]
    over = [names[other] for other in standing if fighter.superior >> other & 1]
    if over:
        notes.append(f"in a superior position over {' and '.join(over)}")
    near = [names[other] for other in standing if fighter.near >> other & 1]
    notes.append(f"close to {' and '.join(near)}" if near else "far from all foes")
    return notes


def gauges(setup: Setup[Sheet], fight: Fight, who: int) -> list[Gauge]:
    """What a picture draws of a fighter."""
    fighter = fight.fighters[who]
    most = min(rules.POINTS, fighter.stamina) if fighter.has_deck else fighter.stamina
    return [
        Gauge("Stamina", 0 if fighter.state == rules.OUT else max(0, points_left(fight, fighter)), most),
        Gauge("Deck", max(0, deck_size(fighter)), 24),
    ]
