"""What a fight costs and whether it is worth it: prices against a reckoning of their own, figures, and decisions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.fight import Fight
from affray.kernel.chance import Seeded
from affray.kernel.state import STANDING
from affray.players.tactics import decide, play_on, usual_tactics
from affray.system.registry import find
from affray.systems.strategic import events, recovery, sheets, stakes
from affray.systems.strategic.arms import ARMOURS, WEAPONS
from affray.systems.strategic.healing import prices
from affray.systems.strategic.sheets import SHEETS
from affray.systems.strategic.state import DEAD, FIGURES, INCAPACITATE, PAIN, PARRY, STRIKE

Scenery = Callable[..., Any]
HOUR = 3600
YEAR = 365.25 * 24 * HOUR
USUAL = 6, 4, 8  # hours to care, the healer's coins, hours of surgery
NOTHING = {"pain": 0, "incapacitation": 0, "crippling": 0, "soak": 0}
TIED = {"attack": 0, "defence": 0, "flip_off": [1, 0]}


# Prices, second by second


@cache
def arriving(hours: int, most: int = 31) -> list[list[float]]:
    """For each number of coins the chance to have 0, 1, 2... left after these hours: one second after another."""
    seconds = hours * HOUR
    chances = [[float(k == coins) for k in range(most)] for coins in range(most)]
    for row in chances:
        for _ in range(seconds):
            for k in range(1, most):
                falling = row[k] / 2**k
                if falling:
                    row[k] -= falling
                    row[k - 1] += falling
            if row[0] == 1:
                break
    return chances


def mean_years(coins: int) -> float:
    return (2 ** (coins + 1) - 2) / YEAR


def price(coins: int, left: int, hours: int, care_coins: int) -> float:
    """The mean of the years lost: all of them on the way, or those of the coins that the healer fails to mend."""
    total = 0.0
    for arrive, chance in enumerate(arriving(hours)[left]):
        if arrive == 0:
            total += chance * mean_years(coins)
            continue
        lost, fails = coins - arrive, 0.5**care_coins
        for stay in range(lost + 1):
            share = comb(lost, stay) * fails**stay * (1 - fails) ** (lost - stay)
            total += chance * share * (mean_years(coins) - mean_years(coins - stay))
    return total


@pytest.mark.parametrize(("coins", "hours", "care_coins"), [(30, 1, 4), (28, 1, 2), (30, 0, 4), (20, 1, 0), (12, 1, 6)])
def test_prices_are_the_years_that_are_lost_on_average(coins: int, hours: int, care_coins: int) -> None:
    found = prices(coins, hours, care_coins)
    for left in range(coins + 1):
        assert found[left] / 1000 == pytest.approx(price(coins, left, hours, care_coins), abs=0.002)


def after_operations(coins: int, left: int, care_coins: int, least: int) -> float:
    """The mean of the years kept when each operation takes an hour: all that may happen, operation by operation."""
    fails, kept = 0.5**care_coins, 0.0
    chances = {(left, coins): 1.0}
    for _ in range(600):
        after: dict[tuple[int, int], float] = {}
        for (has, most), chance in chances.items():
            if has == most or has < least:
                kept += chance * mean_years(has)
                continue
            for k in range(1, has + 1):
                for state, share in (((k + 1, most), 1 - fails), ((k, most - 1), fails)):
                    after[state] = after.get(state, 0.0) + chance * arriving(1)[has][k] * share
        chances = after
    assert sum(chances.values()) < 1e-9
    return kept


@pytest.mark.parametrize(("coins", "care_coins", "always", "least"), [(18, 2, False, 13), (10, 4, True, 1)])
def test_prices_count_what_happens_in_surgery(coins: int, care_coins: int, always: bool, least: int) -> None:
    found = prices(coins, 0, care_coins, 1, always)
    for left in range(1, coins + 1):
        years = mean_years(coins) - after_operations(coins, left, care_coins, least)
        assert found[left] / 1000 == pytest.approx(years, abs=0.0006)


def test_an_unhurt_fighter_pays_nothing_and_a_dead_one_everything() -> None:
    found = prices(30, 6, 4)
    assert (found[30], found[0]) == (0, round(1000 * mean_years(30)))


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 40), st.integers(0, 48), st.integers(0, 8))
def test_fewer_coins_never_cost_less(coins: int, hours: int, care_coins: int) -> None:
    found = prices(coins, hours, care_coins)
    assert len(found) == 41
    assert all(found[left] >= found[left + 1] for left in range(coins))


def test_a_better_healer_and_a_shorter_way_never_cost_more() -> None:
    for near, far in ((0, 6), (6, 24)):
        assert all(a <= b for a, b in zip(prices(30, near, 4), prices(30, far, 4), strict=True))
    for good, bad in ((8, 4), (4, 0)):
        assert all(a <= b for a, b in zip(prices(30, 6, good), prices(30, 6, bad), strict=True))


def test_without_a_healer_every_lost_coin_halves_what_is_left() -> None:
    found = prices(30, 0, 0)
    for lost in range(5):
        assert found[30 - lost] / 1000 == pytest.approx(mean_years(30) * (1 - 0.5**lost), abs=0.002)


def test_the_price_is_what_the_way_to_the_healer_costs_when_it_is_walked_many_times() -> None:
    walks = 3000
    hurt = SHEETS.enlist("guard:coins_lost=13")  # 17 coins: some lose more of them on the way, and some die in surgery
    lost = []
    for seed in range(walks):
        mended, _ = recovery.care(hurt, Seeded(seed))
        lost.append(mean_years(30) - (0 if mended.dead else mean_years(mended.coins)))
    mean = sum(lost) / walks
    spread = (sum((years - mean) ** 2 for years in lost) / walks) ** 0.5 / walks**0.5
    assert mean == pytest.approx(prices(30, *USUAL)[17] / 1000, abs=4 * spread)


def test_whoever_comes_hurt_has_as_much_to_lose_as_a_healer_could_give_back() -> None:
    fight = Fight("strategic", {"a": ["guard:coins_lost=14"], "b": ["brute"]}, seed=3, options={"hours_to_care": 1})
    hurt = SHEETS.enlist("guard:coins_lost=14:hours_to_care=1")
    lives = [mean_years(recovery.care(hurt, Seeded(seed))[0].coins) for seed in range(2000)]
    mean = sum(lives) / len(lives)
    spread = (sum((years - mean) ** 2 for years in lives) / len(lives)) ** 0.5 / len(lives) ** 0.5
    assert fight.state.fighters[0].price[0] / 1000 == pytest.approx(mean, abs=4 * spread)
    assert fight.state.fighters[0].price[16] == 0


def test_whoever_accepts_has_won_the_stake_even_if_the_fight_is_lost(brawl: Any) -> None:
    scene = brawl(a=["ada"], b=["bob"], c=["cy"])
    scene["bob"].paid = 1
    scene.fight.state.ending = 2
    assert scene.fight.figures["bob"]["stake won"] == scene["bob"].stake
    assert scene.fight.figures["ada"]["stake won"] == 0


# Figures


def test_the_figures_are_what_happened_and_what_it_costs(duel: Scenery) -> None:
    scene = duel(bob={"life_coins": 30})
    scene.blow("ada", "strike pain", "bob", "parry", **TIED, pain=5, incapacitation=2, crippling=4, soak=0)
    found = scene.fight.figures["bob"]
    assert list(found) == list(FIGURES)
    assert (found["Pain"], found["Incapacitation"], found["Crippling"], found["coins lost"]) == (5, 2, 4, 4)
    assert (found["downed"], found["dead"], found["stake won"], found["hits"]) == (0, 0, 0, 0)
    assert scene.fight.figures["ada"]["hits"] == 1
    assert found["years lost"] == pytest.approx(prices(30, *USUAL)[26] / 1000)
    assert (found["days in bed"], found["lame"]) == ((8 + 24 + 72 + 216) / 24, 0.125)
    assert found["dead before care"] == 0, "26 coins last longer than six hours"


@pytest.mark.parametrize("coins", [3, 8, 11, 13, 14, 16])
def test_dead_before_care_is_the_chance_to_die_on_the_way(duel: Scenery, coins: int) -> None:
    scene = duel(bob={"coins_lost": 30 - coins}, hours_to_care=1)
    scene["bob"].coins = coins
    found = scene.fight.figures["bob"]["dead before care"]
    assert found == pytest.approx(arriving(1)[coins][0], abs=2e-5)


def test_whoever_is_dead_has_died_before_care_and_lost_everything(duel: Scenery) -> None:
    scene = duel(bob={"life_coins": 3})
    scene.blow("ada", "strike pain", "bob", "parry", **TIED, **NOTHING | {"crippling": 4})
    assert scene["bob"].state == DEAD
    found = scene.fight.figures["bob"]
    assert found["dead"] == 1
    assert found["dead before care"] == 1
    assert found["years lost"] == prices(3, *USUAL)[0] / 1000
    assert scene.fight.figures["ada"]["stake won"] == 10


def test_whoever_goes_down_is_counted_as_downed_and_not_as_dead(duel: Scenery) -> None:
    scene = duel()
    scene.blow("ada", "strike pain", "bob", "parry", **TIED, **NOTHING | {"incapacitation": 4, "crippling": 3})
    found = scene.fight.figures["bob"]
    assert (found["downed"], found["dead"]) == (1, 0)


# The sum


def test_net_is_the_stake_won_less_the_years_still_to_be_lost_as_the_fighter_counts_them() -> None:
    costs = {cost.name: cost.of for cost in find("strategic").costs}
    assert list(costs) == ["downed", "die", "by care", "years", "bed", "lame", "net"]
    sheet = SHEETS.enlist({"name": "Ada", "stake": 20, "caution": 150, "lame_years": 3})
    now = {"years lost": 3.0, "stake won": 0.0, "days in bed": 10.0, "lame": 0.5}
    after = {"downed": 0.25, "dead": 0.0625, "dead before care": 0.125, "years lost": 7.0, "stake won": 12.0}
    after |= {"days in bed": 10 + 365.25, "lame": 0.75}
    found = {name: of(sheet, now, after) for name, of in costs.items()}
    years = {"years": 4.0, "bed": 365.25, "lame": 0.25, "net": 12.0 - 1.5 * (4.0 + 1.0 + 3 * 0.25)}
    assert found == {"downed": 0.25, "die": 0.0625, "by care": 0.125, **years}


def test_who_may_die_of_it_needs_no_bed() -> None:
    costs = {cost.name: cost.of for cost in find("strategic").costs}
    now, after = {"days in bed": 10.0, "lame": 0.5}, {"days in bed": 2.0, "lame": 0.0}
    for name in ("bed", "lame"):
        assert costs[name](SHEETS.enlist("guard"), now, after) == 0


@pytest.mark.parametrize("coins", [30, 20])
def test_a_fighter_reckons_with_bed_and_lameness_beside_the_coins(coins: int) -> None:
    """A wound of 6 points on top of 2: bed for the points from 3 to 6, and three of them beyond what a bed heals."""
    sheet = {"name": "Ada", "life_coins": coins, "crippling": 2, "lame_years": 5}
    fight = Fight("strategic", {"a": [sheet], "b": ["guard"]}, seed=1)
    ada = fight.state.fighters[0]
    hours, stays = 72 + 216 + 648 + 1944, 3 / 8
    crippled = stakes.price_of_crippling(fight.state, ada, 6000)
    assert crippled == pytest.approx(1000 * (hours / 8766 + 5 * stays), abs=1)
    assert stakes.price_of_wound(fight.state, ada, 6000) == stakes.price_of(ada, 6000) + crippled
    assert stakes.price_of_crippling(fight.state, ada, 2000) == 0, "a highwater that does not rise"


def weighed(scene: Any, move: str = "stand down", **fell: Any) -> Any:
    """What Ada says to herself when she looks for a way out."""
    scene.move("ada", move, **fell)
    (line,) = [line for line in scene.fight.lines if line.event.kind == events.WEIGHS]
    return line


@pytest.mark.parametrize("move", ["stand down", "yield", "flee"])
@pytest.mark.parametrize(("stake", "caution"), [(10, 100), (60, 100), (10, 0), (25, 250), (0, 100), (1, 100)])
def test_the_reckoning_in_the_log_adds_up(duel: Scenery, move: str, stake: int, caution: int) -> None:
    scene = duel({"stake": stake, "caution": caution})
    win, years = stakes.chance_to_win(scene.fight.state, 0), stakes.years_at_risk(scene.fight.state, 0)
    line = weighed(scene, move, **({"stop": 1} if move == "flee" else {}))
    event = line.event
    assert (event.who, event.win, event.years, event.stake, event.caution) == (0, win, years, stake, caution)
    net = stake * win - caution * years / 100
    assert abs(event.net - net) < 1
    counted = f" counted at {caution}%" if caution != 100 else ""
    worth = "worth it, but not what Ada wants" if net >= 0 else "not worth it"
    assert line.text == (
        f"Ada reckons: {win / 10:.1f}% of {stake} year{'s' * (stake != 1)}, less"
        f" {years / 1000:.1f} years at risk{counted}: {event.net / 1000:+.1f}, {worth}."
    )
    assert [ruling.id for ruling in scene.fight.why(line)] == ["stakes"]


def test_a_fight_of_equals_is_even(duel: Scenery) -> None:
    assert stakes.chance_to_win(duel().fight.state, 0) == 500


def test_the_estimate_knows_who_is_better_armed_trained_and_hurt(duel: Scenery) -> None:
    def chance(ada: dict[str, object] | None = None, **marks: int) -> int:
        scene = duel(ada)
        for mark, level in marks.items():
            setattr(scene["ada"], mark, level)
        return stakes.chance_to_win(scene.fight.state, 0)

    even = chance()
    assert chance({"training": 6}) > even > chance({"training": 2})
    assert chance({"weapon": "battleaxe", "strength": 10}) > even
    assert chance({"armour_value": 4}) > even > chance({"armour_penalty": 2})
    for mark in ("pain", "incapacitation", "crippling"):
        assert chance(**{mark: 3}) < even


def test_two_against_one_are_likelier_to_win(brawl: Scenery) -> None:
    scene = brawl(order=["ada", "amy"], raiders=["bob"])
    state = scene.fight.state
    assert stakes.chance_to_win(state, 0) == stakes.chance_to_win(state, 1) > 600
    assert stakes.chance_to_win(state, 2) < 400


@pytest.mark.parametrize("weapon", list(WEAPONS))
@pytest.mark.parametrize("armour", list(ARMOURS))
def test_a_hit_is_reckoned_to_cost_what_its_crippling_exceeds_the_soak_by(
    duel: Scenery, weapon: str, armour: str
) -> None:
    scene = duel({"weapon": weapon}, {"armour": armour})
    lethality, soak = WEAPONS[weapon].lethality, 2 + ARMOURS[armour].value
    ways = sum(
        max(0, points - soaked) * comb(lethality, points) * comb(soak, soaked)
        for points in range(lethality + 1)
        for soaked in range(soak + 1)
    )
    found = stakes.lethal_points(scene.fight.state, scene["ada"], scene["bob"], STRIKE, INCAPACITATE, PARRY)
    assert found == 1000 * ways // 2 ** (lethality + soak)


@pytest.mark.parametrize("coins", [0, 1, 4, 9, 30])
@pytest.mark.parametrize("number", [0, 1, 3, 9, 30])
def test_coins_are_counted_like_binomials(coins: int, number: int) -> None:
    ways = [comb(coins, heads) for heads in range(coins + 1)]
    assert stakes.at_least(coins, number) == 1000 * sum(ways[number:]) // 2**coins
    over = sum(way * max(0, heads - number) for heads, way in enumerate(ways))
    assert stakes.more_than(coins, number) == 1000 * over // 2**coins


def promised(scene: Any, intent: int = INCAPACITATE) -> int:
    return stakes.promise(scene.fight.state, scene["ada"], scene["bob"], STRIKE, intent, PARRY)


def test_a_hit_promises_more_by_a_heavier_weapon_and_less_through_better_armour(duel: Scenery) -> None:
    light, usual, heavy = (promised(duel({"damage": damage})) for damage in (5, 8, 11))
    assert light < usual < heavy
    bare, leather, plate = (promised(duel({}, {"armour": armour})) for armour in ("none", "leather", "plate"))
    assert bare > leather > plate


def test_a_hit_that_must_fell_the_foe_promises_everything(duel: Scenery) -> None:
    """One point of seven is left, two are soaked at most, and of sixteen coins some show Heads."""
    scene = duel({"damage": 20})
    scene["bob"].crippling = 6
    assert promised(scene) > 990


def test_highwaters_that_a_hit_cannot_raise_promise_nothing(duel: Scenery) -> None:
    """Fists have three coins for Pain and Incapacitation, and none to cripple."""
    scene = duel({"damage": 3, "lethality": 0}, {"training": 10})
    assert promised(scene, PAIN) > 0
    scene["bob"].incapacitation = 4
    scene["bob"].pain = 20
    assert promised(scene, PAIN) == 0
    assert promised(scene) > 0, "the margin adds to what is intended"


@settings(deadline=None, max_examples=100)
@given(st.integers(1, 40), st.integers(0, 40_000))
def test_between_two_coins_the_price_is_in_proportion(coins: int, points: int) -> None:
    fight = Fight("strategic", {"a": [{"name": "Ada", "life_coins": coins}], "b": ["guard"]}, seed=1)
    fighter = fight.state.fighters[0]
    table = [price - prices(coins, *USUAL)[coins] for price in prices(coins, *USUAL)]
    points = min(points, 1000 * coins)
    whole, part = divmod(points, 1000)
    upper = table[coins - whole]
    lower = table[max(0, coins - whole - 1)]
    assert stakes.price_of(fighter, points) == pytest.approx(upper + (lower - upper) * part / 1000, abs=1)


# Decisions by the sum


def chosen(scene: Any, who: str = "ada", tactic: str = "rational") -> str:
    return str(decide(scene.fight, who, tactic))


@pytest.mark.parametrize("stake", range(0, 60, 4))
def test_the_stake_decides_whether_a_rational_fighter_goes_on(duel: Scenery, stake: int) -> None:
    scene = duel({"stake": stake})
    net = stakes.net_worth(scene.fight.state, 0)
    assert (chosen(scene) in ("yield", "flee", "stand down")) == (net < 0)


def test_a_greater_stake_and_less_caution_make_one_fight(duel: Scenery) -> None:
    assert chosen(duel({"stake": 5})) == "yield"
    assert chosen(duel({"stake": 60})) not in ("yield", "flee", "stand down")
    assert chosen(duel({"stake": 5, "caution": 0})) not in ("yield", "flee", "stand down")
    assert chosen(duel({"stake": 60, "caution": 1000})) == "yield"


def test_it_flees_where_the_foes_are_too_hampered_to_stop_it(duel: Scenery) -> None:
    scene = duel({"stake": 0})
    scene["bob"].incapacitation = 3
    assert chosen(scene) == "flee"


def test_it_stands_down_where_nobody_fights(duel: Scenery) -> None:
    scene = duel({"stake": 0})
    scene["bob"].standing_down = 1
    assert chosen(scene) == "stand down"


def test_a_threat_makes_it_yield_only_where_the_fight_is_not_worth_it(duel: Scenery) -> None:
    for stake, answer in ((0, "yield"), (100, "fight on")):
        scene = duel(bob={"stake": stake})
        scene.move("ada", "threaten", threat=1, nerve=0)
        assert chosen(scene, "bob") == answer


def test_it_accepts_an_offer_and_lets_a_runner_go(duel: Scenery) -> None:
    scene = duel()
    scene.move("ada", "yield")
    assert chosen(scene, "bob") == "accept"
    scene = duel()
    scene.move("ada", "flee", stop=1)
    assert chosen(scene, "bob") == "let go"


def test_computer_fighters_get_out_for_a_reason_that_stands_in_the_log() -> None:
    """In whole fights every yield, flight and standing down by a rational fighter follows a negative sum."""
    ways_out = {events.OFFERS, events.RUNS, events.STANDS_DOWN}
    seen = set()
    for seed in range(30):
        fight = Fight("strategic", {"a": ["guard", "archer"], "b": ["knight:stake=5", "guard:stake=2"]}, seed=seed)
        play_on(fight, usual_tactics(fight))
        for before, event in pairwise(line.event for line in fight.lines):
            if before.kind == events.WEIGHS:
                assert event.kind in ways_out
                assert before.net == before.stake * before.win - before.caution * before.years // 100
                assert before.net < 0 or event.kind == events.STANDS_DOWN, "standing down is also for want of a target"
                seen.add(event.kind)
    assert {events.OFFERS, events.RUNS} <= seen


def test_stake_and_caution_are_data_of_the_sheet() -> None:
    known = sheets.SHEETS.fighters()
    assert all(sheet.stake > 0 for sheet in known.values())
    assert known["scholar"].caution > 100 > known["brute"].caution
    fight = Fight("strategic", {"a": ["scholar:stake=33:caution=7"], "b": ["brute"]}, seed=1)
    assert (fight.state.fighters[0].stake, fight.state.fighters[0].caution) == (33, 7)
    assert fight.state.fighters[1].state == STANDING
