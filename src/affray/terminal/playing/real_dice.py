"""Real dice, coins and cards on a real table: asks for each throw, and says what it is for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from affray.errors import Illegal, Invalid, Refused
from affray.fight import Fight
from affray.kernel.chance import Hand, Throw, cards_of
from affray.system.abilities import Cards
from affray.terminal.playing.session import Session
from affray.terminal.screen.keyboard import Keyboard, Leave
from affray.terminal.screen.output import complain, say

SIDES = {"h": "1", "head": "1", "heads": "1", "t": "0", "tail": "0", "tails": "0"}


class TakenBack(Exception):
    """Instead of throwing, the player wants to choose again."""


class Tray:
    """Where the dice are thrown: what `Hand` asks. The session is known once the fight has begun."""

    def __init__(self, keyboard: Keyboard) -> None:
        self.keyboard = keyboard
        self.session: Session | None = None
        self.hand: Hand | None = None
        self.cards: Cards | None = None
        self.opening = ""  # what to say before the first throw, if it comes before the fight is announced

    def take(self, fight: Fight) -> None:
        """Take the dice and cards of a fight that goes on."""
        self.cards = fight.system.ability(Cards)
        if isinstance(fight.dice, Hand):
            self.hand = fight.dice

    def purpose(self) -> str:
        """Tell what has happened so far, and say what the throw is for."""
        announced = self.hand.thrown_for() if self.hand else ""
        if self.session is None:
            return announced
        self.session.tell()
        return announced or self.session.throwing

    def __call__(self, throw: Throw) -> Sequence[int]:
        purpose = self.purpose()
        if throw.kind == "coins" and throw.n == 0:
            return (0,)  # there is nothing to flip
        if self.session is None and self.opening:
            say(self.opening, style="heading")
            self.opening = ""
        say(_request(throw, purpose, self.cards), indent="  ", hang="    ")
        while True:
            line = self.keyboard.ask(f"{throw}> ", ("undo", "quit"), remember=False)
            self.keyboard.echo(line)
            try:
                return self._read(throw, line)
            except Refused as problem:
                complain(problem)

    def _read(self, throw: Throw, line: str) -> Sequence[int]:
        match line.lower():
            case "quit" | "q" | "exit":
                raise Leave
            case "undo" if self.session:
                if self.session.choice_stands:
                    raise Illegal("your choice stands, because what has fallen for it was seen", given=line)
                raise TakenBack
            case "" | "?" | "help":
                undo = "`undo` takes the choice back, " if self.session else ""
                raise Invalid(f"type {expected(throw, self.cards)}; {undo}`quit` leaves")
        if throw.kind == "card" and self.cards:
            return (card_called(self.cards, throw.n, line),)
        return throw.check(numbers(throw, line))


def _request(throw: Throw, purpose: str, cards: Cards | None) -> str:
    """What is to be thrown, by whom and for what, and what to type then."""
    wanted = expected(throw, cards)
    several, _, in_turn = purpose.partition(": ")
    if throw.turn >= 0 and in_turn:
        return f"{several}: {in_turn.split(', ')[throw.turn]} flips {throw}: {wanted}?"
    who, _, what = purpose.partition(", ")
    if throw.kind == "coins" and what:
        return f"{who} flips {throw} for {what}: {wanted}?"
    act = {"card": "Turn over", "coins": "Flip"}.get(throw.kind, "Throw")
    return f"{act} {throw}{f' for {purpose}' if purpose else ''}: {wanted}."


def expected(throw: Throw, cards: Cards | None = None) -> str:
    """What to type for a throw; cards have names of their own in some systems."""
    match throw.kind:
        case "dice" if throw.n == 1:
            return f"a number, 1 to {throw.sides}"
        case "dice":
            faces = [str(min((4, 4, 2)[die % 3], throw.sides)) for die in range(throw.n)]
            return f"{throw.n} numbers, such as {' '.join(faces)} or {''.join(faces)}"
        case "coins" if throw.n == 1:
            return "Heads or Tails"
        case "coins":
            return f"how many Heads, 0 to {throw.n}"
        case "percent" if throw.n == 1:
            return "a number, 1 to 100"
        case "percent":
            return f"the units die, then the {throw.n} tens dice, each 0 to 9"
        case "card":
            return cards.hint if cards else "the number of the card"
        case "pick":
            return f"a number, 0 to {throw.n - 1}"


def numbers(throw: Throw, line: str) -> list[int]:
    """The numbers of a line: apart, or as one word where each is a single digit."""
    words = re.split(r"[\s,;+]+", line.strip(" ,;+\t"))
    if throw.kind == "coins" and throw.n == 1:
        words = [SIDES.get(word.lower(), word) for word in words]
    if throw.kind == "percent" and throw.n == 1 and len(words) == 1 and words[0].isdecimal():
        words = _as_faces(throw, words[0])
    elif len(words) == 1 and len(words[0]) == {"dice": throw.n, "percent": 1 + throw.n}.get(throw.kind):
        words = list(words[0])
    if not all(word.isdecimal() and len(word) < 10 for word in words):
        raise Invalid(f"{line[:40]!r} is not a result of {throw}; type {expected(throw)}", given=line)
    return [int(word) for word in words]


def _as_faces(throw: Throw, word: str) -> list[str]:
    """The units die and the tens die of a d100 that was read as one number."""
    if len(word) > 3 or not 1 <= int(word) <= 100:
        raise Invalid(f"{throw} cannot show {word[:40]}; it must be 1 to 100", given=word)
    return [str(int(word) % 10), str(int(word) // 10 % 10)]


def card_called(cards: Cards, pile: int, line: str) -> int:
    """The card of a pile that is meant by one of its names."""
    said = line.strip().lower()
    meant = [card for card, names in enumerate(cards.names) if said in names]
    there = [card for card in meant if pile >> card & 1]
    if len(there) == 1:
        return there[0]
    if there:
        several = " or ".join(_in_full(cards, card) for card in there)
        raise Invalid(f"{said!r} may be {several}; type its number", given=line)
    if meant:
        absent = _in_full(cards, meant[0]) if len(meant) == 1 else repr(said)
        left = ", ".join(cards.names[card][0] for card in cards_of(pile))
        raise Invalid(f"{absent} cannot have come up: it lies in another pile. Here are {left}", given=line)
    raise Invalid(f"{line[:40]!r} is not a card; type {cards.hint}", given=line)


def _in_full(cards: Cards, card: int) -> str:
    number, *others = cards.names[card]
    return f"{number} ({others[0]})" if others else number
