"""Every attack move alone, and what a hit does: coins, pools, margins that slip, soak, highwaters, Life Coins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest

from affray.kernel import records
from affray.kernel.exact import Exact
from affray.kernel.state import STANDING
from affray.systems.strategic import rules
from affray.systems.strategic.arms import FISTS, WEAPON_NUMBERS
from affray.systems.strategic.moves import ATTACKS, INTENTS
from affray.systems.strategic.state import DEAD, DOWN, PARRY

Scenery = Callable[..., Any]
Weigh = Callable[[Callable[[Exact], Any]], dict[Any, Fraction]]
NOTHING = {"pain": 0, "incapacitation": 0, "crippling": 0, "soak": 0}
MISSED = {"attack": 0, "defence": 1}
TIED = {"attack": 0, "defence": 0, "flip_off": [1, 0]}  # a hit by Flip-Off, margin 0

# The table of the rulings, for an attack of 7 with a broadsword: attack coins, then the three pools
MOVES = {
    "strike": (7, (8, 4, 4)),
    "jab": (9, (4, 2, 2)),
    "power": (6, (10, 6, 6)),
    "pull": (7, (8, 6, 0)),
    "maim": (7, (6, 2, 7)),
    "gap": (6, (8, 4, 4)),
    "guarded": (6, (8, 4, 4)),
}


@pytest.mark.parametrize("move", MOVES)
def test_every_move_flips_its_own_attack_coins_and_pools(duel: Scenery, move: str) -> None:
    scene = duel()
    scene.blow("ada", f"{move} pain", "bob", "parry", **TIED, **NOTHING)
    coins, pools = MOVES[move]
    assert scene.coins("attack") == [coins]
    assert scene.coins("pain") + scene.coins("incapacitation") + scene.coins("crippling") == list(pools)
    assert scene.coins("defence") == [8]


@pytest.mark.parametrize("move", MOVES)
def test_pools_never_go_below_nothing(duel: Scenery, move: str) -> None:
    scene = duel({"weapon": "fists"}, maim_others=-10, power_pools=-10, weapon_moves=False)
    scene.blow("ada", f"{move} pain", "bob", "parry", **TIED, **NOTHING)
    least = {"maim": (0, 0, 4), "power": (0, 0, 0)}
    usual = {"strike": (4, 3, 1), "jab": (2, 1, 0), "pull": (4, 3, 0), "gap": (4, 3, 1), "guarded": (4, 3, 1)}
    found = scene.coins("pain") + scene.coins("incapacitation") + scene.coins("crippling")
    assert tuple(found) == (usual | least)[move]


# What a move does to the one who makes it, and until when


def test_a_jab_gives_a_coin_of_initiative_until_one_acts_again(duel: Scenery) -> None:
    scene = duel()
    scene.blow("ada", "jab pain", "bob", "parry", then="bob", **MISSED)
    assert scene.coins("initiative") == [9, 8]
    scene.blow("bob", "strike pain", "ada", "parry", then="ada", **MISSED)
    assert scene.coins("initiative") == [9, 8], "it lasts while others act, and for the contest that ends it"
    scene.move("ada", "stand down", then="bob")
    assert scene.coins("initiative") == [8, 8]


def test_a_power_blow_costs_a_coin_of_defence_until_one_acts_again(duel: Scenery) -> None:
    scene = duel()
    scene.blow("ada", "power pain", "bob", "parry", then="bob", **MISSED)
    for _ in range(2):
        scene.blow("bob", "strike pain", "ada", "parry", then="bob", **MISSED)
        assert scene.coins("defence") == [7]
    scene.blow("bob", "strike pain", "ada", "parry", then="ada", **MISSED)
    scene.blow("ada", "strike pain", "bob", "parry", then="bob", **MISSED)
    scene.blow("bob", "strike pain", "ada", "parry", **MISSED)
    assert scene.coins("defence") == [8]


def test_a_guarded_attack_gives_two_coins_of_defence_until_one_acts_again(duel: Scenery) -> None:
    scene = duel()
    scene.blow("ada", "guarded pain", "bob", "parry", then="bob", **MISSED)
    for _ in range(2):
        scene.blow("bob", "strike pain", "ada", "parry", then="bob", **MISSED)
        assert scene.coins("defence") == [10]
    scene.blow("bob", "strike pain", "ada", "parry", then="ada", **MISSED)
    assert scene["ada"].guard == 0, "being on turn is acting again"


@pytest.mark.parametrize("move", ["strike", "pull", "maim", "gap"])
def test_the_other_moves_leave_defence_and_initiative_alone(duel: Scenery, move: str) -> None:
    scene = duel()
    scene.blow("ada", f"{move} pain", "bob", "parry", then="bob", **MISSED)
    assert scene.coins("initiative") == [8, 8]
    scene.blow("bob", "strike pain", "ada", "parry", **MISSED)
    assert scene.coins("defence") == [8]


def test_only_the_last_stance_counts(duel: Scenery) -> None:
    scene = duel()
    scene.blow("ada", "guarded pain", "bob", "parry", **MISSED)
    scene.blow("ada", "power pain", "bob", "parry", **MISSED)
    scene.blow("ada", "jab pain", "bob", "parry", then="bob", **MISSED)
    assert (scene["ada"].guard, scene["ada"].quick) == (0, 1)


def test_the_stance_holds_in_the_very_round_in_which_it_is_taken(duel: Scenery) -> None:
    scene = duel()
    scene.move("ada", "guarded pain")
    assert scene["ada"].guard == 2


# Pull and gap


@pytest.mark.parametrize("slip", [0, 1])
def test_a_pulled_blow_never_cripples_even_where_the_margin_slips(duel: Scenery, slip: int) -> None:
    scene = duel()
    hit = {"attack": 5, "defence": 0, "control": 1, "slip": slip}
    scene.blow("ada", "pull incapacitate", "bob", "parry", **NOTHING | {"pain": 1} | hit)
    assert scene.marks("bob") == (1 if slip else 1 + 3, 2, 0)
    assert scene["bob"].coins == 30


def test_a_pulled_blow_cannot_be_meant_to_cripple(duel: Scenery) -> None:
    scene = duel()
    assert [move for move in scene.legal("ada") if move.startswith("pull")] == ["pull pain", "pull incapacitate"]


@pytest.mark.parametrize(("weapon", "incapacitating"), [("rapier", 3 + 1), ("battleaxe", 6 + 3), ("fists", 3 + 0)])
def test_half_the_lethality_rounded_down_joins_the_incapacitation_of_a_pulled_blow(
    duel: Scenery, weapon: str, incapacitating: int
) -> None:
    scene = duel({"weapon": weapon})
    scene.blow("ada", "pull pain", "bob", "parry", **TIED, **NOTHING)
    assert scene.coins("incapacitation") == [incapacitating]
    assert scene.coins("crippling") == [0]


@pytest.mark.parametrize(("armour", "value"), [("none", 0), ("leather", 3), ("chain", 4), ("plate", 8)])
def test_a_gap_ignores_armour_and_only_a_gap_does(duel: Scenery, armour: str, value: int) -> None:
    for move in MOVES:
        scene = duel(bob={"armour": armour})
        scene.blow("ada", f"{move} pain", "bob", "parry", **TIED, **NOTHING)
        assert scene.coins("soak") == [2 if move == "gap" else 2 + value]


# Disarm


@pytest.mark.parametrize(("attack", "drops"), [(1, False), (2, True), (5, True)])
def test_a_disarm_needs_a_margin_of_2_and_does_no_damage(duel: Scenery, attack: int, drops: bool) -> None:
    scene = duel()
    told = scene.blow("ada", "disarm", "bob", "parry", attack=attack, defence=0)
    assert scene.coins("attack") == [5]
    assert scene.marks("bob") == (0, 0, 0)
    assert scene["bob"].weapon == (FISTS if drops else WEAPON_NUMBERS["broadsword"])
    assert ("Bob drops the weapon." in told) == drops
    assert ("Bob keeps hold of the weapon." in told) != drops


def test_a_flip_off_wins_no_weapon(duel: Scenery) -> None:
    scene = duel()
    scene.blow("ada", "disarm", "bob", "parry", **TIED)
    assert scene["bob"].weapon == WEAPON_NUMBERS["broadsword"]


def test_whoever_is_disarmed_fights_with_fists_until_the_weapon_is_picked_up_which_is_a_turn(duel: Scenery) -> None:
    scene = duel()
    assert "pick up" not in scene.legal("ada")
    scene.blow("ada", "disarm", "bob", "parry", attack=3, defence=0, then="bob")
    scene.move("bob", "strike pain")
    scene.move("ada", "parry", then="bob", **TIED, **NOTHING)
    assert scene.coins("attack") == [8], "4 + 2 x 6/3: fists reward Strength twice"
    assert scene.coins("pain") == [4]
    told = scene.move("bob", "pick up", then="bob")
    assert "Bob picks the weapon up." in told
    assert scene["bob"].weapon == WEAPON_NUMBERS["broadsword"]
    assert scene.fight.state.round == 4, "that was the whole turn"
    assert scene.closed("bob")["pick up"] == "nothing was dropped"


@pytest.mark.parametrize(("crippling", "down"), [(0, False), (1, False), (2, True)])
def test_whoever_is_too_hurt_to_fight_with_fists_goes_down_with_the_weapon(
    duel: Scenery, crippling: int, down: bool
) -> None:
    # A rapier gives 2 + 0/3 + 6/3 = 4 for the attack, fists only the Training: 2.
    scene = duel(bob={"strength": 0, "agility": 6, "training": 2, "weapon": "rapier", "crippling": crippling})
    scene.blow("ada", "disarm", "bob", "parry", attack=3, defence=0)
    assert (scene["bob"].state == DOWN) == down


def test_whoever_has_dropped_the_weapon_cannot_be_disarmed_again(duel: Scenery) -> None:
    scene = duel()
    scene.blow("ada", "disarm", "bob", "parry", attack=3, defence=0)
    assert "disarm" not in scene.legal("ada")
    assert scene.refused("ada", "disarm") == "disarm: there is nothing to knock out of the hand"


# Threaten


def test_a_threat_is_a_contest_of_training_and_strength_against_discipline_and_training(duel: Scenery) -> None:
    scene = duel({"training": 5, "strength": 7}, {"discipline": 3, "training": 4})
    scene.move("ada", "threaten", threat=0, nerve=1)
    assert scene.coins("threat") == [7], "5 + 7/3"
    assert scene.coins("nerve") == [4], "3 + 4/3"


def test_a_threat_that_fails_does_nothing(duel: Scenery) -> None:
    scene = duel()
    told = scene.move("ada", "threaten", threat=0, nerve=1)
    assert "Bob is unmoved." in told
    assert scene["bob"].shaken == 0
    assert scene.to_act == ["ada"], "nobody was asked anything; a new round"


def test_whoever_is_threatened_must_say_fight_on_or_yield(duel: Scenery) -> None:
    scene = duel()
    scene.move("ada", "threaten", threat=1, nerve=0)
    assert scene.to_act == ["bob"]
    assert scene.legal("bob") == ["fight on", "yield"]
    assert scene.refused("bob", "parry") == "there is no move 'parry'; there are: fight on, yield"
    told = scene.move("bob", "fight on")
    assert told[0] == "Bob fights on."
    assert scene["bob"].yielding == 0


def test_a_threat_won_by_flip_off_is_won(duel: Scenery) -> None:
    scene = duel()
    scene.move("ada", "threaten", threat=2, nerve=2, flip_off=[0, 0, 1, 0])
    assert scene.legal("bob") == ["fight on", "yield"]


def test_a_threat_costs_a_coin_of_the_next_attack_and_of_no_later_one(duel: Scenery) -> None:
    scene = duel()
    scene.move("ada", "threaten", threat=1, nerve=0)
    scene.move("bob", "fight on", then="bob")
    scene.blow("bob", "strike pain", "ada", "parry", then="bob", **MISSED)
    assert scene.coins("attack") == [6]
    scene.blow("bob", "strike pain", "ada", "parry", **MISSED)
    assert scene.coins("attack") == [7]


def test_the_coin_waits_for_the_next_attack_however_late(duel: Scenery) -> None:
    scene = duel()
    scene.move("ada", "threaten", threat=1, nerve=0)
    scene.move("bob", "fight on", then="bob")
    scene.move("bob", "stand down", then="bob")
    scene.blow("bob", "jab pain", "ada", "parry", **MISSED)
    assert scene.coins("attack") == [8]


def test_two_threats_cost_no_more_than_one(duel: Scenery) -> None:
    scene = duel()
    for _ in range(2):
        scene.move("ada", "threaten", threat=1, nerve=0)
        scene.move("bob", "fight on")
    assert scene["bob"].shaken == 1


def test_yielding_to_a_threat_is_an_offer_like_any_other(duel: Scenery) -> None:
    scene = duel()
    scene.move("ada", "threaten", threat=1, nerve=0)
    scene.move("bob", "yield")
    assert scene.to_act == ["ada"]
    assert scene.legal("ada") == ["accept", "refuse"]
    scene.move("ada", "accept")
    assert scene.ending == "order"


# Intents, and how they slip


@pytest.mark.parametrize(("intent", "place"), [("pain", 0), ("incapacitate", 1), ("cripple", 2)])
@pytest.mark.parametrize("margin", [1, 2, 5])
def test_the_margin_goes_where_it_was_meant_to_as_far_as_control_reaches(
    duel: Scenery, intent: str, place: int, margin: int
) -> None:
    scene = duel(bob={"strength": 10, "training": 10})
    control = {"control": 4} if margin > 1 else {}
    scene.blow("ada", f"strike {intent}", "bob", "parry", attack=margin, defence=0, **control, **NOTHING)
    expected = [1, 0, 0]  # the least Pain there is
    expected[place] = margin
    assert scene.marks("bob") == tuple(expected)
    assert scene.coins("control") == ([4] if margin > 1 else []), "the first point needs none"


@pytest.mark.parametrize("heads", range(5))
def test_the_first_point_and_as_many_as_discipline_flips_are_kept_and_the_rest_slips(duel: Scenery, heads: int) -> None:
    for intent, (kept, slipped) in {"pain": (0, 1), "cripple": (2, 1)}.items():
        scene = duel(bob={"strength": 10, "training": 10})
        scene.blow("ada", f"strike {intent}", "bob", "parry", attack=5, defence=0, control=heads, **NOTHING)
        expected = [1, 0, 0]
        expected[kept] = 1 + heads
        expected[slipped] = 5 - (1 + heads)
        assert scene.marks("bob") == tuple(expected)


@pytest.mark.parametrize(("slip", "place"), [(1, 2), (0, 0)])
def test_from_the_middle_one_coin_decides_for_all_that_slips(duel: Scenery, slip: int, place: int) -> None:
    scene = duel(bob={"strength": 10, "training": 10})
    hit = {"attack": 6, "defence": 0, "control": 1, "slip": slip}
    scene.blow("ada", "strike incapacitate", "bob", "parry", **hit, **NOTHING)
    expected = [1, 2, 0]
    expected[place] = 4
    assert scene.marks("bob") == tuple(expected)
    assert scene.coins("slip") == [1]


@pytest.mark.parametrize("discipline", [0, 2, 9])
def test_control_is_flipped_with_discipline_and_nothing_else(duel: Scenery, discipline: int) -> None:
    scene = duel({"discipline": discipline}, {"strength": 10, "training": 10})
    scene.blow("ada", "strike pain", "bob", "parry", attack=3, defence=0, control=0, **NOTHING)
    assert scene.coins("control") == [discipline]


def test_no_coin_decides_where_nothing_slips(duel: Scenery) -> None:
    scene = duel(bob={"strength": 10, "training": 10})
    scene.blow("ada", "strike incapacitate", "bob", "parry", attack=4, defence=0, control=3, **NOTHING)
    assert scene.marks("bob") == (1, 4, 0)


def test_a_hit_by_flip_off_has_no_margin(duel: Scenery) -> None:
    scene = duel()
    told = scene.blow("ada", "strike cripple", "bob", "parry", attack=4, defence=4, flip_off=[1, 0], **NOTHING)
    assert "Ada hits Bob, margin 0." in told
    assert scene.marks("bob") == (1, 0, 0)


# Soak


@pytest.mark.parametrize("soaked", range(11))
def test_soak_takes_its_heads_off_crippling_half_of_them_off_incapacitation_and_none_off_pain(
    duel: Scenery, soaked: int
) -> None:
    scene = duel({"weapon": "battleaxe"}, {"armour": "plate", "strength": 10, "training": 10})
    scene.blow("ada", "strike pain", "bob", "parry", **TIED, pain=7, incapacitation=4, crippling=5, soak=soaked)
    assert scene.marks("bob") == (7, max(0, 4 - soaked // 2), max(0, 5 - soaked))
    assert scene["bob"].coins == 30 - max(0, 5 - soaked)


def test_soak_works_on_what_the_margin_has_added(duel: Scenery) -> None:
    scene = duel(bob={"strength": 10, "training": 10})
    scene.blow(
        "ada", "strike cripple", "bob", "parry", **NOTHING | {"attack": 3, "defence": 0, "control": 4, "soak": 2}
    )
    assert scene.marks("bob") == (1, 0, 1)


def test_pain_is_at_least_1(duel: Scenery) -> None:
    scene = duel()
    scene.blow("ada", "strike cripple", "bob", "parry", **TIED, **NOTHING | {"soak": 2})
    assert scene.marks("bob") == (1, 0, 0)


# Life Coins


def crippled_by(scene: Any, points: int) -> None:
    scene.blow("ada", "strike pain", "bob", "parry", **TIED, **NOTHING | {"crippling": points})


def test_lethal_cumulative_every_wound_costs_its_coins_though_the_penalty_is_a_highwater(duel: Scenery) -> None:
    scene = duel(bob={"strength": 10, "training": 10})
    for points, penalty, coins in ((3, 3, 27), (2, 3, 25), (3, 3, 22), (4, 4, 18)):
        crippled_by(scene, points)
        assert (scene["bob"].crippling, scene["bob"].coins) == (penalty, coins)


def test_lethal_highwater_only_what_goes_beyond_it_costs_coins(duel: Scenery) -> None:
    scene = duel(bob={"strength": 10, "training": 10}, lethal="highwater")
    for points, penalty, coins in ((3, 3, 27), (2, 3, 27), (3, 3, 27), (4, 4, 26)):
        crippled_by(scene, points)
        assert (scene["bob"].crippling, scene["bob"].coins) == (penalty, coins)


@pytest.mark.parametrize("lethal", ["cumulative", "highwater"])
def test_crippling_of_an_earlier_fight_is_part_of_the_highwater(duel: Scenery, lethal: str) -> None:
    scene = duel(bob={"strength": 10, "training": 10, "crippling": 2, "coins_lost": 2}, lethal=lethal)
    crippled_by(scene, 3)
    assert scene["bob"].crippling == 3
    assert scene["bob"].coins == (28 - 3 if lethal == "cumulative" else 28 - 1)


def test_nobody_has_fewer_than_no_coins(duel: Scenery) -> None:
    scene = duel(bob={"life_coins": 2})
    crippled_by(scene, 4)
    assert (scene["bob"].coins, scene["bob"].state) == (0, DEAD)
    assert scene.fight.figures["bob"]["coins lost"] == 2


# Down


@pytest.mark.parametrize(("incapacitation", "crippling"), [(3, 3), (4, 2), (2, 4)])
def test_one_with_an_attack_of_1_still_stands(duel: Scenery, incapacitation: int, crippling: int) -> None:
    scene = duel()
    hit = {"pain": 8, "incapacitation": incapacitation, "crippling": crippling, "soak": 0}
    scene.blow("ada", "strike pain", "bob", "parry", **TIED, **hit)
    assert scene["bob"].state == STANDING


@pytest.mark.parametrize(("incapacitation", "crippling"), [(4, 3), (3, 4), (4, 4)])
def test_attack_0_or_less_by_fixed_penalties_is_down(duel: Scenery, incapacitation: int, crippling: int) -> None:
    scene = duel()
    hit = {"pain": 0, "incapacitation": incapacitation, "crippling": crippling, "soak": 0}
    told = scene.blow("ada", "strike pain", "bob", "parry", **TIED, **hit)
    assert scene["bob"].state == DOWN
    assert "Bob cannot fight any longer and goes down." in told
    assert scene.ending == "order"


def test_pain_alone_puts_nobody_down(duel: Scenery) -> None:
    scene = duel()
    scene["bob"].pain = 40
    scene.blow("ada", "strike pain", "bob", "parry", **TIED, **NOTHING | {"pain": 8})
    assert scene["bob"].state == STANDING


def test_crippling_of_an_earlier_fight_that_leaves_no_attack_is_down_from_the_beginning(brawl: Scenery) -> None:
    scene = brawl(order=["ada"], raiders={"bob": {"crippling": 7}, "cyd": {"crippling": 6}})
    assert scene["bob"].state == DOWN
    assert scene["cyd"].state == STANDING
    assert scene.flips[0].what == "initiative"
    assert [flip.who for flip in scene.flips if flip.what == "initiative"] == ["ada", "cyd"]


def test_nobody_who_is_unhurt_is_down_however_weak(duel: Scenery) -> None:
    weak = {"strength": 0, "agility": 0, "training": 0, "weapon": "fists"}
    scene = duel(weak)
    assert scene["ada"].state == STANDING
    told = scene.blow("ada", "strike pain", "bob", "parry")
    assert "Ada has no coin left for the attack, and it fails." in told


# A whole blow, laid out here and there


def heads_of(coins: int) -> list[tuple[int, Fraction]]:
    return [(heads, Fraction(comb(coins, heads), 2**coins)) for heads in range(coins + 1)]


def margins(attack: int, defence: int) -> Iterator[tuple[int | None, Fraction]]:
    """Every margin of a hit; None is a miss."""
    for (mine, a), (theirs, d) in product(heads_of(attack), heads_of(defence)):
        if mine == theirs:
            yield 0, a * d / 2
            yield None, a * d / 2
        else:
            yield (mine - theirs if mine > theirs else None), a * d


def kept_and_slipped(margin: int, intent: int, discipline: int) -> Iterator[tuple[list[int], Fraction]]:
    """What a margin adds to the three types of damage."""
    for heads, chance in heads_of(discipline):
        kept = min(margin, 1 + heads)
        for goes_to, share in {0: [(1, 1)], 1: [(0, 2), (2, 2)], 2: [(1, 1)]}[intent]:
            added = [0, 0, 0]
            added[intent] += kept
            added[goes_to] += margin - kept
            yield added, chance / share


def whole_blow(
    coins: tuple[int, int], pools: tuple[int, int, int], intent: int, discipline: int, soak: int, pulled: bool
) -> dict[tuple[int, int, int], Fraction]:
    """How likely each set of highwaters is after one blow at an unhurt fighter."""
    chances: Counter[tuple[int, int, int]] = Counter()
    flipped = [((p, i, c), a * b * d) for (p, a), (i, b), (c, d) in product(*(heads_of(coins) for coins in pools))]
    for margin, hit in margins(*coins):
        if margin is None:
            chances[0, 0, 0] += hit
            continue
        for added, control in kept_and_slipped(margin, intent, discipline):
            for (shown, pooled), (soaked, soaking) in product(flipped, heads_of(soak)):
                pain, incapacitation, crippling = (s + a for s, a in zip(shown, added, strict=True))
                marks = (
                    max(1, pain),
                    max(0, incapacitation - soaked // 2),
                    0 if pulled else max(0, crippling - soaked),
                )
                chances[marks] += hit * control * pooled * soaking
    return dict(chances)


CLAWS = {  # attack coins of 2 and damage 3 with lethality 1: what each move makes of them
    "strike": (2, (3, 2, 1)),
    "jab": (4, (1, 1, 0)),
    "power": (1, (5, 4, 3)),
    "pull": (2, (3, 2, 0)),
    "maim": (2, (1, 0, 4)),
    "gap": (1, (3, 2, 1)),
    "guarded": (1, (3, 2, 1)),
}


@pytest.mark.parametrize(
    ("move", "intent"),
    [(move, intent) for move in CLAWS for intent in INTENTS if (move, intent) != ("pull", "cripple")],
)
def test_a_whole_blow_is_as_likely_as_the_rulings_say(duel: Scenery, weigh: Weigh, move: str, intent: str) -> None:
    clawed = {"strength": 0, "agility": 0, "discipline": 2, "training": 2, "weapon": "claws"}
    scene = duel(clawed, {**clawed, "hardiness": 1, "armour": "none"}, weapon_moves=False)
    scene.move("ada", f"{move} {intent}")

    def struck(dice: Exact) -> tuple[int, int, int]:
        state = records.copy(scene.fight.state)
        state.defence = PARRY
        rules.strike(state, dice, None)
        bob = state.fighters[1]
        assert bob.coins == 30 - bob.crippling
        return bob.pain, bob.incapacitation, bob.crippling

    coins, pools = CLAWS[move]
    expected = whole_blow((coins, 2), pools, INTENTS.index(intent), 2, 1, move == "pull")
    assert sum(expected.values()) == 1
    assert weigh(struck) == expected


def test_every_attack_move_is_shown_here() -> None:
    assert set(ATTACKS.values()) == {*MOVES, "disarm", "threaten"}
