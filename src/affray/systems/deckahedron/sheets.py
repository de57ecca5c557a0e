"""Who fights with a Deckahedron: characters with their piles and tokens, foes, and the options of the rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NamedTuple

from affray.errors import Invalid
from affray.kernel.state import standing_foes
from affray.kernel.weights import how_many
from affray.system import defaults, sheets
from affray.system.schema import Field, Flag, Option, Text, Whole, Word, refusal
from affray.system.setup import Setup
from affray.system.sheets import Sheets, Where, field
from affray.systems.deckahedron.cards import CARDS, FIRST_WOUND, STAMINA, WHOLE_DECK
from affray.systems.deckahedron.rules import (
    DROPPED,
    HELD,
    MELEE_WEAPON,
    POINTS,
    RANGED_WEAPON,
    Fight,
    Fighter,
    points_left,
)
from affray.systems.deckahedron.tactics import TACTICS

# Options

OPTIONS = (
    Option("mode", Word(("heroic", "gritty")), "heroic", "which cards are lost: any, face down, or good ones", "modes"),
    Option("range", Word(("close", "far")), "close", "how far the teams are from each other at first", "9"),
    Option("ambush", Word(("none", "first", "last")), "none", "which team attacks before the others are aware", "1"),
    Option("d4", Word(("die", "cards")), "die", "what a 1d4 is: a die, or the pips of the fighter's own cards", "flip"),
    Option("breather_floor", Flag(), True, "a Breather leaves as many cards as there are Harm and Wound tokens", "22"),
    Option("breather_repeat", Flag(), False, "a Breather may directly follow another", "22"),
    Option(
        "superior_foes",
        Word(("all", "able")),
        "all",
        "which foes a Breather lifts: all, or those who can do fatigue",
        "30",
        earlier="able",
    ),
    Option(
        "dropped_weapon",
        Word(("all", "own")),
        "all",
        "which 1d4 a dropped weapon makes 1: all, or its own",
        "13",
        earlier="own",
    ),
    Option("gang_up", Flag(), False, "+1 from the second attacker on in a round", "25"),
    Option("face_down", Word(("known", "unknown")), "known", "whether the program knows the face-down cards", "14"),
    Option("strike_back", Flag(), False, "a fighter who cannot do fatigue next turn still strikes back", "4"),
    Option("pinned_net", Whole(0, 2), 1, "how much worse a pinned fighter shoots", "6"),
    Option("superior_net", Whole(1, 2), 1, "what a superior position adds to a flip", "8"),
    Option(
        "critical_harm", Word(("within", "beside")), "within", "a critical's Harm is one of its 1d4, or on top", "11"
    ),
    Option("run_cost", Whole(0, 8), 4, "what running away costs in Stamina, less Speed", "26"),
    Option("low_deck", Whole(0, 10), 5, "how few cards left at the end of a turn force a reshuffle", "reshuffle"),
    Option("round_cap", Whole(1, 10_000), 200, "rounds after which the fight is a draw", "31"),
)

# Sheets


@dataclass(frozen=True)
class Cards(Field):
    """A pile of cards by their numbers; typed as 3+11+17."""

    def allows(self) -> str:
        return f"cards by their numbers, 1 to {CARDS}"

    def take(self, value: object, label: str) -> tuple[int, ...]:
        if not isinstance(value, list | tuple) or not all(type(card) is int and 1 <= card <= CARDS for card in value):
            raise refusal(label, value, self.allows())
        if len(set(value)) < len(value):
            raise refusal(label, value, "different cards")
        return tuple(sorted(value))

    def read(self, text: str) -> object:
        parts = [part for part in text.split("+") if part]
        return [int(part) if re.fullmatch(r"[0-9]{1,3}", part) else part for part in parts]


_RANK = Whole(1, 4)
_CARRIED = Word(("held", "dropped", "none"))
Carried = Literal["held", "dropped", "none"]
Place = Literal["haven", "wild", "road"]


class Sheet(sheets.Sheet):
    """A combatant as it enters a fight. Cards are numbers from 1; 21 to 24 are Wound cards."""

    kind: Literal["character", "foe"] = field(Word(("character", "foe")), "character")
    points: int = field(Whole(3, 12), 6, "what a character's three ranks come to")
    strength: int = field(_RANK, 2)
    dexterity: int = field(_RANK, 2)
    intelligence: int = field(_RANK, 2)
    speed: int = field(Whole(0, 4), 2, "running away costs so many points less")
    stamina: int = field(Whole(2, 20), POINTS, "points to incapacitation; with a deck those above 10 are tokens")
    deck: bool = field(Flag(), True, "without one it counts points only and flips the Storyteller's")
    tokens: int = field(Whole(0, 10), 0, "Exhaustion tokens that it may take instead of losing a point")
    melee: Carried = field(_CARRIED, "held", "the weapon in hand")
    ranged: Carried = field(_CARRIED, "none", "the ranged weapon")
    ammo: int = field(Whole(0, 4), 3, "the most ammo it carries")
    ammo_used: int = field(Whole(0, 4), 0, "how much of it is spent")
    harm_slots: int = field(Whole(0, 4), 0, "slots of armour for Harm")
    harm_slots_used: int = field(Whole(0, 4), 0, "how many of them are full")
    wound_slots: int = field(Whole(0, 4), 0, "slots of armour for Harm and Wounds")
    wound_slots_used: int = field(Whole(0, 4), 0, "how many of them are full")
    discard: tuple[int, ...] = field(Cards(), (), "the discard pile")
    exhausted: tuple[int, ...] = field(Cards(), (), "cards that lie face up in the Exhaustion pile")
    face_down: int = field(Whole(0, 20), 0, "how many cards lie face down there; without a deck the points lost")
    pile: str = field(Text(), "", "which cards these are, sealed, and which each may be; by the program", asked=False)
    wound_cards: tuple[int, ...] = field(Cards(), (), "the Wound cards among its cards, one for each Wound")
    tokens_taken: int = field(Whole(0, 10), 0, "Exhaustion tokens taken")
    harm: int = field(Whole(0, 2), 0, "Harm tokens")
    wounds: int = field(Whole(0, 2), 0, "Wound tokens")
    hours: int = field(Whole(0, 1_000_000), 0, "hours that it has spent on resting and healing")
    place: Place = field(Word(("haven", "wild", "road")), "haven", "where it is: only a haven heals, no road rests")
    incapacitated: bool = field(Flag(), False, "cannot fight before a rest or healing")
    tactic: str = field(Word(tuple(TACTICS)), "brawler", "how a computer plays it")
    note: str = field(Text(), "")

    def check(self, where: Where) -> None:
        """The ranks add up to the points, every card is in one pile, and nothing is used up that is not there."""
        ranks = self.strength + self.dexterity + self.intelligence
        if self.kind == "character" and ranks != self.points:
            problem = f"strength, dexterity and intelligence must come to {self.points}, not {ranks}"
            raise Invalid(f"{where}: {problem}", given=ranks)
        if self.kind == "character" and self.stamina != POINTS:
            raise refusal(where("stamina"), self.stamina, f"{POINTS} for a character; `tokens` give more")
        _check_piles(self, where)
        for used, most in (
            ("tokens_taken", _slots(self)),
            ("ammo_used", self.ammo),
            ("harm_slots_used", self.harm_slots),
            ("wound_slots_used", self.wound_slots),
        ):
            if getattr(self, used) > most:
                what = used.rpartition("_")[0].replace("_", " ")
                raise refusal(where(used), getattr(self, used), f"0 to {most}, its {what}")


def checked(sheet: Sheet) -> Sheet:
    """The sheet, if it holds together; `Invalid` if not."""
    return Sheet.made(sheet.as_table(), sheet.name)


def _check_piles(sheet: Sheet, where: Where) -> None:
    if any(card <= FIRST_WOUND for card in sheet.wound_cards) or len(sheet.wound_cards) != sheet.wounds:
        allowed = f"{sheet.wounds} of the cards 21 to {CARDS}, one for each Wound"
        raise refusal(where("wound_cards"), list(sheet.wound_cards), allowed)
    piled = [*sheet.discard, *sheet.exhausted]
    owned = {*range(1, FIRST_WOUND + 1), *sheet.wound_cards}
    if len(set(piled)) < len(piled) or not set(piled) <= owned:
        raise refusal(where("discard and exhausted"), piled, "cards of the deck, each in one pile")
    most = points_of(sheet) if sheet.incapacitated else points_of(sheet) - 1
    lost = points_lost(sheet) - (how_many(bits(sheet.exhausted) & ~STAMINA) if sheet.deck else 0)
    if lost > most:
        raise refusal(where("lost Stamina"), lost, f"0 to {most}")
    hidden = len(owned) - len(piled)
    if sheet.deck and sheet.face_down > hidden:
        raise refusal(where("face_down"), sheet.face_down, f"0 to {hidden}, the cards of its deck")
    if sheet.pile and not _fits(sheet, read_pile(sheet.pile)):
        raise refusal(where("pile"), sheet.pile, "that of the cards that lie face down; leave it out for any cards")


def points_of(sheet: Sheet) -> int:
    """How many Stamina points incapacitate: ten at most if they are cards. 24."""
    return min(POINTS, sheet.stamina) if sheet.deck else sheet.stamina


def points_lost(sheet: Sheet) -> int:
    """How many Stamina points the sheet has lost: the cards of its Exhaustion pile, or its ticks."""
    return len(sheet.exhausted) + sheet.face_down


def _slots(sheet: Sheet) -> int:
    """How many Exhaustion tokens the sheet can take: its own, and what its Stamina has beyond the ten. 24."""
    return sheet.tokens + (max(0, sheet.stamina - POINTS) if sheet.deck else 0)


# What lies face down

_SEALS = "qwrtpshjklzxvnmyuiogQWRT"  # one for each card, by turns: not to be read in passing
_LAID = re.compile(rf"([0-9a-f]{{1,6}})([{_SEALS}-])")


class FaceDown(NamedTuple):
    """One card that lies face down: which cards it may be for all that has been seen, as bits, and which it is."""

    may_be: int
    card: int = -1
    """From 0 on; -1 if only real cards know."""


def write_pile(pile: Sequence[FaceDown]) -> str:
    """Cards that lie face down, in the order in which they were lost, as one word."""
    return ".".join(
        f"{one.may_be:x}{'-' if one.card < 0 else _SEALS[(one.card + 7 * place) % CARDS]}"
        for place, one in enumerate(pile)
    )


def read_pile(text: str) -> list[FaceDown]:
    """The cards that `write_pile` has written; none if the text is something else."""
    pile = []
    for place, part in enumerate(text.split(".") if text else ()):
        found = _LAID.fullmatch(part)
        if not found:
            return []
        may_be, sealed = found.groups()
        pile.append(FaceDown(int(may_be, 16), -1 if sealed == "-" else (_SEALS.index(sealed) - 7 * place) % CARDS))
    return pile


def _fits(sheet: Sheet, pile: Sequence[FaceDown]) -> bool:
    """Whether a pile has as many cards as lie face down, and each of them can be where it is."""
    hidden = unseen(sheet)
    cards = [one.card for one in pile if one.card >= 0]
    return (
        len(pile) == sheet.face_down
        and len(cards) in (0, len(pile))
        and len(set(cards)) == len(cards)
        and all(one.card < 0 or one.may_be & hidden & 1 << one.card for one in pile)
        and all(how_many(one.may_be & hidden) > place for place, one in enumerate(pile))
        and all(not one.may_be & ~later.may_be for one, later in pairwise(pile))
    )


def unseen(sheet: Sheet) -> int:
    """The cards of the deck together with those that lie face down, as bits."""
    return (WHOLE_DECK | bits(sheet.wound_cards)) & ~bits(sheet.discard) & ~bits(sheet.exhausted)


def public(sheet: Sheet) -> Sheet:
    """The public sheet: it does not say which cards lie face down, only what they may be."""
    return replace(sheet, pile=write_pile([one._replace(card=-1) for one in read_pile(sheet.pile)]))


SHEETS = Sheets(Sheet, "affray.systems.deckahedron", {"character": "characters", "foe": "foes"})

# From sheets to the record


def bits(cards: Sequence[int]) -> int:
    """Cards by their numbers as the bits of a pile."""
    return sum(1 << (card - 1) for card in cards)


def seat(setup: Setup[Sheet], fight: Fight) -> None:
    """Copy options and sheets into the record."""
    options = setup.options
    for sheet in setup.sheets:
        if sheet.incapacitated:
            raise Invalid(f"{sheet.name} is incapacitated and cannot fight before a rest or healing", given=sheet.name)
    defaults.seat(setup, fight)
    fight.gritty = int(options["mode"] == "gritty")
    fight.veil = int(options["face_down"] == "unknown" and options["mode"] == "heroic")
    fight.d4_cards = int(options["d4"] == "cards")
    fight.ambushers = {"none": 0, "first": 1, "last": fight.teams}[str(options["ambush"])]
    for who, (fighter, sheet) in enumerate(zip(fight.fighters, setup.sheets, strict=True)):
        _seat_one(fight, fighter, sheet)
        if options["range"] == "close":
            fighter.near = sum(1 << foe for foe in standing_foes(fight, who))


def _seat_one(fight: Fight, fighter: Fighter, sheet: Sheet) -> None:
    fighter.has_deck = int(sheet.deck)
    fighter.tokens, fighter.token_slots = sheet.tokens_taken, _slots(sheet)
    fighter.harm_slots -= sheet.harm_slots_used
    fighter.wound_slots -= sheet.wound_slots_used
    for which, carried in ((MELEE_WEAPON, sheet.melee), (RANGED_WEAPON, sheet.ranged)):
        fighter.weapons |= {"none": 0, "held": HELD, "dropped": DROPPED}[carried] << (2 * which)
    fighter.ammo, fighter.most_ammo = sheet.ammo - sheet.ammo_used, sheet.ammo
    if not sheet.deck:
        fighter.deck, fighter.ticks = 0, points_lost(sheet)
        return
    fighter.discard, fighter.exhausted = bits(sheet.discard), bits(sheet.exhausted)
    fighter.deck = (WHOLE_DECK | bits(sheet.wound_cards)) & ~fighter.discard & ~fighter.exhausted
    fighter.veiled = sheet.face_down
    fighter.open = fighter.exhausted
    _lay_down(fight, fighter, read_pile(sheet.pile) or [FaceDown(fighter.deck)] * sheet.face_down)
    if points_left(fight, fighter) <= 0:
        mode = "Gritty" if fight.gritty else "Heroic"
        raise Invalid(f"{sheet.name} has no Stamina left for {mode} mode before a rest or healing", given=sheet.name)


def _lay_down(fight: Fight, fighter: Fighter, pile: Sequence[FaceDown]) -> None:
    """Put the cards where they lie, unless they are to be turned up, or the rules are not to know them. 14, 33."""
    for place, one in enumerate(pile):
        fighter.laid[place] = 1 << one.card if fight.gritty and one.card >= 0 else one.may_be & fighter.deck
    if fight.gritty or fight.veil:
        return
    for place, one in enumerate(pile):
        if one.card >= 0:
            fighter.lost[place] = one.card
            fighter.veiled -= 1
            fighter.deck &= ~(1 << one.card)
            fighter.exhausted |= 1 << one.card
