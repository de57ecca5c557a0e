"""What everybody has seen return does not lie face down: beliefs and odds against every pile that fits. 14."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import inf, sqrt
from random import Random
from typing import Any

import pytest

from affray.fight import Fight
from affray.kernel import records
from affray.kernel.chance import Dice, Scripted, Seeded, cards_of
from affray.kernel.exact import Exact
from affray.lab import playouts
from affray.lab.odds import sample_moves
from affray.players.tactics import decide, numbered, usual_tactics
from affray.systems.deckahedron import events, rules
from affray.systems.deckahedron.cards import FIRST_WOUND

MOST_DOWN = 3  # cards face down in one pile whose every order the tests go through
Pile = tuple[int, ...]


class Observer:
    """Goes through the story of one fighter and keeps every Exhaustion pile, in its order, that fits all of it."""

    def __init__(self) -> None:
        self.unseen, self.discard, self.wounds = set(range(FIRST_WOUND)), set[int](), 0
        self.piles: list[Pile] = [()]
        self.reshuffled = False  # since the first card was laid down

    def see(self, kind: Any, event: Any, place: int) -> None:
        if kind in (events.FLIPS, events.READS_PIPS):
            shown = cards_of(event.cards) if kind == events.FLIPS else [event.card]
            self.piles = [pile for pile in self.piles if not set(shown) & set(pile)]
            self.unseen -= set(shown)
            self.discard |= set(shown)
        elif kind == events.LOSES:
            self.piles = [(*pile, card) for pile in self.piles for card in self.unseen - set(pile)]
        elif kind == events.REGAINS:
            fitting = [pile for pile in self.piles if pile[place] == event.card]
            self.piles = [pile[:place] + pile[place + 1 :] for pile in fitting]
            self.unseen.discard(event.card)
            self.discard.add(event.card)
        elif kind == events.RESHUFFLES:
            self.reshuffled |= bool(self.piles[0])
            self.unseen |= self.discard
            self.discard = set()
        elif kind == events.WOUNDS:
            self.discard.add(FIRST_WOUND + self.wounds)
            self.wounds += 1


def watched(seed: int, teams: str, options: dict[str, Any]) -> Iterator[tuple[Fight, list[Observer]]]:
    """A fight at each decision, with what an observer makes of either pile, for as long as these are small."""
    fight = Fight("deckahedron", teams, seed=seed, options=options)
    observers = [Observer() for _ in fight.names]
    told = 0
    while not fight.over:
        for line in fight.lines[told:]:
            if hasattr(line.event, "who"):
                picked = [fell for event in line.announced for fell in event.fell if fell.throw.kind == "pick"]
                observers[line.event.who].see(line.event.kind, line.event, picked[0][0] if picked else 0)
            if any(len(one.piles[0]) > MOST_DOWN for one in observers):
                return
        told = len(fight.lines)
        yield fight, observers
        who = fight.to_act[0]
        fight.play(who, decide(fight, who, "random"))


def decisions_after_a_reshuffle(most: int, **options: Any) -> Iterator[tuple[Fight, list[Observer]]]:
    """Decisions of natural duels at which cards lie face down that were laid there before a reshuffle."""
    found = 0
    for seed in range(10_000):
        teams = ("heroes=odo monsters=guard", "heroes=maren:tokens=2 monsters=soldier", "heroes=brack monsters=odo")
        for fight, observers in watched(seed, teams[seed % 3], {"breather_repeat": True, **options}):
            if any(one.reshuffled and one.piles[0] for one in observers):
                yield fight, observers
                found += 1
            if found == most:
                return


def next_card(piles: list[Pile], unseen: set[int]) -> dict[int, Fraction]:
    """How likely each card lies on top, over all piles that fit."""
    lying = Counter(card for pile in piles for card in pile)
    cases = len(piles) * (len(unseen) - len(piles[0]))
    return {card: Fraction(len(piles) - lying[card], cases) for card in unseen if lying[card] < len(piles)}


def drawn(state: Any, who: int) -> dict[int, Fraction]:
    """The same by the rules, from a view."""
    fighter = state.fighters[who]

    def top(dice: Dice) -> int:
        return rules.top_card(fighter, fighter.deck, dice)

    return {card: Fraction(weight, whole) for card, weight, whole in Exact().outcomes(top)}


@pytest.mark.parametrize("options", [{}, {"face_down": "unknown"}, {"d4": "cards"}], ids=str)
def test_the_next_card_is_as_likely_as_over_all_piles_that_fit(options: dict[str, Any]) -> None:
    for fight, observers in decisions_after_a_reshuffle(300 if not options else 60, **options):
        seen = fight.setup.view(fight.state, 0)
        for who, observer in enumerate(observers):
            if not rules.deck_size(seen.fighters[who]):
                continue
            assert set(cards_of(seen.fighters[who].deck)) == observer.unseen
            assert drawn(seen, who) == next_card(observer.piles, observer.unseen)
            if options.get("face_down") != "unknown":
                assert tuple(fight.state.fighters[who].lost[: len(observer.piles[0])]) in observer.piles


def test_what_is_imagined_are_all_piles_that_fit_and_no_others() -> None:
    for place, (fight, observers) in enumerate(decisions_after_a_reshuffle(60)):
        who = place % 2
        fitting = set(observers[who].piles)
        found = set()
        for number in range(60):
            imagined = fight.setup.imagined(fight.state, 0, Seeded(place, number))
            fighter = imagined.fighters[who]
            pile = tuple(fighter.lost[: rules.face_down(fighter)])
            assert sum(1 << card for card in pile) == fighter.exhausted
            assert imagined.veil == 0
            found.add(pile)
        assert found <= fitting
        assert len(found) >= min(len(fitting), 30) / 2


def test_a_card_that_came_back_is_not_taken_for_one_that_lies_face_down() -> None:
    """The case of the audit: nine cards are exhausted, and eleven that everybody saw are shuffled back."""
    fight = Fight("deckahedron", "heroes=odo:face_down=9:discard=1+2+3+4+5+6+7+8+9+10+11 monsters=guard", seed=1)
    state = fight.setup.seated()
    state.veil = 1
    rules.reshuffle(state, 0, None)
    chances = drawn(state, 0)
    assert chances == dict.fromkeys(range(11), Fraction(1, 11))
    by_streams = {rules.top_card(state.fighters[0], state.fighters[0].deck, Seeded(3, number)) for number in range(300)}
    assert by_streams == set(range(11))
    with pytest.raises(Exception, match="cannot show 12"):
        rules.top_card(state.fighters[0], state.fighters[0].deck, Scripted([12]))


def test_the_odds_are_the_mean_over_all_piles_that_fit(native: object) -> None:
    """300 decisions after a reshuffle: the odds shown, and play-outs from piles that an observer holds possible."""
    random, plays, off = Random(15), 400, []
    for fight, observers in decisions_after_a_reshuffle(300):
        who = fight.index(fight.to_act[0])
        code = fight.codes(who)[0]
        tactics = numbered(fight.system, usual_tactics(fight))
        (shown,) = sample_moves(fight.setup, fight.state, who, [code], tactics, plays, seconds=600)
        won = 0
        for part in range(20):
            known = records.copy(fight.state)
            for fighter, observer in zip(known.fighters, observers, strict=True):
                pile = random.choice(observer.piles)
                fighter.exhausted = sum(1 << card for card in pile)
                fighter.lost = [*pile, *[0] * (rules.POINTS - len(pile))]
                fighter.deck = sum(1 << card for card in observer.unseen - set(pile))
            tally = playouts.Tally([0] * len(fight.endings), [], [])
            run = playouts._native_run(fight.setup, known, who, [code], tactics, 1_000 + part, [tally])
            run(0, 0, plays // 20, inf)
            won += tally.endings[0]
        chance, other = float(shown.chances["heroes"]), won / plays
        spread = sqrt(max(1e-9, (chance + other) / 2 * (1 - (chance + other) / 2) * 2 / plays))
        off.append((chance - other) / spread)
    assert len(off) == 300
    assert max(map(abs, off)) < 4.5
    assert abs(sum(off)) / sqrt(300) < 4
    assert sum(abs(one) > 1.96 for one in off) < 35  # about 15 of 300 are outside of a 95 % interval by chance
