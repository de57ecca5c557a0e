"""Trip, disarm and hold: what Build allows, how they are met, what they do and how long it lasts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest

Scenery = Callable[..., Any]
HIT, HARD, EXTREME, MISS = 50, 25, 10, 99
MANOEUVRES = ("trip", "disarm", "hold")
ARMED = {"weapons": ["small-club"]}
BODIES: Mapping[int, Mapping[str, object]] = {
    # STR and SIZ of each Build
    -2: {"strength": 30, "size": 30},
    -1: {"strength": 40, "size": 40},
    0: {"strength": 50, "size": 50},
    1: {"strength": 70, "size": 70},
    2: {"strength": 90, "size": 90},
    3: {"strength": 120, "size": 120},
    4: {"strength": 160, "size": 160},
}


def done(scene: Any, manoeuvre: str, who: str = "bob") -> bool:
    """Whether it has happened to a fighter."""
    fighter = scene[who]
    return bool({"trip": fighter.down, "disarm": fighter.dropped, "hold": fighter.held_by}[manoeuvre])


def hers(scene: Any) -> None:
    """Bob attacks, and nothing comes of it: it is Ada's turn again."""
    scene.fight.play("bob", scene.legal("bob")[0])
    net = -1 if scene["bob"].down or scene["bob"].held_by else 0
    scene.move("ada", "dodge", f"{MISS}+{-net}", MISS)


# Build


@pytest.mark.parametrize("manoeuvre", MANOEUVRES)
@pytest.mark.parametrize("mine", BODIES)
@pytest.mark.parametrize("theirs", BODIES)
def test_the_table_of_builds(duel: Scenery, manoeuvre: str, mine: int, theirs: int) -> None:
    scene = duel(BODIES[mine], {**BODIES[theirs], **ARMED})
    assert (scene["ada"].build, scene["bob"].build) == (mine, theirs)
    gap = mine - theirs
    if gap <= -3:
        assert manoeuvre not in scene.legal("ada")
        reason = f"Build {theirs} is too much for Build {mine}"
        assert scene.closed("ada")[manoeuvre] == reason
        assert reason in scene.refused("ada", manoeuvre)
    else:
        penalty = {-1: 1, -2: 2}.get(gap, 0)
        scene.move("ada", manoeuvre, f"{HIT}+{penalty}", MISS)
        assert done(scene, manoeuvre)


@pytest.mark.parametrize(("theirs", "net"), [(0, 0), (1, -1), (2, -2)])
def test_exact_odds_of_a_manoeuvre_on_somebody_larger(
    duel: Scenery, d100: Scenery, odds_of: Scenery, theirs: int, net: int
) -> None:
    """Against a foe who cannot but fail it takes a success with that many penalty dice."""
    scene = duel({"skills": {"brawl": 60}}, {**BODIES[theirs], "skills": {"brawl": 1}})
    scene["bob"].surprised = 1  # no reaction, and one bonus die
    success = sum((share for number, share in d100(net + 1).items() if number <= 60), Fraction(0))
    assert odds_of(scene, "ada", "trip", lambda fight: fight.fighters[1].down)[1] == success


def test_build_is_nothing_to_blows(duel: Scenery) -> None:
    scene = duel(BODIES[-2], BODIES[4])
    scene.move("ada", "fight", MISS, MISS)


# How they are met


@pytest.mark.parametrize("manoeuvre", MANOEUVRES)
@pytest.mark.parametrize(
    ("attack", "answer", "works"),
    [
        (HIT, MISS, True),
        (HIT, HIT, True),
        (HARD, HIT, True),
        (HIT, HARD, False),
        (MISS, HIT, False),
        (MISS, MISS, False),
    ],
)
def test_a_manoeuvre_is_fought_back_against_like_a_blow(
    duel: Scenery, manoeuvre: str, attack: int, answer: int, works: bool
) -> None:
    scene = duel(bob=ARMED)
    countered = not works and answer != MISS
    scene.move("ada", manoeuvre, attack, answer, *([[4]] if countered else []))
    assert done(scene, manoeuvre) == works
    assert scene.lost("ada") == (4 if countered else 0)
    assert scene.to_act == ["bob"]


@pytest.mark.parametrize("manoeuvre", MANOEUVRES)
@pytest.mark.parametrize(("attack", "answer", "works"), [(HIT, HIT, False), (HARD, HIT, True), (MISS, MISS, False)])
def test_a_manoeuvre_is_dodged_like_a_blow(
    duel: Scenery, manoeuvre: str, attack: int, answer: int, works: bool
) -> None:
    scene = duel(ARMED, {"dexterity": 70}, enemy_ai="free")
    scene.move("bob", manoeuvre)
    assert "dodge" in scene.legal("ada")
    scene.move("ada", "dodge", attack, answer)
    assert done(scene, manoeuvre, "ada") == works


@pytest.mark.parametrize("manoeuvre", MANOEUVRES)
@pytest.mark.parametrize("rolled", [EXTREME, 1])
def test_a_manoeuvre_deals_no_damage_however_good_it_is(duel: Scenery, manoeuvre: str, rolled: int) -> None:
    scene = duel(bob=ARMED)
    scene.move("ada", manoeuvre, rolled, MISS)
    assert done(scene, manoeuvre)
    assert scene.lost("bob") == 0


def test_a_manoeuvre_is_made_with_bare_hands(duel: Scenery) -> None:
    scene = duel({"weapons": ["medium-sword"], "skills": {"sword": 90, "brawl": 30}})
    scene.move("ada", "trip", 31, MISS)
    assert not scene["bob"].down


# Tripped


def test_one_who_is_down_attacks_with_a_penalty_die(duel: Scenery) -> None:
    scene = duel(bob={"natural": "1"})
    scene.move("ada", "trip", HIT, MISS)
    scene.move("bob", "fight")
    scene.move("ada", "dodge", (0, 1, 6), MISS)  # 60, not 10
    assert scene.lost("ada") == 0


def test_blows_at_one_who_is_down_have_a_bonus_die_and_fighting_back_a_penalty_die(brawl: Scenery) -> None:
    scene = brawl({"ada": {}, "cal": {"natural": "1"}}, ["bob"])
    scene.move("ada", "trip", HIT, MISS)
    scene.move("cal", "fight", (0, 6, 5), (0, 5, 6))  # 50 against 60
    assert scene.lost("bob") == 1


def test_one_who_is_down_is_so_until_the_end_of_their_next_turn(brawl: Scenery) -> None:
    scene = brawl(["ada", "cal"], ["bob"])
    scene.move("ada", "trip", HIT, MISS)
    scene.move("cal", "fight", f"{HIT}+1", f"{MISS}+1", [3])
    assert scene.lost("bob") == 3
    scene.move("bob", "fight ada")
    scene.move("ada", "dodge", f"{MISS}+1", MISS)
    assert not scene["bob"].down
    scene.move("ada", "fight", MISS, MISS)


def test_nobody_is_tripped_twice(brawl: Scenery) -> None:
    scene = brawl(["ada", "cal"], ["bob"])
    scene.move("ada", "trip", HIT, MISS)
    assert "trip" not in scene.legal("cal")
    assert scene.closed("cal")["trip"] == "down already"
    assert "down already" in scene.refused("cal", "trip")


def test_a_player_who_is_down_shoots_with_a_penalty_die(duel: Scenery) -> None:
    scene = duel({"weapons": ["38-revolver"], "dexterity": 40}, enemy_ai="free")
    scene.move("bob", "trip")
    scene.move("ada", "dodge", HIT, MISS)
    scene.move("ada", "shoot with .38 revolver")
    scene.move("bob", "stand", f"{HIT}+1", [2])
    assert scene.lost("bob") == 2
    assert not scene["ada"].down


# Disarmed


def test_the_weapon_lies_on_the_floor_until_it_is_picked_up_which_takes_a_turn(duel: Scenery) -> None:
    scene = duel({"weapons": ["blackjack"], "dexterity": 40}, enemy_ai="free")
    scene.move("bob", "disarm")
    scene.move("ada", "fight back with blackjack", HIT, MISS)
    assert "fight with blackjack" not in scene.legal("ada")
    assert scene.closed("ada")["fight with blackjack"] == "it lies on the floor: pick it up first"
    assert "on the floor" in scene.refused("ada", "fight with blackjack")
    scene.move("ada", "pick up blackjack")
    assert scene.to_act == ["bob"]
    scene.move("bob", "fight")
    assert scene.legal("ada") == ["dodge", "fight back with blackjack", "fight back with hands"]
    scene.move("ada", "dodge", MISS, MISS)
    assert "fight with blackjack" in scene.legal("ada")


def test_one_who_is_disarmed_fights_back_with_bare_hands(duel: Scenery) -> None:
    scene = duel(bob={"weapons": ["sledgehammer"], "natural": "1D4"})
    scene.move("ada", "disarm", HIT, MISS)
    assert scene.legal("bob") == ["fight with hands"]
    hers(scene)
    scene.move("ada", "fight", MISS, HIT, [4])
    assert scene.lost("ada") == 4


def test_a_gun_on_the_floor_neither_shoots_nor_is_reloaded(duel: Scenery) -> None:
    ada = {"weapons": ["38-revolver"], "loaded": {"38-revolver": 2}, "dexterity": 40}
    scene = duel(ada, enemy_ai="free")
    scene.move("bob", "disarm")
    scene.move("ada", "dodge", HIT, MISS)
    assert not [text for text in scene.legal("ada") if text.startswith(("shoot", "reload"))]
    closed = scene.closed("ada")
    for text in ("shoot with .38 revolver", "reload .38 revolver"):
        assert closed[text] == "it lies on the floor: pick it up first"
    scene.move("ada", "pick up .38 revolver")
    assert scene["ada"].loaded[1] == 2


def test_whoever_holds_nothing_cannot_be_disarmed(duel: Scenery) -> None:
    scene = duel()
    assert scene.closed("ada")["disarm"] == "there is no weapon in hand"
    scene = duel(bob={"weapons": ["small-club"], "wields": "hands"})
    assert "disarm" not in scene.legal("ada")


def test_only_what_is_in_hand_falls(duel: Scenery) -> None:
    scene = duel(bob={"weapons": ["small-club", "small-knife"], "wields": "small-knife"})
    scene.move("ada", "disarm", HIT, MISS)
    assert scene.legal("bob") == ["fight with hands", "fight with small club"]


# Held


def held(duel: Scenery, **options: object) -> Any:
    """Ada, who is slower, is held by Bob, and it is her turn."""
    scene = duel(
        {"dexterity": 40, "natural": "1", "items": {"first-aid": 1}}, {"natural": "1"}, enemy_ai="free", **options
    )
    scene.move("bob", "hold")
    scene.move("ada", "dodge", HIT, MISS)
    assert scene["ada"].held_by
    return scene


def test_one_who_is_held_cannot_flee(duel: Scenery) -> None:
    scene = held(duel)
    assert "flee" not in scene.legal("ada")
    assert scene.closed("ada")["flee"].startswith("held")
    assert "held" in scene.refused("ada", "flee")
    assert "first aid" in scene.legal("ada")


def test_one_who_is_held_cannot_move_about(duel: Scenery) -> None:
    scene = held(duel, range=True, distance=5)
    assert not [text for text in scene.legal("ada") if text.startswith(("close", "fall"))]


def test_one_who_is_held_attacks_and_fights_back_with_a_penalty_die(duel: Scenery) -> None:
    scene = held(duel)
    scene.move("ada", "fight")
    scene.move("bob", "fight back", f"{MISS}+1", MISS)
    scene.move("bob", "fight")
    scene.move("ada", "fight back", MISS, f"{MISS}+1")
    assert scene["ada"].held_by


def test_hurting_the_holder_breaks_the_hold(duel: Scenery) -> None:
    scene = held(duel)
    scene.move("ada", "fight")
    scene.move("bob", "dodge", f"{HIT}+1", MISS)
    assert scene.lost("bob") == 1
    assert not scene["ada"].held_by


def test_a_blow_that_does_not_hurt_the_holder_breaks_nothing(duel: Scenery) -> None:
    scene = held(duel)
    scene["bob"].armour = 3
    scene.move("ada", "fight")
    scene.move("bob", "dodge", f"{HIT}+1", MISS)
    assert scene["ada"].held_by


@pytest.mark.parametrize("manoeuvre", ["trip", "hold"])
def test_tripping_or_holding_the_holder_breaks_the_hold(duel: Scenery, manoeuvre: str) -> None:
    scene = held(duel)
    scene.move("ada", manoeuvre)
    scene.move("bob", "dodge", f"{HIT}+1", MISS)
    assert not scene["ada"].held_by


@pytest.mark.parametrize("text", ["wait", "fight", "trip"])
def test_the_holder_may_wait_or_attack_the_one_who_is_held(duel: Scenery, text: str) -> None:
    scene = held(duel)
    scene.move("ada", "wait")
    scene.move("bob", text)
    assert scene["ada"].held_by


def test_the_holder_who_does_anything_else_lets_go(duel: Scenery) -> None:
    scene = held(duel)
    scene.move("ada", "wait")
    scene.move("bob", "flee", MISS, 1)  # and is caught
    assert not scene["ada"].held_by
    assert scene.ending is None


def test_the_holder_who_attacks_somebody_else_lets_go(brawl: Scenery) -> None:
    scene = brawl({"ada": {"dexterity": 70}}, ["bob", "dan"])
    scene.move("ada", "hold bob", HIT, MISS)
    for name in ("bob", "dan"):
        scene.move(name, "fight")
        scene.move("ada", "dodge", f"{MISS}+{int(name == 'bob')}", MISS)
    assert scene["bob"].held_by
    scene.move("ada", "fight bob", MISS, f"{MISS}+1")
    assert scene["bob"].held_by
    for name in ("bob", "dan"):
        scene.move(name, "fight")
        scene.move("ada", "dodge", f"{MISS}+{int(name == 'bob')}", MISS)
    scene.move("ada", "fight dan", MISS, MISS)
    assert not scene["bob"].held_by


def test_the_dead_hold_nobody(brawl: Scenery) -> None:
    scene = brawl({"ada": {"dexterity": 40, "natural": "9"}}, {"bob": {"hp": 1}, "dan": {}}, enemy_ai="free")
    scene.move("bob", "hold")
    scene.move("ada", "dodge", HIT, MISS)
    scene.move("dan", "wait")
    scene.move("ada", "fight bob")
    scene.move("bob", "dodge", f"{HIT}+1", MISS)
    assert scene["bob"].hp == 0
    assert not scene["ada"].held_by


def test_nobody_is_held_twice(brawl: Scenery) -> None:
    scene = brawl(["ada", "cal"], ["bob"])
    scene.move("ada", "hold", HIT, MISS)
    assert scene.closed("cal")["hold"] == "held already"
    assert "held already" in scene.refused("cal", "hold")


def test_held_and_down_are_one_penalty_die_together(duel: Scenery) -> None:
    scene = held(duel)
    scene["ada"].down = 1
    scene.move("ada", "fight")
    scene.move("bob", "dodge", f"{MISS}+1", MISS)


# Without them


def test_there_may_be_no_manoeuvres(duel: Scenery) -> None:
    scene = duel(bob=ARMED, manoeuvres=False)
    for manoeuvre in MANOEUVRES:
        assert manoeuvre not in scene.legal("ada")
        assert "option manoeuvres" in scene.closed("ada")[manoeuvre]
        assert "option manoeuvres" in scene.refused("ada", manoeuvre)


def test_enemies_make_none(duel: Scenery) -> None:
    scene = duel(ARMED, {"dexterity": 70})
    for manoeuvre in MANOEUVRES:
        assert "option enemy_ai" in scene.closed("bob")[manoeuvre]
