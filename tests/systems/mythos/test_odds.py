"""Odds while a fight is on: exact near its end, and what a count of all rolls by hand comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from affray.fight import Fight
from affray.lab.odds import Odds

Scenery = Callable[..., Any]
Chances = tuple[Fraction, Fraction, Fraction]  # to win, to lose, to go on
FRAIL = {"max_hp": 5, "hp": 1}  # a fighter who is hit is dead
SLOW, FAST = {"mov": 5}, {"mov": 9}  # never as fast as the other, whatever Constitution says


def level(roll: int, skill: int) -> int:
    """0 a failure, 1 a success, 2 a hard one, 3 an extreme one, 4 a critical one, by the document's chart."""
    if roll == 1:
        return 4
    if roll == 100:
        return 0
    return sum(roll <= bound for bound in (skill, skill // 2, skill // 5))


def d100(net: int = 0) -> list[int]:
    """All rolls that fall equally often, with bonus or penalty tens dice."""
    keep = min if net > 0 else max
    throws = product(range(10), repeat=2 + abs(net))
    return [keep((10 * ten + units) or 100 for ten in tens) for units, *tens in throws]


def counted(outcomes: Iterable[int]) -> Chances:
    """The chances of 1, -1 and 0."""
    found = list(outcomes)
    won, lost, nothing = (Fraction(found.count(worth), len(found)) for worth in (1, -1, 0))
    return won, lost, nothing


def attacked(attack: int, back: int) -> Chances:
    """How an attack ends for the attacker when the target fights back: ties are the attacker's, if both succeed."""

    def ends(mine: int, theirs: int) -> int:
        if mine and mine >= theirs:
            return 1
        return -1 if theirs > mine else 0

    return counted(ends(level(a, attack), level(b, back)) for a, b in product(d100(), d100()))


def dodged(attack: int, dodge: int) -> Chances:
    """How an attack ends for the attacker when the target dodges: only a higher level hits."""
    return counted(int(level(a, attack) > level(b, dodge)) for a, b in product(d100(), d100()))


def odds_of(fight: Fight, who: str = "ada") -> dict[str, Odds]:
    found = {str(move): odds for move, odds in fight.odds(who).items()}
    assert all(odds.exact and odds.how == "exact" for odds in found.values())
    return found


def shares(odds: Odds) -> tuple[object, ...]:
    return tuple(odds.chances.values())


@pytest.mark.parametrize(("brawl", "dodge", "facing"), [(60, 30, 45), (25, 80, 70), (99, 1, 100), (7, 50, 3)])
def test_the_last_exchange_of_a_fight_is_counted_exactly(duel: Scenery, brawl: int, dodge: int, facing: int) -> None:
    """One round is left. Ada attacks; if both still stand Bob does, and she reacts as it suits her best."""
    sheet = {**FRAIL, **SLOW, "skills": {"brawl": brawl, "dodge": dodge}}
    foe = {**FRAIL, **FAST, "skills": {"brawl": facing}}
    fight = duel(sheet, foe, manoeuvres=False, round_cap=1).fight
    struck, lost, missed = attacked(facing, brawl)  # Bob's attack, met by fighting back
    hit, _, avoided = dodged(facing, dodge)
    back, away = (lost, struck, missed), (Fraction(0), hit, avoided)
    best = max(back, away, key=lambda chances: chances[0] - chances[1])
    won, fell, on = attacked(brawl, facing)
    attacking = (won + on * best[0], fell + on * best[1], on * best[2], 0)
    odds = odds_of(fight)
    assert shares(odds["fight"]) == attacking
    assert shares(odds["wait"]) == (*best, 0)
    assert shares(odds["flee"]) == (*best, 0), "who is never fast enough has lost a turn"

    fight.play("ada", "wait")
    fight.play("bob", "fight")
    odds = odds_of(fight)
    assert shares(odds["dodge"]) == (*away, 0)
    assert shares(odds["fight back"]) == (*back, 0)


def test_a_fight_that_may_go_on_for_ever_has_the_odds_of_the_endless_sum(duel: Scenery) -> None:
    """Each round is Ada's exchange and then Bob's, again and again: a geometric series."""
    sheet, foe = {**FRAIL, **SLOW, "skills": {"brawl": 60, "dodge": 1}}, {**FRAIL, **FAST, "skills": {"brawl": 45}}
    fight = duel(sheet, foe, manoeuvres=False, round_cap=10_000).fight
    won, _, on = attacked(60, 45)
    _, lost, missed = attacked(45, 60)
    in_all = (won + on * lost) / (1 - on * missed)
    assert shares(odds_of(fight)["fight"]) == (in_all, 1 - in_all, 0, 0)


@pytest.mark.parametrize(("mov", "net"), [(7, 0), (8, -1)])
def test_the_last_shots_are_counted_with_their_penalty_dice(duel: Scenery, mov: int, net: int) -> None:
    """Two rounds in the gun, one round to go, and a foe who cannot answer: he is dead, or it is a stalemate."""
    gun = {"weapons": ["38-revolver"], "skills": {"handgun": 55}, "loaded": {"38-revolver": 2}, "mov": 12}
    fight = duel(gun, {**FRAIL, "mov": mov, "dexterity": 50}, manoeuvres=False, round_cap=1, surprise="first").fight
    assert fight.to_act == ["ada"]

    def hits(dice: int) -> Fraction:
        rolls = d100(max(-2, min(2, dice)))
        return Fraction(sum(level(roll, 55) > 0 for roll in rolls), len(rolls))

    once, each = hits(net + 1), hits(net + 1 - 1)  # the surprised are attacked with a bonus die
    odds = odds_of(fight)
    assert shares(odds["shoot with .38 revolver"]) == (once, 0, 1 - once, 0)
    twice = 1 - (1 - each) ** 2
    assert shares(odds["shoot twice with .38 revolver"]) == (twice, 0, 1 - twice, 0)


@pytest.mark.parametrize("mine", range(6, 10))
def test_the_odds_of_flight_are_those_of_two_constitution_rolls(duel: Scenery, mine: int) -> None:
    """+1 for an extreme success, -1 for a failure; away with a MOV of at least the enemy's. It is the last round."""

    def pace(roll: int) -> int:
        reached = level(roll, 50)
        return 1 if reached >= 3 else 0 if reached else -1

    away = [mine + pace(a) >= 7 + pace(b) for a, b in product(d100(), d100())]
    escaped = Fraction(sum(away), len(away))
    sheet, foe = {**FRAIL, "mov": mine, "constitution": 50, "dexterity": 30}, {**FRAIL, "constitution": 50, "mov": 7}
    fight = duel(sheet, foe, manoeuvres=False, round_cap=1, surprise="first").fight
    assert shares(odds_of(fight)["flee"]) == (0, 0, 1 - escaped, escaped)
