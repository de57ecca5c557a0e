"""What a decision costs: against blows that are counted here coin by coin, and the same compiled as interpreted."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from functools import cache
from math import comb
from threading import Event
from typing import Any

import pytest

from affray import lab
from affray.errors import MissingExtra
from affray.fight import Fight
from affray.lab import luck
from affray.lab.figures import Rate, rate
from affray.lab.odds import Odds, odds, odds_of_moves, sample_moves
from affray.lab.playouts import Tally, costs_of, count_endings
from affray.players.tactics import decide, numbered, replay_simulated, usual_tactics
from affray.system.setup import Setup

pytestmark = pytest.mark.long

YEAR = 31_557_600
HOURS, CARE_COINS = 6, 4
# One blow, and the round cap ends the fight: all that a defence leads to can be counted.
OPTIONS: Mapping[str, object] = {
    "round_cap": 1,
    "hours_to_care": HOURS,
    "care_coins": CARE_COINS,
    "surgery_hours": 0,
    "heals_alone": 1,
    "mend_coins": 1,
    "openings_base": 7,
    "control_base": 1,
    "parry_defence": 0,
    "dodge_defence": 1,
    "brace_defence": -2,
    "brace_soak": 3,
}
PLAIN = {"strength": 0, "agility": 0, "discipline": 0, "hardiness": 2}
ADA = {**PLAIN, "name": "Ada", "training": 5, "weapon": "rapier", "stake": 30}
DEFENCES = {"parry": (2, 2), "dodge": (3, 2), "brace": (0, 5)}  # coins of defence, and of soak
RAPIER = 3, 3  # coins that incapacitate, and that cripple
both_ways = pytest.mark.parametrize("compiled", [False, True], ids=["interpreted", "compiled"])


def under_attack(coins: int, seed: int = 0) -> Fight:
    """Ada strikes at Bob to cripple; he has to choose a defence, and then it is over."""
    bob = {**PLAIN, "name": "Bob", "training": 2, "weapon": "rapier", "life_coins": coins, "caution": 50, "stake": 10}
    while True:
        fight = Fight("strategic", {"one": [ADA], "other": [bob]}, seed=seed, options=OPTIONS)
        if fight.to_act == ["ada"] and fight.state.fighters[1].coins == coins:
            fight.play("ada", "strike cripple")
            return fight
        seed += 1


# Counted here


def flips(coins: int) -> dict[int, float]:
    return {heads: comb(coins, heads) / 2**coins for heads in range(coins + 1)}


def margins(attack: int, defence: int) -> Iterator[tuple[int, float]]:
    """Every margin by which the attack hits; half of the ties are won by Flip-Off."""
    for mine, p in flips(attack).items():
        for theirs, q in flips(defence).items():
            if mine >= theirs:
                yield mine - theirs, p * q * (0.5 if mine == theirs else 1.0)


def life_years(coins: int) -> float:
    return (2 ** (coins + 1) - 2) / YEAR


@cache
def perish(coins: int) -> float:
    """The chance to die within the hours to care, second by second."""
    chances = [0.0] * coins + [1.0]
    for _ in range(HOURS * 3600):
        for left in range(1, coins + 1):
            falls = chances[left] / 2**left
            chances[left] -= falls
            chances[left - 1] += falls
    return chances[0]


def years_lost(coins: int, left: int, dying: float) -> float:
    lost = coins - left
    stays = 1 / 2**CARE_COINS
    after_care = sum(
        comb(lost, stay) * stays**stay * (1 - stays) ** (lost - stay) * (life_years(coins) - life_years(coins - stay))
        for stay in range(lost + 1)
    )
    return dying * life_years(coins) + (1 - dying) * after_care


def counted(coins: int, defence: int, soak: int) -> dict[str, float]:
    """What one strike of Ada's to cripple costs Bob, whose attack is 2."""
    dying = [perish(left) for left in range(coins + 1)]
    costs = dict.fromkeys(("downed", "die", "by care", "years", "bed", "lame"), 0.0)
    unhurt = 1.0
    for margin, p in margins(5, defence):
        kept = min(margin, 1)
        for weak, q in flips(RAPIER[0]).items():
            for lame, r in flips(RAPIER[1]).items():
                for soaked, s in flips(soak).items():
                    chance = p * q * r * s
                    crippling = max(0, lame + kept - soaked)
                    incapacitation = max(0, weak + margin - kept - soaked // 2)
                    left = max(0, coins - crippling)
                    unhurt -= chance
                    costs["die"] += chance * (left == 0)
                    costs["downed"] += chance * (left > 0 and crippling + incapacitation >= 2)
                    costs["by care"] += chance * dying[left]
                    costs["years"] += chance * years_lost(coins, left, dying[left])
                    if left > 0:
                        costs["bed"] += chance * sum(8 * 3**point for point in range(crippling)) / 24
                        costs["lame"] += chance * max(0, crippling - 1) / 2
    costs["by care"] += unhurt * dying[coins]
    costs["years"] += unhurt * years_lost(coins, coins, dying[coins]) - years_lost(coins, coins, dying[coins])
    return costs | {"net": -0.5 * (costs["years"] + costs["bed"] / 365.25 + 2 * costs["lame"])}


def sampled(fight: Fight, most: int, compiled: bool, seed: int = 0) -> dict[str, Odds]:
    index = fight.index(fight.to_act[0])
    codes = fight.codes(index)
    tactics = numbered(fight.system, usual_tactics(fight))
    found = sample_moves(
        fight.setup, fight.state, index, codes, tactics, most, seconds=600, compiled=compiled, seed=seed
    )
    return dict(zip(map(str, fight.legal(fight.to_act[0])), found, strict=True))


def covers(found: Rate, true: float) -> bool:
    """Whether the truth is within twice the interval, four sigma; prices are rounded to thousandths."""
    return abs(found.value - true) <= 2 * (found.high - found.value) + 0.002


@both_ways
@pytest.mark.parametrize("coins", [30, 16, 5], ids=["many coins", "a way too long", "a blow that may kill"])
def test_the_cost_of_a_last_blow_is_what_can_be_counted(coins: int, compiled: bool) -> None:
    fight = under_attack(coins)
    found = sampled(fight, 40_000 if compiled else 400, compiled)
    assert set(found) == set(DEFENCES)
    for defence, (against, soak) in DEFENCES.items():
        for name, true in counted(coins, against, soak).items():
            assert covers(found[defence].costs[name], true), (defence, name)


def test_a_stake_counts_by_the_chance_to_win_it() -> None:
    """Ada, who cannot be hurt in this one round, weighs her strike: 30 years if Bob goes down or dies."""
    fight = under_attack(30)
    answer = str(decide(fight, "bob", "rational"))
    costs = counted(30, *DEFENCES[answer])
    fight.rewind(len(fight.answers) - 1)
    strike = sampled(fight, 400, compiled=False)["strike cripple"]
    assert covers(strike.costs["net"], 30 * (costs["downed"] + costs["die"]))
    assert strike.costs["years"] == (0, 0, 0)
    assert strike.costs["net"].value == pytest.approx(30 * float(strike.chances["one"]))


def test_the_same_dice_cost_the_same_compiled_and_interpreted(native: object) -> None:
    fight = Fight("strategic", "order=knight raiders=brute", seed=3)
    slow, fast = (sampled(fight, 60, compiled, seed=5) for compiled in (False, True))
    assert len(slow) > 10
    for move, one in slow.items():
        assert one.chances == fast[move].chances
        assert one.costs.keys() == fast[move].costs.keys()
        for name, cost in one.costs.items():
            assert cost == pytest.approx(fast[move].costs[name]), (move, name)


def test_more_play_outs_narrow_the_cost() -> None:
    fight = under_attack(30)
    few, many = (sampled(fight, most, compiled=False)["parry"].costs["net"] for most in (50, 800))
    assert few.high - few.low > 2 * (many.high - many.low) > 0


def test_every_move_has_its_costs_also_where_nothing_is_compiled() -> None:
    fight = Fight("strategic", "order=knight raiders=brute", seed=3)
    found = odds_of_moves(fight.setup, fight.state, fight.to_act[0], compiled=False, seconds=0.5, least=1)
    assert len({one.fights for one in found.values()}) == 1
    assert all(list(one.costs) == ["downed", "die", "by care", "years", "bed", "lame", "net"] for one in found.values())


def test_moves_are_judged_by_the_sum_and_not_by_the_chance_to_win() -> None:
    def weighed(win: float, net: float) -> Odds:
        costs = {"years": Rate(1, 1, 1), "net": Rate(net, net - 2, net + 2)}
        return Odds({"a": win, "b": 1 - win}, ("a", "b"), "sampled", (1, -1), fights=100, costs=costs)

    rash, wise = weighed(0.9, -3.0), weighed(0.2, 1.5)
    assert (wise.value, wise.at_least) == (1.5, -0.5)
    assert (rash.value, rash.at_least) == (-3.0, -5.0)


def test_costs_are_plain_values_for_json() -> None:
    fight = under_attack(30)
    found = sampled(fight, 20, compiled=False)["brace"]
    table = json.loads(json.dumps(found.as_table()))
    assert list(table["costs"]) == ["downed", "die", "by care", "years", "bed", "lame", "net"]
    assert table["value"] == table["costs"]["net"]["value"]
    for cost in table["costs"].values():
        assert cost["low"] <= cost["value"] <= cost["high"]


def test_a_chance_stays_between_0_and_1_and_what_never_happened_may_still_happen() -> None:
    fight = Fight("strategic", "order=knight raiders=brute", seed=3)
    names = fight.system.figure_names
    for share, fights in ((0.0, 20), (1.0, 20), (0.05, 20), (0.95, 40)):
        spread = 0.2  # of a mean, which knows of no bounds
        found = costs_of(
            fight.setup, fight.state, 0, dict.fromkeys(names, Rate(share, share - spread, share + spread)), fights
        )
        for name in ("downed", "die", "by care"):
            assert found[name] == rate(round(share * fights), fights)
            assert 0 <= found[name].low <= share <= found[name].high <= 1
    never = costs_of(fight.setup, fight.state, 0, dict.fromkeys(names, Rate(0.0, 0.0, 0.0)), 20)["die"]
    assert never.high == pytest.approx(0.161, abs=0.001)  # Wilson's bound for 0 of 20


@both_ways
def test_chances_among_the_costs_are_rates_of_the_play_outs(compiled: bool) -> None:
    for found in sampled(under_attack(30), 50, compiled=compiled).values():
        for name in ("downed", "die"):
            assert found.costs[name] == rate(round(50 * found.costs[name].value), 50)


# Play-outs from where a fight stands, and the luck they tell


@both_ways
def test_nobodys_move_plays_on_from_where_the_fight_stands(compiled: bool) -> None:
    teams = "heroes=player monsters=fire-slime"
    fight = Fight("bgo", teams, seed=3)
    tactics = numbered(fight.system, usual_tactics(fight))
    (tally,) = count_endings(
        fight.setup, fight.state, -1, [0], tactics, [1, 0, 0], most=2_000, seconds=600, compiled=compiled, seed=4
    )
    true = odds("bgo", teams, compiled=False).chances
    for ending, count in zip(fight.endings, tally.endings, strict=True):
        chance = float(true[ending])
        assert abs(count / 2_000 - chance) <= 4 * (chance * (1 - chance) / 2_000) ** 0.5


def without_a_compiler(*args: Any, compiled: bool, **how: Any) -> list[Tally]:
    if compiled:
        raise MissingExtra("Numba", "lab")
    return count_endings(*args, compiled=False, **how)


def test_all_luck_together_leads_from_the_start_to_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """By tactics nothing but coins moves the chance, and all positions are played out with the same dice."""
    fight = replay_simulated("strategic", "order=knight raiders=guard", seed=1, number=5)
    monkeypatch.setattr(luck, "PLAYED_SLOWLY", 40)
    monkeypatch.setattr(luck, "SLOW_SECONDS", math.inf)  # however busy the machine is
    monkeypatch.setattr(luck, "count_endings", without_a_compiler)
    audited = fight.luck()
    (start,) = count_endings(
        fight.setup,
        fight.past_states()[0],
        -1,
        [0],
        numbered(fight.system, usual_tactics(fight)),
        [0] * len(fight.endings),
        most=40,
        seconds=600,
        compiled=False,
        seed=0,
    )
    shares = dict(zip(fight.endings, (count / 40 for count in start.endings), strict=True))
    assert audited.chances == shares
    assert audited.chance == shares[str(fight.ending)]
    assert audited.total == pytest.approx(float(fight.ending == "order") - shares["order"])
    assert "40 interpreted play-outs of each position" in str(audited)
    assert audited.as_table()["how"] == audited.how


# Native code that was compiled at another time


@pytest.fixture
def unprepared(monkeypatch: pytest.MonkeyPatch) -> Fight:
    """A fight of a roster for which nothing has been compiled yet, and that has no module."""
    monkeypatch.setenv("AFFRAY_BACKEND", "numba")
    monkeypatch.setattr(lab, "_warming", {})
    monkeypatch.setattr(lab, "_ready", set())
    return Fight("strategic", "order=knight raiders=brute", seed=3)


def test_what_is_soon_loaded_is_waited_for(unprepared: Fight, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab, "ready_now", lambda setup, state: lab.mark_ready(setup))
    assert not lab.native_ready(unprepared.setup)
    assert lab.ready_soon(unprepared.setup, unprepared.state, 60)


def test_a_compiler_is_waited_for_only_once(unprepared: Fight, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = Event()
    monkeypatch.setattr(lab, "ready_now", lambda setup, state: compiled.wait(60) and lab.mark_ready(setup))
    assert not lab.ready_soon(unprepared.setup, unprepared.state, 0.01)
    assert not lab.ready_soon(unprepared.setup, unprepared.state, 3600)  # comes back at once
    compiled.set()
    next(iter(lab._warming.values())).join(60)
    assert lab.ready_soon(unprepared.setup, unprepared.state, 3600)


def test_without_a_compiler_nobody_waits(unprepared: Fight, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(setup: Setup[Any], state: Any) -> None:
        raise MissingExtra("Numba", "lab")

    monkeypatch.setattr(lab, "ready_now", missing)
    assert not lab.ready_soon(unprepared.setup, unprepared.state, 3600)
