"""Who fights with a Deckahedron: characters with their piles and tokens, foes, and the options of the rules."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from affray.errors import Invalid
from affray.kernel.chance import cards_of
from affray.kernel.records import blank
from affray.schema import (
    Flag,
    Option,
    Schema,
    Slug,
    Text,
    Value,
    Whole,
    Word,
    check,
    refusal,
)
from affray.specs import Register
from affray.systems.deckahedron.cards import CARDS, FIRST_WOUND, STAMINA, WHOLE_DECK, count_of
from affray.systems.deckahedron.rules import DROPPED, HELD, MELEE_WEAPON, POINTS, RANGED_WEAPON, Fight, Fighter
from affray.systems.deckahedron.tactics import TACTICS

# Options

OPTIONS = (
    Option("mode", Word(("heroic", "gritty")), "heroic", "whether any card is lost, face down, or good ones", "modes"),
    Option("range", Word(("close", "far")), "close", "how far the teams are from each other at first", "9"),
    Option("ambush", Word(("none", "first", "last")), "none", "which team attacks before the others know it", "1"),
    Option("d4", Word(("die", "cards")), "die", "what a 1d4 is: a die, or the pips of one's own cards", "flip"),
    Option("breather_floor", Flag(), True, "a Breather leaves as many cards as there are Harm and Wound tokens", "22"),
    Option("breather_repeat", Flag(), False, "a Breather may follow upon a Breather", "22"),
    Option("gang_up", Flag(), False, "+1 from the second attacker on in a round", "25"),
    Option("face_down", Word(("known", "unknown")), "known", "whether the program knows the face-down cards", "14"),
    Option("round_cap", Whole(1, 10_000), 200, "rounds after which the fight is a draw", "31"),
)

# Sheets


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """A combatant as it enters a fight. Cards are numbers from 1; 21 to 24 are Wound cards."""

    id: str
    name: str
    kind: Literal["character", "foe"] = "character"
    points: int = 6
    strength: int = 2
    dexterity: int = 2
    intelligence: int = 2
    speed: int = 2
    stamina: int = POINTS
    deck: bool = True
    tokens: int = 0
    melee: Literal["held", "dropped", "none"] = "held"
    ranged: Literal["held", "dropped", "none"] = "none"
    ammo: int = 3
    ammo_used: int = 0
    harm_slots: int = 0
    harm_slots_used: int = 0
    wound_slots: int = 0
    wound_slots_used: int = 0
    discard: tuple[int, ...] = ()
    exhausted: tuple[int, ...] = ()
    face_down: int = 0
    wound_cards: tuple[int, ...] = ()
    tokens_taken: int = 0
    harm: int = 0
    wounds: int = 0
    incapacitated: bool = False
    tactic: str = "brawler"
    note: str = ""


@dataclass(frozen=True)
class Cards:
    """A pile of cards by their numbers; typed as 3+11+17."""

    def allows(self) -> str:
        return f"cards by their numbers, 1 to {CARDS}"

    def take(self, value: object, label: str) -> tuple[int, ...]:
        if not isinstance(value, list | tuple) or not all(type(card) is int and 1 <= card <= CARDS for card in value):
            raise refusal(label, value, self.allows())
        if len(set(value)) < len(value):
            raise refusal(label, value, "each card once")
        return tuple(sorted(value))

    def read(self, text: str) -> object:
        parts = [part for part in text.split("+") if part]
        return [int(part) if re.fullmatch(r"[0-9]{1,3}", part) else part for part in parts]


_RANK = Whole(1, 4)
_CARRIED = Word(("held", "dropped", "none"))
SHEET: Schema = {
    "id": Slug(),
    "name": Text(40),
    "kind": Word(("character", "foe")),
    "points": Whole(3, 12),
    "strength": _RANK,
    "dexterity": _RANK,
    "intelligence": _RANK,
    "speed": Whole(0, 4),
    "stamina": Whole(2, 20),
    "deck": Flag(),
    "tokens": Whole(0, 10),
    "melee": _CARRIED,
    "ranged": _CARRIED,
    "ammo": Whole(0, 4),
    "ammo_used": Whole(0, 4),
    "harm_slots": Whole(0, 4),
    "harm_slots_used": Whole(0, 4),
    "wound_slots": Whole(0, 4),
    "wound_slots_used": Whole(0, 4),
    "discard": Cards(),
    "exhausted": Cards(),
    "face_down": Whole(0, 20),
    "wound_cards": Cards(),
    "tokens_taken": Whole(0, 10),
    "harm": Whole(0, 2),
    "wounds": Whole(0, 2),
    "incapacitated": Flag(),
    "tactic": Word(tuple(TACTICS)),
    "note": Text(),
}


def checked(sheet: Sheet) -> Sheet:
    """The sheet, if it holds together; `Invalid` if not."""
    return _made(as_table(sheet), sheet.name)


def _made(table: Mapping[str, object], where: str) -> Sheet:
    """The one door to a sheet: every value in its range, every card in one pile."""
    taken = check(SHEET, table, where, ("name",))
    sheet = Sheet(**{"id": taken.get("kind", "character"), **taken})  # type: ignore[arg-type]
    ranks = sheet.strength + sheet.dexterity + sheet.intelligence
    if sheet.kind == "character" and ranks != sheet.points:
        raise Invalid(f"{where}: strength, dexterity and intelligence come to {ranks}, allowed is {sheet.points}")
    _check_piles(sheet, where)
    return sheet


def _check_piles(sheet: Sheet, where: str) -> None:
    if any(card <= FIRST_WOUND for card in sheet.wound_cards) or len(sheet.wound_cards) != sheet.wounds:
        allowed = f"{sheet.wounds} of the cards 21 to {CARDS}, one for each Wound"
        raise refusal(f"{where}: wound_cards", list(sheet.wound_cards), allowed)
    piled = [*sheet.discard, *sheet.exhausted]
    owned = {*range(1, FIRST_WOUND + 1), *sheet.wound_cards}
    if len(set(piled)) < len(piled) or not set(piled) <= owned:
        raise refusal(f"{where}: discard and exhausted", piled, "cards of the deck, each in one pile")
    most = points_of(sheet) if sheet.incapacitated else points_of(sheet) - 1
    if points_lost(sheet) > most:
        raise refusal(f"{where}: lost Stamina", points_lost(sheet), f"0 to {most}")
    if sheet.deck and sheet.face_down > len(owned) - len(piled):
        raise refusal(f"{where}: face_down", sheet.face_down, "no more cards than the deck has")
    if sheet.tokens_taken > _slots(sheet):
        raise refusal(f"{where}: tokens_taken", sheet.tokens_taken, f"0 to {_slots(sheet)}, its tokens")
    for used, of in (("ammo_used", "ammo"), ("harm_slots_used", "harm_slots"), ("wound_slots_used", "wound_slots")):
        if getattr(sheet, used) > getattr(sheet, of):
            allowed = f"0 to {getattr(sheet, of)}, its {of.replace('_', ' ')}"
            raise refusal(f"{where}: {used}", getattr(sheet, used), allowed)


def points_of(sheet: Sheet) -> int:
    """How many Stamina points incapacitate: ten at most where they are cards. 24."""
    return min(POINTS, sheet.stamina) if sheet.deck else sheet.stamina


def points_lost(sheet: Sheet) -> int:
    """How many Stamina points the sheet has lost: the cards of its Exhaustion pile, or its ticks."""
    return len(sheet.exhausted) + sheet.face_down


def _slots(sheet: Sheet) -> int:
    """How many Exhaustion tokens the sheet can take: its own, and what its Stamina has beyond the ten. 24."""
    return sheet.tokens + (max(0, sheet.stamina - POINTS) if sheet.deck else 0)


def as_table(sheet: Sheet) -> dict[str, object]:
    """The sheet as plain values for JSON; `enlist` makes the same sheet of it."""
    table = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(sheet).items()}
    return table if sheet.note else {key: value for key, value in table.items() if key != "note"}


REGISTER = Register("affray.systems.deckahedron", SHEET, OPTIONS, _made, as_table)
enlist, check_file, fighters, rulings = REGISTER.enlist, REGISTER.check_file, REGISTER.fighters, REGISTER.rulings

# From sheets to the record


def bits(cards: Sequence[int]) -> int:
    """Cards by their numbers as the bits of a pile."""
    return sum(1 << (card - 1) for card in cards)


def seat(teams: Sequence[Sequence[Sheet]], options: Mapping[str, Value]) -> Fight:
    """The fight before anything has happened."""
    sheets = [(team, sheet) for team, members in enumerate(teams) for sheet in members]
    for _, sheet in sheets:
        if sheet.incapacitated:
            raise Invalid(f"{sheet.name} is incapacitated and cannot fight before a rest or healing", given=sheet.name)
    fight = blank(Fight, len(sheets))
    fight.teams = len(teams)
    fight.gritty = int(options["mode"] == "gritty")
    fight.veil = int(options["face_down"] == "unknown" and options["mode"] == "heroic")
    fight.d4_cards = int(options["d4"] == "cards")
    fight.breather_floor = int(options["breather_floor"])
    fight.breather_repeat = int(options["breather_repeat"])
    fight.gang_up = int(options["gang_up"])
    fight.ambush = {"none": 0, "first": 1, "last": len(teams)}[str(options["ambush"])]
    fight.round_cap = int(options["round_cap"])
    for who, (team, sheet) in enumerate(sheets):
        _seat_one(fight, who, team, sheet)
        if options["range"] == "close":
            fight.fighters[who].near = sum(1 << other for other, (theirs, _) in enumerate(sheets) if theirs != team)
    return fight


def _seat_one(fight: Fight, who: int, team: int, sheet: Sheet) -> None:
    fighter = fight.fighters[who]
    fighter.team = team
    fighter.strength, fighter.dexterity, fighter.intelligence = sheet.strength, sheet.dexterity, sheet.intelligence
    fighter.speed, fighter.stamina, fighter.has_deck = sheet.speed, sheet.stamina, int(sheet.deck)
    fighter.tokens, fighter.token_slots = sheet.tokens_taken, _slots(sheet)
    fighter.harm, fighter.wounds = sheet.harm, sheet.wounds
    fighter.harm_slots = sheet.harm_slots - sheet.harm_slots_used
    fighter.wound_slots = sheet.wound_slots - sheet.wound_slots_used
    for which, carried in ((MELEE_WEAPON, sheet.melee), (RANGED_WEAPON, sheet.ranged)):
        fighter.weapons |= {"none": 0, "held": HELD, "dropped": DROPPED}[carried] << (2 * which)
    fighter.ammo, fighter.most_ammo = sheet.ammo - sheet.ammo_used, sheet.ammo
    if not sheet.deck:
        fighter.ticks = points_lost(sheet)
        return
    fighter.discard, fighter.exhausted = bits(sheet.discard), bits(sheet.exhausted)
    fighter.deck = (WHOLE_DECK | bits(sheet.wound_cards)) & ~fighter.discard & ~fighter.exhausted
    fighter.veiled = sheet.face_down
    if fight.gritty:
        _turn_up(fighter)
    elif fight.veil:  # 14
        fighter.veiled += count_of(fighter.exhausted)
        fighter.deck |= fighter.exhausted
        fighter.exhausted = 0
    assert count_of(fighter.deck) >= fighter.veiled


def _turn_up(fighter: Fighter) -> None:
    """In Gritty mode a lost point is a card that everybody sees: the first of the deck with a Stamina symbol.

    Where the deck has too few, those of the discard pile follow; ten there are in all, and nine may be lost.
    """
    for card in (*cards_of(fighter.deck & STAMINA), *cards_of(fighter.discard & STAMINA))[: fighter.veiled]:
        fighter.deck &= ~(1 << card)
        fighter.discard &= ~(1 << card)
        fighter.exhausted |= 1 << card
    fighter.veiled = 0
