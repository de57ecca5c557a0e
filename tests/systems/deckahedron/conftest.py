"""A stage for the rules of the deck: given fighters, cards and dice as they are to fall, then what has come of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from affray.errors import Illegal
from affray.fight import Fight
from affray.kernel.chance import Fell, Scripted, Throw, cards_of
from affray.systems.deckahedron.cards import EDGES, FIRST_WOUND, WHOLE_DECK
from affray.systems.deckahedron.rules import POINTS, Fighter, face_down, pile_size
from affray.systems.deckahedron.sheets import SHEETS, bits

Roster = Mapping[str, Mapping[str, Mapping[str, object]]]


class Laid(Scripted):
    """Cards and dice as the test names them; what is laid face down is the highest card unless it is named too.

    A card that comes back is named as well: its place in the pile follows.
    """

    def __init__(self) -> None:
        super().__init__([])
        self.laid: list[int] = []
        self.places: Callable[[int], int] = lambda card: 0

    def throw(self, throw: Throw) -> Fell:
        if throw.kind == "pick":
            return throw.check([self.places(self.results[self._at][0])])
        if not throw.unseen:
            return super().throw(throw)
        plain = [card for card in cards_of(throw.n) if card < FIRST_WOUND] or cards_of(throw.n)
        return throw.check([self.laid.pop(0) - 1 if self.laid else plain[-1]])


class Scene:
    """A fight in which the fighters act in the order they are named in, with whole decks at first."""

    def __init__(self, teams: Roster, options: Mapping[str, object]) -> None:
        self.dice = Laid()
        seated = {
            team: [{"name": name, "kind": "foe", **changes} for name, changes in members.items()]
            for team, members in teams.items()
        }
        everybody = [SHEETS.enlist(sheet) for members in seated.values() for sheet in members]
        flipped, storyteller = [], 0
        if options.get("ambush", "none") == "none":
            for score, sheet in zip((4, 3, 2, 1), everybody, strict=False):
                owned = (WHOLE_DECK & ~storyteller) if not sheet.deck else WHOLE_DECK
                kept = owned & ~bits([*sheet.discard, *sheet.exhausted])
                card = next(card for card in cards_of(kept) if EDGES[card][sheet.dexterity - 1] == str(score))
                storyteller |= 0 if sheet.deck else 1 << card
                flipped.append(card)
        self.dice.results = [(card,) for card in flipped]
        self.fight = Fight("deckahedron", seated, dice=self.dice, options=options)
        self.dice.finish()
        self.dice.places = self._place_of
        self._take_back(flipped)

    def _take_back(self, flipped: Sequence[int]) -> None:
        """Put the cards flipped for the order back, so that every test begins with a whole deck."""
        state = self.fight.state
        state.deck, state.discard = WHOLE_DECK, 0
        for fighter, card in zip(state.fighters, flipped, strict=False):
            if fighter.has_deck:
                fighter.deck |= 1 << card
                fighter.discard &= ~(1 << card)

    def _place_of(self, card: int) -> int:
        """Where a card lies in the Exhaustion pile of the fighter who acts; anywhere, where that is unknown."""
        fighter = self.fight.state.fighters[self.fight.state.actor]
        hidden = fighter.lost[: face_down(fighter)]
        return 0 if fighter.veiled else [*hidden, *cards_of(fighter.open)].index(card)

    def __getitem__(self, name: str) -> Fighter:
        found: Fighter = self.fight.state.fighters[self.fight.index(name)]
        return found

    def move(self, who: str, text: str, *fell: int | str, down: Sequence[int] = ()) -> list[str]:
        """Play a move for which cards (numbers from 1) and dice (`d3`) fall, all of them; what was told.

        Cards that are laid `down` unseen are named apart, or not at all.
        """
        self.dice.results += [(int(fallen[1:]),) if isinstance(fallen, str) else (fallen - 1,) for fallen in fell]
        self.dice.laid = list(down)
        lines = [str(line) for line in self.fight.play(who, text)]
        self.dice.finish()
        assert not self.dice.laid, "not as many cards were lost as the test says"
        return lines

    def turn(self, who: str, text: str, *fell: int | str, down: Sequence[int] = ()) -> list[str]:
        """The same, and then no reshuffle if one is offered."""
        lines = self.move(who, text, *fell, down=down)
        return lines + self.keep(who)

    def keep(self, who: str) -> list[str]:
        """Decline the reshuffle that is offered, if it is."""
        if self.legal(who) == ["keep", "reshuffle"]:
            return self.move(who, "keep")
        return []

    def cites(self, kind: str) -> list[str]:
        """The rulings behind the last event of a kind."""
        number = max(place for place, line in enumerate(self.fight.lines) if line.event.kind.name == kind)
        return list(self.fight.cites(number))

    def refused(self, who: str, text: str) -> str:
        """The sentence with which a move is refused; nothing has changed and nothing was drawn."""
        before = repr(self.fight), repr(self.fight.state), list(self.dice.fallen), self.fight.to_act
        with pytest.raises(Illegal) as caught:
            self.fight.play(who, text)
        assert (repr(self.fight), repr(self.fight.state), list(self.dice.fallen), self.fight.to_act) == before
        return str(caught.value)

    def legal(self, who: str) -> list[str]:
        return [str(move) for move in self.fight.legal(who)]

    def lost(self, who: str) -> int:
        """How many points a fighter has lost: cards of the Exhaustion pile, or ticks."""
        fighter = self[who]
        return pile_size(fighter) if fighter.has_deck else fighter.ticks

    def piles(self, who: str) -> tuple[list[int], list[int], list[int]]:
        """Deck, discard pile and Exhaustion pile by the cards' numbers."""
        fighter = self[who]
        deck, discard, exhausted = (
            [card + 1 for card in cards_of(pile)] for pile in (fighter.deck, fighter.discard, fighter.exhausted)
        )
        return deck, discard, exhausted

    def stack(self, who: str, discard: Sequence[int] = (), exhausted: Sequence[int] = ()) -> None:
        """Lay out a fighter's piles; the rest is the deck. In Heroic mode any unseen card may lie face down."""
        fighter = self[who]
        owned = fighter.deck | fighter.discard | fighter.exhausted
        fighter.discard, fighter.exhausted = bits(discard), bits(exhausted)
        assert not (fighter.discard | fighter.exhausted) & ~owned
        fighter.deck = owned & ~fighter.discard & ~fighter.exhausted
        fighter.open = fighter.exhausted
        if not self.fight.state.gritty:
            unknown = POINTS - len(exhausted)
            fighter.open = 0
            fighter.lost = [*(card - 1 for card in exhausted), *[0] * unknown]
            fighter.laid = [*[owned & ~fighter.discard] * len(exhausted), *[0] * unknown]

    def wound(self, who: str, cards: Sequence[int] = (21,)) -> None:
        """Let a fighter have Wounds whose cards are in the deck."""
        self[who].wounds = len(cards)
        self[who].deck |= bits(cards)

    @property
    def to_act(self) -> list[str]:
        return self.fight.to_act


@pytest.fixture
def duel() -> Callable[..., Scene]:
    """Ada against Bob, rank 2 in everything unless changed; Ada acts first."""

    def meet(ada: Mapping[str, object] | None = None, bob: Mapping[str, object] | None = None, **options: Any) -> Scene:
        return Scene({"heroes": {"Ada": ada or {}}, "villains": {"Bob": bob or {}}}, options)

    return meet


@pytest.fixture
def brawl() -> Callable[..., Scene]:
    """Any teams of up to four fighters: names with their changes, by team; or just names."""

    def together(options: Mapping[str, object] | None = None, **teams: Mapping[str, Any] | Sequence[str]) -> Scene:
        filled = {
            team: members if isinstance(members, Mapping) else {name: {} for name in members}
            for team, members in teams.items()
        }
        return Scene(filled, options or {})

    return together
