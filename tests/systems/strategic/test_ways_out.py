"""How a fight ends but by blows: standing down, yielding, flight, range, standoffs and the round cap."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from affray.kernel import records
from affray.kernel.exact import Exact
from affray.kernel.state import STANDING
from affray.systems.strategic import rules
from affray.systems.strategic.arms import FISTS, WEAPON_NUMBERS
from affray.systems.strategic.state import DEAD, DOWN, FLED, YIELDED

Scenery = Callable[..., Any]
Weigh = Callable[[Callable[[Exact], Any]], dict[Any, Fraction]]
NOTHING = {"pain": 0, "incapacitation": 0, "crippling": 0, "soak": 0}
MISSED = {"attack": 0, "defence": 1}
TIED = {"attack": 0, "defence": 0, "flip_off": [1, 0]}


# Standing down


def test_standing_down_makes_defence_half_as_much_again_as_long_as_it_is_held(duel: Scenery) -> None:
    scene = duel()
    scene.move("ada", "stand down", then="bob")
    for acts in ("bob", "bob", "ada"):
        scene.blow("bob", "strike pain", "ada", "parry", then=acts, **MISSED)
        assert scene.coins("defence") == [12]
    scene.move("ada", "stand down", then="bob")
    scene.blow("bob", "strike pain", "ada", "parry", then="ada", **MISSED)
    assert scene.coins("defence") == [12], "one may go on standing down"
    scene.blow("ada", "strike pain", "bob", "parry", then="bob", **MISSED)
    scene.blow("bob", "strike pain", "ada", "parry", **MISSED)
    assert scene.coins("defence") == [8], "an attack ends it"


@pytest.mark.parametrize(("penalty", "coins"), [(0, 12), (1, 10), (3, 7), (8, 0)])
def test_half_as_much_again_of_what_is_left_is_rounded_down(duel: Scenery, penalty: int, coins: int) -> None:
    scene = duel()
    scene.move("ada", "stand down", then="bob")
    scene["ada"].crippling = penalty
    fell = MISSED if coins else {"attack": 0, "defence": 0, "flip_off": [0, 1]}
    scene.blow("bob", "strike pain", "ada", "parry", **fell)
    assert scene.coins("defence") == [coins]


@pytest.mark.parametrize("act", ["strike pain", "threaten", "flee"])
def test_whoever_acts_otherwise_stands_down_no_longer(duel: Scenery, act: str) -> None:
    scene = duel()
    scene.move("ada", "stand down", then="ada")
    assert scene["ada"].standing_down == 1
    scene.move("ada", act, **{"threaten": {"threat": 0, "nerve": 1}, "flee": {"stop": 1}}.get(act, {}))
    assert scene["ada"].standing_down == 0


def test_all_standing_down_is_peace(duel: Scenery) -> None:
    scene = duel()
    scene.move("ada", "stand down", then="bob")
    assert scene.ending is None, "one of them is not enough"
    told = scene.move("bob", "stand down")
    assert scene.ending == "peace"
    assert told[-2:] == ["All fighters stand down.", "The fight is over: peace."]
    assert [figures["stake won"] for figures in scene.fight.figures.values()] == [0, 0]


def test_peace_takes_everybody_who_still_stands(brawl: Scenery) -> None:
    scene = brawl(a=["ada"], b=["bob"], c=["cyd"])
    scene.move("ada", "stand down", then="bob")
    scene.move("bob", "stand down", then="cyd")
    assert scene.ending is None
    scene.move("cyd", "stand down")
    assert scene.ending == "peace"


def test_whoever_is_down_is_not_asked_for_peace(brawl: Scenery) -> None:
    scene = brawl(a=["ada"], b=["bob"], c=["cyd"])
    scene["cyd"].state = DOWN
    scene.move("ada", "stand down", then="bob")
    scene.move("bob", "stand down")
    assert scene.ending == "peace"


def test_an_offer_to_yield_counts_as_peaceful(duel: Scenery) -> None:
    scene = duel()
    scene.move("ada", "yield")
    scene.move("bob", "refuse", then="bob")
    scene.move("bob", "stand down")
    assert scene.ending == "peace"


# Yielding


def offered(duel: Scenery, answer: str = "refuse", then: str = "bob") -> Any:
    scene = duel()
    scene.move("ada", "yield")
    assert scene.to_act == ["bob"]
    assert scene.legal("bob") == ["accept", "refuse"]
    scene.move("bob", answer, then=then)
    return scene


def test_an_offer_that_is_accepted_drops_the_weapon_ends_it_and_pays_the_stake(duel: Scenery) -> None:
    scene = offered(duel, "accept")
    assert (scene["ada"].state, scene["ada"].weapon) == (YIELDED, FISTS)
    assert scene.ending == "raiders"
    assert scene.fight.figures["bob"]["stake won"] == scene["bob"].stake == 10
    assert scene.fight.figures["ada"]["stake won"] == 0


def test_an_offer_that_is_refused_stands_without_any_defence(duel: Scenery) -> None:
    scene = offered(duel)
    assert scene["ada"].yielding == 1
    scene.move("bob", "strike pain", attack=1, defence=0, **NOTHING)
    assert scene.coins("defence") == [0], "and nobody asks which defence"


def test_even_at_defence_0_a_blow_without_heads_is_a_flip_off(duel: Scenery) -> None:
    scene = offered(duel)
    scene.move("bob", "strike pain", attack=0, defence=0, flip_off=[0, 1])
    assert scene.marks("ada") == (0, 0, 0)


def test_a_foe_who_acts_may_accept_later(duel: Scenery) -> None:
    scene = offered(duel)
    assert "accept" in scene.legal("bob")
    scene.move("bob", "accept")
    assert scene["ada"].state == YIELDED
    assert scene.ending == "raiders"


def test_whoever_acts_may_take_the_offer_back(duel: Scenery) -> None:
    scene = offered(duel, then="ada")
    assert {"withdraw", "wait"} < set(scene.legal("ada"))
    assert not {"yield", "stand down"} & set(scene.legal("ada"))
    assert scene.closed("ada")["yield"] == "offered already"
    assert scene.closed("ada")["stand down"] == "withdraw the offer to yield first"
    told = scene.move("ada", "withdraw", then="bob")
    assert told[0] == "Ada takes the offer to yield back."
    assert "accept" not in scene.legal("bob")
    assert scene.closed("bob")["accept"] == "no offer to yield was made"
    scene.blow("bob", "strike pain", "ada", "parry", **MISSED)
    assert scene.coins("defence") == [8]


def test_whoever_attacks_has_taken_the_offer_back(duel: Scenery) -> None:
    scene = offered(duel, then="ada")
    scene.blow("ada", "strike pain", "bob", "parry", then="bob", **MISSED)
    assert scene["ada"].yielding == 0


def test_whoever_waits_keeps_the_offer_up(duel: Scenery) -> None:
    scene = offered(duel, then="ada")
    scene.move("ada", "wait", then="bob")
    assert scene["ada"].yielding == 1
    assert "accept" in scene.legal("bob")


def test_only_whoever_offers_to_yield_may_wait(duel: Scenery) -> None:
    assert "wait" not in duel().legal("ada")
    assert "withdraw" not in duel().legal("ada")


def test_every_foe_is_asked_until_one_accepts(brawl: Scenery) -> None:
    scene = brawl(order=["ada", "amy"], raiders=["bob", "cyd"])
    scene.move("ada", "yield")
    assert scene.to_act == ["bob"]
    scene.move("bob", "refuse")
    assert scene.to_act == ["cyd"]
    scene.move("cyd", "accept", then="amy")
    assert scene["ada"].state == YIELDED
    assert scene.ending is None, "amy fights on"
    assert scene.to_act == ["amy"]


def test_nobody_else_is_asked_when_one_has_accepted(brawl: Scenery) -> None:
    scene = brawl(order=["ada", "amy"], raiders=["bob", "cyd"])
    scene.move("ada", "yield")
    scene.move("bob", "accept", then="amy")
    assert scene.to_act == ["amy"]


def test_with_several_offers_the_one_is_named_who_is_let_off(brawl: Scenery) -> None:
    scene = brawl(order=["ada"], raiders=["bob", "cyd"])
    scene.blow("ada", "strike bob pain", "bob", "parry", then="bob", **MISSED)
    scene.move("bob", "yield")
    scene.move("ada", "refuse bob", then="cyd")
    scene.move("cyd", "yield")
    scene.move("ada", "refuse cyd", then="ada")
    assert {"accept bob", "accept cyd"} < set(scene.legal("ada"))
    scene.move("ada", "accept cyd")
    assert (scene["cyd"].state, scene["bob"].state) == (YIELDED, STANDING)


def test_the_one_who_has_yielded_does_nothing_more(brawl: Scenery) -> None:
    scene = brawl(order=["ada", "amy"], raiders=["bob"])
    scene.move("ada", "yield")
    scene.move("bob", "accept", then="bob")
    assert not any("ada" in move for move in scene.legal("bob"))
    assert [flip.who for flip in scene.flips if flip.what == "initiative"] == ["amy", "bob"]


def test_an_offer_by_everybody_is_peace(duel: Scenery) -> None:
    scene = offered(duel, then="bob")
    told = scene.move("bob", "yield")
    assert scene.ending == "peace", "a foe who offers the same is not asked"
    assert told[-2:] == ["Nobody wants to go on.", "The fight is over: peace."]


# Flight


def hampered(brawl: Scenery, runner: int, *foes: int) -> Any:
    """Ada is about to run, from foes with so much Incapacitation and Crippling together."""
    names = ["bob", "cyd", "dan"][: len(foes)]
    scene = brawl(order=["ada"], raiders=names)
    scene["ada"].incapacitation, scene["ada"].crippling = runner - runner // 2, runner // 2
    for name, severity in zip(names, foes, strict=True):
        scene[name].incapacitation, scene[name].crippling = severity // 2, severity - severity // 2
    return scene


def test_hampered_less_than_every_foe_one_gets_away(brawl: Scenery) -> None:
    scene = hampered(brawl, 1, 2, 3)
    told = scene.move("ada", "flee")
    assert scene.flips == []
    assert scene["ada"].state == FLED
    assert scene.ending == "raiders"
    assert told[1:5] == [
        "Ada makes a run for it.",
        "Bob cannot stop Ada.",
        "Cyd cannot stop Ada.",
        "Ada gets away.",
    ]


@pytest.mark.parametrize("severity", [0, 3])
def test_hampered_alike_a_coin_stops_one(brawl: Scenery, severity: int) -> None:
    scene = hampered(brawl, severity, severity)
    scene.move("ada", "flee", stop=0)
    assert scene.flips == [("bob", "stop", 1, 0)]
    assert scene["ada"].state == FLED
    scene = hampered(brawl, severity, severity)
    told = scene.move("ada", "flee", stop=1)
    assert "Bob could stop Ada." in told
    assert scene.to_act == ["bob"]
    assert scene.legal("bob") == ["let go", "stop pain", "stop incapacitate", "stop cripple"]


def test_hampered_more_the_foe_must_win_a_contest_of_initiative(brawl: Scenery) -> None:
    scene = hampered(brawl, 3, 2)
    scene.move("ada", "flee", initiative=[3, 2])
    assert [flip[:3] for flip in scene.flips] == [("ada", "initiative", 8), ("bob", "initiative", 8)]
    assert scene["ada"].state == FLED
    scene = hampered(brawl, 3, 2)
    scene.move("ada", "flee", initiative=[2, 3])
    assert scene.to_act == ["bob"]
    scene = hampered(brawl, 3, 2)
    scene.move("ada", "flee", initiative=[3, 3], flip_off=[0, 1])
    assert scene.to_act == ["bob"]


def test_pain_hampers_no_flight(brawl: Scenery) -> None:
    scene = hampered(brawl, 1, 2)
    scene["ada"].pain = 9
    scene.move("ada", "flee")
    assert scene.flips == []
    assert scene["ada"].state == FLED


def test_every_foe_is_looked_at_alone(brawl: Scenery) -> None:
    scene = hampered(brawl, 2, 3, 2, 1)
    scene.move("ada", "flee", stop=1, initiative=[4, 5])
    assert [flip.what for flip in scene.flips] == ["stop", "initiative", "initiative"]
    assert scene.to_act == ["cyd"], "bob cannot, cyd by a coin, dan by a contest"
    scene.move("cyd", "let go")
    assert scene.to_act == ["dan"]
    scene.move("dan", "let go")
    assert scene["ada"].state == FLED


def test_a_stopper_may_let_go(brawl: Scenery) -> None:
    scene = hampered(brawl, 0, 0)
    scene.move("ada", "flee", stop=1)
    told = scene.move("bob", "let go")
    assert told[:2] == ["Bob lets Ada go.", "Ada gets away."]
    assert scene.ending == "raiders"


def test_a_stopper_strikes_once_at_a_defence_of_0_and_the_runner_stays(brawl: Scenery) -> None:
    scene = hampered(brawl, 0, 0)
    scene.move("ada", "flee", stop=1)
    hit = {"attack": 2, "defence": 0, "control": 4}
    told = scene.move("bob", "stop cripple", then="ada", **NOTHING | hit)
    assert scene.coins("attack") == [7]
    assert scene.coins("defence") == [0]
    assert scene.marks("ada") == (1, 0, 2)
    assert "Ada does not get away." in told
    assert (scene["ada"].state, scene.to_act) == (STANDING, ["ada"])


def test_a_stopper_who_misses_has_stopped_the_flight_all_the_same(brawl: Scenery) -> None:
    scene = hampered(brawl, 0, 0)
    scene.move("ada", "flee", stop=1)
    scene.move("bob", "stop pain", attack=0, defence=0, flip_off=[0, 1])
    assert scene["ada"].state == STANDING


def test_a_stopper_flips_a_pain_penalty_first(brawl: Scenery) -> None:
    scene = hampered(brawl, 0, 0)
    scene["bob"].pain = 3
    scene.move("ada", "flee", stop=1)
    scene.move("bob", "stop pain", penalty=2, attack=1, defence=0, **NOTHING)
    assert scene.coins("attack") == [5]


def test_several_stoppers_each_decide_and_one_blow_is_enough_to_hold(brawl: Scenery) -> None:
    scene = hampered(brawl, 0, 0, 0)
    scene.move("ada", "flee", stop=[1, 1])
    scene.move("bob", "stop pain", attack=1, defence=0, **NOTHING)
    assert scene.to_act == ["cyd"]
    scene.move("cyd", "let go", then="ada")
    assert scene["ada"].state == STANDING
    assert "Ada does not get away." in scene.fight.story


def test_nobody_strikes_at_a_runner_who_has_fallen(brawl: Scenery) -> None:
    scene = hampered(brawl, 0, 0, 0)
    scene["ada"].coins = 2
    scene.move("ada", "flee", stop=[1, 1])
    scene.move("bob", "stop pain", attack=1, defence=0, **NOTHING | {"crippling": 4})
    assert scene["ada"].state == DEAD
    assert scene.ending == "raiders"


@pytest.mark.parametrize("stance", ["standing_down", "yielding"])
def test_whoever_does_not_fight_stops_nobody(brawl: Scenery, stance: str) -> None:
    scene = hampered(brawl, 5, 0)
    setattr(scene["bob"], stance, 1)
    scene.move("ada", "flee")
    assert scene.flips == [], "there is not even a contest"
    assert scene["ada"].state == FLED


def test_a_flight_ends_an_offer_to_yield(brawl: Scenery) -> None:
    scene = hampered(brawl, 0, 0)
    scene["ada"].yielding = 1
    scene.move("ada", "flee", stop=1)
    scene.move("bob", "stop pain", attack=1, defence=0, **NOTHING)
    assert scene["ada"].yielding == 0


@pytest.mark.parametrize(("runner", "foe", "stopped"), [(1, 2, 0), (2, 2, Fraction(1, 2)), (2, 1, Fraction(1, 2))])
def test_flights_are_stopped_as_often_as_the_rulings_say(
    brawl: Scenery, weigh: Weigh, runner: int, foe: int, stopped: Fraction
) -> None:
    scene = hampered(brawl, runner, foe)

    def run(dice: Exact) -> bool:
        state = records.copy(scene.fight.state)
        rules.run(state, 0, dice, None)
        return bool(state.stoppers)

    assert weigh(run).get(True, Fraction(0)) == stopped, "equal initiative is an even contest"


# Range

BOW = {"weapon": "longbow"}


def test_with_an_archer_the_fight_begins_far_apart_and_otherwise_close(duel: Scenery) -> None:
    assert duel(BOW).fight.lines[0].text == "The fight begins, far apart."
    assert duel().fight.lines[0].text == "The fight begins, at arm's length."
    assert duel(BOW, start_range="near")["ada"].near
    assert not duel(start_range="far")["ada"].near


def test_only_arrows_and_threats_reach_far(duel: Scenery) -> None:
    scene = duel(BOW)
    shooting = {move.split()[0] for move in scene.legal("ada")}
    assert {"strike", "power", "maim", "gap", "guarded", "threaten", "close"} <= shooting
    assert not {"disarm", "jab", "pull"} & shooting
    anyhow = {move.split()[0] for move in duel(BOW, weapon_moves=False).legal("ada")}
    assert "disarm" not in anyhow, "whatever weapons allow"
    scene.blow("ada", "strike pain", "bob", "dodge", then="bob", **MISSED)
    assert scene.legal("bob") == ["threaten", "close", "yield", "stand down", "flee"]
    assert scene.closed("bob")["strike"] == "too far away: close in first"
    assert scene.refused("bob", "strike pain") == "strike: too far away: close in first"
    scene.move("bob", "threaten", threat=0, nerve=1)


def test_closing_in_is_a_turn_and_brings_both_to_close_range(duel: Scenery) -> None:
    scene = duel(BOW)
    scene.move("ada", "stand down", then="bob")
    told = scene.move("bob", "close", then="bob")
    assert told[0] == "Bob closes in on Ada."
    assert scene.fight.state.round == 3
    assert "strike pain" in scene.legal("bob")
    assert scene.closed("bob")["close"] == "close already"
    scene.blow("bob", "strike pain", "ada", "dodge", then="ada", **MISSED)
    assert "close" not in scene.legal("ada")
    assert "strike pain" in scene.legal("ada"), "a bow shoots at any distance"


def test_range_is_between_two_and_not_between_teams(brawl: Scenery) -> None:
    scene = brawl(order=["ada"], raiders=["bob", "cyd"], options={"start_range": "far"})
    scene.move("ada", "stand down", then="bob")
    scene.move("bob", "close", then="cyd")
    assert "close" in scene.legal("cyd")
    assert "strike pain" not in scene.legal("cyd")
    scene.move("cyd", "stand down", then="ada")
    assert [move for move in scene.legal("ada") if move.startswith(("close", "disarm"))] == ["disarm bob", "close cyd"]


def test_a_foe_far_away_cannot_stop_a_flight(duel: Scenery) -> None:
    scene = duel(BOW)
    scene["ada"].incapacitation = 3
    scene.move("ada", "flee")
    assert scene.flips == [], "there is not even a contest"
    assert scene["ada"].state == FLED


def test_a_foe_who_has_closed_in_can(duel: Scenery) -> None:
    scene = duel(BOW)
    scene.move("ada", "stand down", then="bob")
    scene.move("bob", "close", then="ada")
    scene.move("ada", "flee", stop=1)
    assert scene.to_act == ["bob"]


def test_an_archer_who_is_disarmed_has_to_close_in_too(brawl: Scenery) -> None:
    scene = brawl(order={"ada": BOW}, raiders=["bob", "cyd"])
    scene["ada"].weapon = FISTS
    shown = scene.legal("ada")
    assert not any(move.startswith("strike") for move in shown)
    assert {"close bob", "close cyd", "pick up"} < set(shown)
    scene.move("ada", "pick up")
    assert scene["ada"].weapon == WEAPON_NUMBERS["longbow"]
    assert "strike bob pain" in scene.legal("ada")


# Standoffs, the cap, and the last side


def test_ten_rounds_without_a_hit_are_a_standoff(duel: Scenery) -> None:
    scene = duel()
    for round in range(1, 11):
        assert (scene.fight.state.round, scene.ending) == (round, None)
        told = scene.blow("ada", "strike pain", "bob", "parry", **MISSED)
    assert scene.ending == "standoff"
    assert "10 rounds without a hit: nobody sees a way in." in told


def test_a_hit_begins_the_count_anew(duel: Scenery) -> None:
    scene = duel()
    for _ in range(9):
        scene.blow("ada", "strike pain", "bob", "parry", **MISSED)
    scene.blow("ada", "strike pain", "bob", "parry", **TIED, **NOTHING)
    for _ in range(9):
        scene.blow("ada", "strike pain", "bob", "parry", **MISSED)
        assert scene.ending is None
    scene.blow("ada", "strike pain", "bob", "parry", **MISSED)
    assert scene.ending == "standoff"


def test_the_round_cap_is_a_draw(duel: Scenery) -> None:
    scene = duel(round_cap=3)
    for _ in range(3):
        assert scene.ending is None
        scene.blow("ada", "strike pain", "bob", "parry", **TIED, **NOTHING)
    assert scene.ending == "draw"


def test_when_all_die_in_one_life_check_it_is_a_draw(duel: Scenery) -> None:
    scene = duel({"life_coins": 1}, {"life_coins": 1})
    scene.move("ada", "stand down", life=[0, 0])
    assert [scene["ada"].state, scene["bob"].state] == [DEAD, DEAD]
    assert scene.ending == "draw"


def test_the_last_side_with_anybody_standing_wins(brawl: Scenery) -> None:
    scene = brawl(a=["ada"], b=["bob"], c=["cyd"])
    scene.move("ada", "stand down", then="bob")
    scene.move("bob", "flee", stop=0, then="ada")
    assert scene.ending is None
    scene["cyd"].coins = 1
    scene.move("ada", "stand down", life=0)
    assert scene.ending == "a"
