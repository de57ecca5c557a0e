"""One attack and what meets it: who hits whom for every pair of levels, and how likely that is for many skills."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

Scenery = Callable[..., Any]
D100 = Callable[[int], Mapping[int, Fraction]]
CHART = ("critical", "extreme", "hard", "regular", "failure", "fumble")  # from the best to the worst
ROLLED = {"critical": 1, "extreme": 10, "hard": 25, "regular": 50, "failure": 99, "fumble": 100}  # with a skill of 50
FAILED = ("failure", "fumble")
NOBODY, ATTACKER, DEFENDER = "nobody", "attacker", "defender"


def beats(mine: str, theirs: str) -> bool:
    """Whether a level of success is higher; a failure is no success, whatever it is called."""
    return mine not in FAILED and (theirs in FAILED or CHART.index(mine) < CHART.index(theirs))


def deals_damage(attack: str, answer: str, dodging: bool) -> str:
    """The document's four sentences for fighting back and for dodging, one after the other."""
    if attack in FAILED and answer in FAILED:
        return NOBODY
    if beats(attack, answer):
        return ATTACKER
    if beats(answer, attack):
        return NOBODY if dodging else DEFENDER
    return NOBODY if dodging else ATTACKER


def charted(number: int, skill: int) -> str:
    if number in (1, 100):
        return "critical" if number == 1 else "fumble"
    for name, most in (("extreme", skill // 5), ("hard", skill // 2), ("regular", skill)):
        if number <= most:
            return name
    return "failure"


def levels(shown: Mapping[int, Fraction], skill: int) -> Mapping[str, Fraction]:
    chances: Counter[str] = Counter()
    for number, chance in shown.items():
        chances[charted(number, skill)] += chance
    return chances


def exchanged(attack: Mapping[str, Fraction], answer: Mapping[str, Fraction], dodging: bool) -> dict[str, Fraction]:
    chances: Counter[str] = Counter()
    for (mine, share), (theirs, other) in product(attack.items(), answer.items()):
        chances[deals_damage(mine, theirs, dodging)] += share * other
    return dict(chances)


def fists(brawl: int = 50, dodge: int = 50, **changes: object) -> dict[str, object]:
    """A fighter whose every hit deals just 1, so that no damage die falls."""
    return {"natural": "1", "skills": {"brawl": brawl, "dodge": dodge}, **changes}


def struck(attacker: int, defender: int) -> Callable[[Any], str]:
    """Whom the blow has come from, seen by the bruises."""

    def look(state: Any) -> str:
        bruises = [fighter.max_hp - fighter.hp for fighter in state.fighters]
        assert sum(bruises) in (0, 1)
        return ATTACKER if bruises[defender] else DEFENDER if bruises[attacker] else NOBODY

    return look


# Every pair of levels with the dice in hand


@pytest.mark.parametrize(("attack", "answer"), list(product(CHART, CHART)))
def test_an_enemy_always_fights_back(duel: Scenery, attack: str, answer: str) -> None:
    scene = duel(fists(), fists())
    assert scene.to_act == ["ada"]
    scene.move("ada", "fight", ROLLED[attack], ROLLED[answer])
    assert struck(0, 1)(scene.fight.state) == deals_damage(attack, answer, dodging=False)
    assert scene.to_act == ["bob"]


@pytest.mark.parametrize("reaction", ["fight back", "dodge"])
@pytest.mark.parametrize(("attack", "answer"), list(product(CHART, CHART)))
def test_a_player_who_is_attacked(duel: Scenery, attack: str, answer: str, reaction: str) -> None:
    scene = duel(fists(), fists(dexterity=70))
    scene.move("bob", "fight")
    scene.move("ada", reaction, ROLLED[attack], ROLLED[answer])
    assert struck(1, 0)(scene.fight.state) == deals_damage(attack, answer, dodging=reaction == "dodge")
    assert scene.to_act == ["ada"]


# What is known when


def test_the_reaction_is_due_before_any_die_has_fallen(duel: Scenery) -> None:
    scene = duel(bob={"dexterity": 70})
    scene.move("bob", "fight")
    assert scene.rolls == []
    assert scene.to_act == ["ada"]
    assert scene.legal("ada") == ["dodge", "fight back"]


def test_the_attacker_rolls_first_and_then_the_defender(duel: Scenery) -> None:
    """50 is a success for Bob, who knows how to brawl, and none for Ada."""
    scene = duel(fists(brawl=10), fists(brawl=60, dexterity=70))
    scene.move("bob", "fight")
    told = scene.move("ada", "fight back", 50, 49)
    assert [line.split(" (")[0] for line in told if " rolls " in line] == [
        "Bob rolls 50 for the attack",
        "Ada rolls 49 to fight back",
    ]
    assert (scene.lost("ada"), scene.lost("bob")) == (1, 0)


@pytest.mark.parametrize(
    ("reaction", "answer", "lost"),
    [
        ("dodge", 30, (0, 0)),
        ("dodge", 31, (1, 0)),
        ("fight back", 45, (0, 1)),  # a hard success of 90 against a success of 50
        ("fight back", 46, (1, 0)),
    ],
)
def test_dodging_rolls_dodge_and_fighting_back_the_fighting_skill(
    duel: Scenery, reaction: str, answer: int, lost: tuple[int, int]
) -> None:
    scene = duel(fists(brawl=90, dodge=30), fists(dexterity=70))
    scene.move("bob", "fight")
    scene.move("ada", reaction, 50, answer)
    assert (scene.lost("ada"), scene.lost("bob")) == lost


def test_a_player_fights_back_with_the_weapon_in_hand_or_with_bare_hands_but_never_with_a_gun(duel: Scenery) -> None:
    armed = {"weapons": ["blackjack", "38-revolver"]}
    for wields, allowed in (
        ("blackjack", ["dodge", "fight back with blackjack", "fight back with hands"]),
        ("38-revolver", ["dodge", "fight back with hands"]),
        ("hands", ["dodge", "fight back with hands"]),
    ):
        scene = duel({**armed, "wields": wields}, {"dexterity": 70})
        scene.move("bob", "fight")
        assert scene.legal("ada") == allowed


def test_in_hand_is_the_weapon_that_was_used_last(duel: Scenery) -> None:
    scene = duel({"weapons": ["blackjack", "38-revolver"], "wields": "38-revolver"})
    scene.move("ada", "fight with blackjack", 99, 99)
    scene.move("bob", "fight")
    assert "fight back with blackjack" in scene.legal("ada")
    scene.move("ada", "fight back with hands", 99, 99)
    scene.move("ada", "shoot with .38 revolver", 99)
    scene.move("bob", "fight")
    assert scene.legal("ada") == ["dodge", "fight back with hands"]


def test_whoever_fights_back_with_bare_hands_keeps_the_weapon_in_hand(duel: Scenery) -> None:
    scene = duel({"weapons": ["blackjack"]}, {"dexterity": 70, "attacks": 2})
    for _ in range(2):
        scene.move("bob", "fight")
        assert "fight back with blackjack" in scene.legal("ada")
        scene.move("ada", "fight back with hands", 99, 99)


def test_an_enemy_fights_back_with_the_weapon_in_hand_and_with_claws_when_it_holds_a_gun(duel: Scenery) -> None:
    scene = duel({}, {"weapons": ["small-club"]})
    scene.move("ada", "fight", 99, 50, [6])
    assert scene.lost("ada") == 6
    scene = duel({}, {"weapons": ["32-revolver"], "natural": "1D4"})
    scene.move("ada", "fight", 99, 50, [4])
    assert scene.lost("ada") == 4


def test_the_skill_of_a_weapon_is_what_is_rolled(duel: Scenery) -> None:
    skilled = {"weapons": ["medium-sword"], "skills": {"sword": 70, "brawl": 20}}
    for move, hits in (("fight with medium sword", True), ("fight with hands", False)):
        scene = duel(skilled)
        scene.move("ada", move, 60, 99, *([[3]] if hits else []))
        assert scene.lost("bob") == (4 if hits else 0)


# How likely it all is

GRID = (1, 4, 5, 10, 25, 33, 49, 50, 66, 80, 99, 100)


@pytest.mark.parametrize("attacking", GRID)
@pytest.mark.parametrize("reaction", ["fight back", "dodge"])
def test_exact_odds_of_an_exchange(duel: Scenery, d100: D100, odds_of: Scenery, reaction: str, attacking: int) -> None:
    for answering in GRID:
        scene = duel(fists(brawl=answering, dodge=answering), fists(brawl=attacking, dexterity=70))
        scene.move("bob", "fight")
        expected = exchanged(levels(d100(0), attacking), levels(d100(0), answering), reaction == "dodge")
        assert odds_of(scene, "ada", reaction, struck(1, 0)) == expected, answering


@pytest.mark.parametrize("attacking", GRID)
def test_exact_odds_of_an_exchange_with_an_enemy_who_fights_back(
    duel: Scenery, d100: D100, odds_of: Scenery, attacking: int
) -> None:
    for answering in GRID:
        scene = duel(fists(brawl=attacking), fists(brawl=answering))
        expected = exchanged(levels(d100(0), attacking), levels(d100(0), answering), dodging=False)
        assert odds_of(scene, "ada", "fight", struck(0, 1)) == expected, answering


PLIGHTS: Mapping[str, tuple[Mapping[str, object], Mapping[str, object], int, int]] = {
    # what has befallen the attacker and the defender, and the dice for the attack and for fighting back
    "off balance": ({"off_balance": 1}, {}, -1, 0),
    "off balance and down": ({"off_balance": 1, "down": 1}, {}, -2, 0),
    "down and in need of a third die": ({"off_balance": 1, "down": 1}, {"off_balance": 1}, -2, -1),
    "on one who lies": ({}, {"down": 1}, 1, -1),
    "on one who is held": ({}, {"held_by": 1}, 0, -1),
    "on one who lies and is off balance": ({}, {"down": 1, "off_balance": 1}, 1, -2),
    "one who lies on another": ({"down": 1}, {"down": 1}, 0, -1),
    "on one who is surprised and lies": ({}, {"surprised": 1, "down": 1}, 2, 0),
}


@pytest.mark.parametrize("plight", PLIGHTS)
@pytest.mark.parametrize(("attacking", "answering"), [(20, 75), (50, 50), (64, 37), (95, 8)])
def test_exact_odds_with_bonus_and_penalty_dice(
    duel: Scenery, d100: D100, odds_of: Scenery, plight: str, attacking: int, answering: int
) -> None:
    of_ada, of_bob, for_attack, for_answer = PLIGHTS[plight]
    scene = duel(fists(brawl=attacking), fists(brawl=answering))
    for name, plights in (("ada", of_ada), ("bob", of_bob)):
        for key, value in plights.items():
            setattr(scene[name], key, value)
    answer = levels(d100(for_answer), answering)
    if scene["bob"].surprised:
        answer = {"failure": Fraction(1)}
    expected = exchanged(levels(d100(for_attack), attacking), answer, dodging=False)
    assert odds_of(scene, "ada", "fight", struck(0, 1)) == expected


@pytest.mark.parametrize("skill", [3, 20, 50, 85, 100])
def test_fighting_back_with_equal_skill_favours_the_attacker_and_dodging_the_dodger(
    duel: Scenery, odds_of: Scenery, skill: int
) -> None:
    """What a tie is worth: exactly the chance that both succeed at the same level."""
    scene = duel(fists(brawl=skill, dodge=skill), fists(brawl=skill, dexterity=70))
    scene.move("bob", "fight")
    back, dodge = (odds_of(scene, "ada", reaction, struck(1, 0)) for reaction in ("fight back", "dodge"))
    sizes = (1, max(0, skill // 5 - 1), max(0, skill // 2 - max(1, skill // 5)), min(99, skill) - max(1, skill // 2))
    tie = sum(Fraction(size, 100) ** 2 for size in sizes)
    assert back[ATTACKER] - back[DEFENDER] == tie
    assert back[ATTACKER] - dodge[ATTACKER] == tie
    assert back[NOBODY] == Fraction(100 - min(99, skill), 100) ** 2
