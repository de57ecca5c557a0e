"""What a move brings at once: counted by the rules, against the dice thrown one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from affray import Fight
from affray.lab import exchange
from affray.lab.exchange import Exchanges, exchanges

BRAWLER = {"name": "Brawler", "dexterity": 60, "skills": {"brawl": 55, "dodge": 40}}
ENEMY = {"name": "brute", "kind": "enemy", "dexterity": 50, "mov": 7, "skills": {"brawl": 35}}


def levels(skill: int) -> dict[int, Fraction]:
    """The chance of each level on a plain d100, from a failure, 0, to a critical success, 4."""
    found = dict.fromkeys(range(5), Fraction(0))
    for rolled in range(1, 101):
        level = 4 if rolled == 1 else 3 if rolled <= skill // 5 else 2 if rolled <= skill // 2 else 1
        found[0 if rolled == 100 or rolled > skill else level] += Fraction(1, 100)
    return found


def contest(attack: int, answer: int, ties: bool) -> tuple[Fraction, Fraction]:
    """The chances that the attacker wins, and that the one who answers does."""
    mine = theirs = Fraction(0)
    for (a, p), (b, q) in product(levels(attack).items(), levels(answer).items()):
        if a and (a > b or (a == b and ties)):
            mine += p * q
        elif b and b > a:
            theirs += p * q
    return mine, theirs


def duel(brawler: dict[str, object] | None = None, **enemy: object) -> Fight:
    """An investigator whose turn it is, and an enemy who will fight back."""
    sides = {"investigators": [{**BRAWLER, **(brawler or {})}], "enemies": [{**ENEMY, **enemy}]}
    return Fight("mythos", sides, seed=1)


def found(fight: Fight, *, compiled: bool = False) -> dict[str, dict[str, Fraction | float]]:
    """What each move of the fighter who decides brings, by its notation."""
    index = fight.index(fight.to_act[0])
    counted = exchanges(fight.setup, fight.state, index, fight.codes(index), compiled=compiled, seconds=60)
    moves = [str(move) for move in fight.legal(fight.to_act[0])]
    return {move: dict(means or {}) for move, means in zip(moves, counted, strict=True)}


def test_an_attack_hits_or_is_answered_as_often_as_the_levels_say() -> None:
    hit, answered = contest(55, 35, ties=True)
    means = found(duel())["fight"]
    assert (means["hit"], means["are hit"]) == (hit, answered)


@pytest.mark.parametrize("armour", [0, 1, 2, 3, 20])
def test_a_blow_that_armour_stops_has_hit_and_not_hurt(armour: int) -> None:
    """Bare hands do 1D3, and as much as they can, 3, by an extreme success."""
    means = found(duel(armour=armour))["fight"]
    hit, answered = contest(55, 35, ties=True)
    great = contest_at(55, 35, {3, 4})
    through = Fraction(max(0, 3 - armour), 3)
    assert means["hit"] == hit
    assert means["hurt"] == (hit - great) * through + great * (armour < 3)
    assert (means["are hit"], means["are hurt"]) == (answered, answered)


def contest_at(attack: int, answer: int, wanted: set[int]) -> Fraction:
    """The chance that the attacker wins by one of these levels."""
    pairs = product(levels(attack).items(), levels(answer).items())
    return sum((p * q for (a, p), (b, q) in pairs if a in wanted and a >= b), Fraction(0))


def test_a_blow_that_waits_for_a_perk_has_hit_and_hurts_where_it_must() -> None:
    perk = {"perks": ["heavy-hitter"], "luck": 50}
    hit = contest(55, 35, ties=True)[0]
    bare, armoured = found(duel(perk))["fight"], found(duel(perk, armour=2))["fight"]
    assert (bare["hit"], bare["hurt"]) == (hit, hit)
    assert (armoured["hit"], armoured["hurt"]) == (hit, contest_at(55, 35, {3, 4})), "3 by an extreme success alone"


def test_cheap_moves_are_counted_before_dear_ones_take_the_time() -> None:
    guns = {"weapons": ["45-automatic", "38-revolver"], "skills": {"handgun": 60, "brawl": 55}}
    fight = duel(guns, armour=1)
    counted = exchanges(fight.setup, fight.state, 0, fight.codes(0), compiled=False, seconds=0.001)
    by_move = dict(zip([str(move) for move in fight.legal("brawler")], counted, strict=True))
    assert by_move["shoot three times with .45 automatic"] is None, "or nothing is shown"
    assert by_move["fight with hands"] == found(duel(armour=1))["fight"]
    for cheap in ("wait", "shoot with .38 revolver"):
        assert by_move[cheap] is not None, cheap


def test_dear_moves_are_counted_on_when_they_are_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "LEAST_SECONDS", 0.0)
    fight = duel({"weapons": ["45-automatic"], "skills": {"handgun": 60}}, armour=1)
    twice = [move.code for move in fight.legal("brawler") if str(move).startswith("shoot twice")]
    counting, asked = Exchanges(fight.setup, fight.state, 0, compiled=False), 1
    while counting.of(twice, 0.002) == [None]:  # that is 100 outcomes
        asked += 1
        assert counting.is_unfinished(twice)
    assert asked > 2
    assert not counting.is_unfinished(twice)
    assert counting.of(twice, 0.0) == exchanges(fight.setup, fight.state, 0, twice, compiled=False, seconds=60)


def test_a_dodge_and_fighting_back_differ_by_the_tie() -> None:
    fight = duel()
    fight.play(fight.to_act[0], "wait")
    fight.play(fight.to_act[0], "fight")
    counted = found(fight)
    assert counted["dodge"]["are hit"] == contest(35, 40, ties=False)[0]
    hit, answered = contest(35, 55, ties=True)
    assert (counted["fight back"]["are hit"], counted["fight back"]["hit"]) == (hit, answered)


def test_a_flight_succeeds_as_often_as_constitution_says() -> None:
    # MOV 8 against 7: only an investigator who slows down and an enemy who speeds up meet the wrong way round.
    slow, fast = levels(50)[0], levels(50)[3] + levels(50)[4]
    assert found(duel())["flee"]["get away"] == 1 - slow * fast


def test_waiting_brings_nothing() -> None:
    assert set(found(duel())["wait"].values()) == {0}


def test_compiled_rules_count_the_same() -> None:
    pytest.importorskip("numba")
    fight = duel()
    for move, means in found(fight).items():
        assert found(fight, compiled=True)[move] == pytest.approx({name: float(mean) for name, mean in means.items()})


def test_the_odds_of_a_move_carry_it() -> None:
    fight = duel()
    odds = fight.odds(fight.to_act[0], compiled=False, playouts=1)
    assert odds["fight"].at_once["hit"] == contest(55, 35, ties=True)[0]
    assert odds["fight"].as_table()["at_once"]["hit"] == float(contest(55, 35, ties=True)[0])


def test_a_system_without_exchanges_has_none() -> None:
    fight = Fight("bgo", {"heroes": ["player"], "monsters": ["fire-slime"]}, seed=1)
    assert exchanges(fight.setup, fight.state, 0, fight.codes(0), compiled=False) == [None] * len(fight.codes(0))


def test_a_body_that_regains_is_hit_as_often_in_the_last_exchange_of_a_round() -> None:
    teams = {"investigators": ["boxer:perks="], "enemies": ["shoggoth-spawn:dexterity=99:regains=3"]}
    fight = Fight("mythos", teams, seed=1)
    fight.play(fight.to_act[0], "fight")
    first = found(fight)["fight back with hands"]["hit"]
    fight.play("boxer", "dodge")
    fight.play(fight.to_act[0], "fight")
    assert found(fight)["fight back with hands"]["hit"] == first
