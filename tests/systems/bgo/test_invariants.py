"""A hundred thousand random decisions of random fighters: nothing that must always hold ever fails to."""

from __future__ import annotations

from dataclasses import fields
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affray.fight import Fight
from affray.kernel import records
from affray.kernel.chance import Seeded
from affray.kernel.rules import Log
from affray.kernel.state import RUNNING, STANDING
from affray.systems.bgo import rules
from affray.systems.bgo.abilities import ABILITIES, BEWILDER, DRENCH, FLAGS, QUAKE, TYPES, UNDYING, UNTYPED, WARD
from affray.systems.bgo.rules import ATTACK, DEAD, DEFEND, FLED, FLEE, Encounter, Fighter

pytestmark = pytest.mark.long

SHEET = """
    abilities max_health attack defense components kinds damage resist thorns regenerate enrage team can_flee defends
"""
LASTING = "health state ward undying poised burning afflicted"
SCRATCH = [field.name for field in fields(Fighter) if field.name not in (SHEET + LASTING).split()]
LIVELY = (*(flag for flag in UNTYPED if flag != "snare"), "regenerate", "enrage", "thorns-fire", "weak-fire")


def random_fighter(random: Random, number: int) -> dict[str, Any]:
    """A fighter as strange as a sheet allows, and not too hard to kill."""
    most = random.choice((1, 2, 5, 10, 15))
    abilities = random.sample(random.choice((ABILITIES, LIVELY)), random.choice((0, 1, 2, 4, 8)))
    return {
        "base": random.choice(("player", "fire-slime")),
        "name": f"F{number}",
        "max_health": most,
        "health": random.randint(1, most),
        "attack": random.randint(-3, 6),
        "defense": random.randint(-4, 4),
        "damage": {kind: random.randint(0, 4) for kind in random.choices((*TYPES, "fire"), k=3)},
        "abilities": {name: 1 if name in FLAGS else random.randint(1, 3) for name in abilities},
        "can_flee": random.random() < 0.4,
    }


def random_options(random: Random) -> dict[str, Any]:
    return {
        "armor_base": random.choice((7, 10, 10, 12)),
        "naturals": random.random() < 0.3,
        "poised": random.choice(("next", "kept")),
        "parting_blow": random.random() < 0.7,
        "drain_revives": random.random() < 0.3,
        "round_cap": random.choice((3, 40, 200)),
    }


def random_fight(random: Random) -> Fight:
    shape = random.choice(((1, 1), (1, 1), (1, 1), (2, 2), (1, 3), (1, 1, 1), (3, 2), (2, 1, 2)))
    numbers = iter(range(99))
    teams = {f"team-{t}": [random_fighter(random, next(numbers)) for _ in range(size)] for t, size in enumerate(shape)}
    return Fight("bgo", teams, seed=random.getrandbits(40), options=random_options(random))


def sheet_part(fight: Encounter) -> list[Any]:
    return [[getattr(fighter, name) for name in SHEET.split()] for fighter in fight.fighters]


def check_fighter(fighter: Fighter) -> None:
    assert 0 <= fighter.health <= fighter.max_health
    assert (fighter.health == 0) == (fighter.state == DEAD), "the dead have no Health, all others have some"
    assert fighter.state in (STANDING, DEAD, FLED)
    assert fighter.ward in (0, 1)
    assert fighter.undying in (0, 1)
    assert fighter.poised in (0, 1)
    assert fighter.burning in (0, 1)
    assert not fighter.afflicted & ~(DRENCH | QUAKE | BEWILDER)
    assert fighter.ward <= bool(fighter.abilities & WARD)
    assert fighter.undying <= bool(fighter.abilities & UNDYING)
    if fighter.state != STANDING:
        assert (fighter.poised, fighter.burning, fighter.afflicted) == (0, 0, 0), "nothing clings to the gone"


def check_between_rounds(fight: Encounter) -> None:
    for fighter in fight.fighters:
        check_fighter(fighter)
        assert not any(getattr(fighter, name) for name in SCRATCH), "what a round has done is forgotten"
    standing = sum(1 << who for who, fighter in enumerate(fight.fighters) if fighter.state == STANDING)
    assert fight.due == (standing if fight.ending == RUNNING else 0)
    assert 1 <= fight.round <= fight.round_cap


def expected_ending(fight: Encounter, fought: int) -> int:
    """Ruling 21, and 20 for a fight that stalled, in other words than the rules use."""
    present = {fighter.team for fighter in fight.fighters if fighter.state == STANDING}
    fled = {fighter.team for fighter in fight.fighters if fighter.state == FLED}
    if len(present) > 1:
        return fight.teams + 1 if fought == fight.round_cap else RUNNING
    if fled - present:
        return fight.teams + 1
    return present.pop() if present else fight.teams


def check_legal(fight: Encounter, who: int, moves: list[int]) -> None:
    me = fight.fighters[who]
    foes = [i for i, foe in enumerate(fight.fighters) if foe.team != me.team and foe.state == STANDING]
    expected = [rules.attack_on(foe) for foe in foes]
    expected += [DEFEND] * (not me.afflicted & BEWILDER) + [FLEE] * me.can_flee
    assert moves == (expected if fight.due >> who & 1 else [])
    if me.state != STANDING:
        assert moves == [], "nobody dead acts"


def play_round(fight: Encounter, random: Random, dice: Seeded, log: Log | None = None) -> int:
    """One round of random choices in random order, checked; returns how many decisions it took."""
    before = records.copy(fight)
    due = [who for who in range(len(fight.fighters)) if fight.due >> who & 1]
    row = [0] * rules.most_moves(len(fight.fighters))
    order = random.sample(due, len(due))
    for answered, who in enumerate(order):
        moves = row[: rules.legal(fight, who, row)]
        check_legal(fight, who, moves)
        move = random.choice(moves)
        rules.apply(fight, who, move, dice, log)
        if answered < len(due) - 1:
            waiting = sum(1 << other for other in order[answered + 1 :])
            assert fight.due == waiting, "a fighter who has chosen owes nothing, all others still do"
            assert (fight.fighters[who].choice, fight.fighters[who].target) == (move & 3, move >> 2)
            assert fight.round == before.round
    check_between_rounds(fight)
    for was, now in zip(before.fighters, fight.fighters, strict=True):
        if was.state != STANDING:
            assert (was.state, was.health) == (now.state, now.health), "the dead stay dead, the fled away"
        assert (now.ward, now.undying) <= (was.ward, was.undying), "neither comes back"
    assert fight.ending == expected_ending(fight, before.round)
    assert fight.round == before.round + (fight.ending == RUNNING)
    return len(due)


def play(fight: Fight, random: Random) -> int:
    """A whole fight; returns how many decisions it took."""
    state, dice = fight.state, Seeded(random.getrandbits(40))
    sheet = sheet_part(state)
    check_between_rounds(state)
    decisions = 0
    while state.ending == RUNNING:
        decisions += play_round(state, random, dice)
    assert sheet_part(state) == sheet, "no rule writes on a sheet"
    return decisions


@pytest.mark.parametrize("part", range(4))
def test_a_hundred_thousand_random_decisions_break_nothing(part: int) -> None:
    """Plain loops over a seeded generator, four parts of 25,000: drawing them by Hypothesis would take minutes."""
    random = Random(f"invariants {part}")
    decisions = 0
    while decisions < 25_000:
        at = random.getstate()
        fight = random_fight(random)
        try:
            decisions += play(fight, random)
        except AssertionError as broken:
            random.setstate(at)
            broken.add_note(f"fight: {random_fight(random)!r}")
            raise


@settings(max_examples=150, deadline=None)
@given(st.randoms(use_true_random=False))
def test_hypothesis_finds_no_roster_that_breaks_anything(random: Random) -> None:
    """The same with Hypothesis choosing every number, so that it can look for the smallest that fails."""
    play(random_fight(random), random)


def reckoned(health: list[int], lines: list[Any]) -> list[int]:
    """Everybody's Health by the numbers of the story alone."""
    for line in lines:
        event = line.event
        match event.kind.name:
            case "DEALS" | "PRICKS":
                health[event.target] -= event.amount
            case "DRAINS" | "REGENERATES":
                health[event.who] += event.amount
            case "BURNS":
                health[event.who] -= 1
            case "RISES":
                health[event.who] = 1
            case "DIES":
                assert health[event.who] <= 0
                health[event.who] = 0
    return health


def test_the_story_and_the_record_agree_about_everybodys_health() -> None:
    random = Random("stories")
    for _ in range(500):
        fight = random_fight(random)
        health = [fighter.health for fighter in fight.state.fighters]
        while not fight.over:
            told = len(fight.lines)
            for name in fight.to_act:
                fight.play(name, random.choice(fight.legal(name)))
            assert reckoned(health, fight.lines[told:]) == [f.health for f in fight.state.fighters], fight.story


def test_the_figures_agree_with_the_story() -> None:
    random = Random("figures")
    for _ in range(100):
        fight = random_fight(random)
        while not fight.over:
            for name in fight.to_act:
                fight.play(name, random.choice(fight.legal(name)))
        events = [line.event for line in fight.lines]
        for who, name in enumerate(fight.names):
            figures = fight.figures[name]
            dealt = [e.amount for e in events if e.kind.name in ("DEALS", "PRICKS") and e.who == who]
            taken = [e.amount for e in events if e.kind.name in ("DEALS", "PRICKS") and e.target == who]
            burnt = [1 for e in events if e.kind.name == "BURNS" and e.who == who]
            assert figures["damage dealt"] == sum(dealt)
            assert figures["damage taken"] == sum(taken) + sum(burnt)
            assert figures["Health left"] == fight.state.fighters[who].health
            assert figures["died"] == any(e.kind.name == "DIES" and e.who == who for e in events)


def test_attacks_only_ever_name_standing_foes() -> None:
    random = Random("targets")
    for _ in range(60):
        fight = random_fight(random)
        while not fight.over:
            standing = {n for n, f in zip(fight.names, fight.state.fighters, strict=True) if f.state == STANDING}
            for name in fight.to_act:
                for code in fight.codes(fight.index(name)):
                    if code & 3 == ATTACK:
                        foe = fight.names[code >> 2]
                        assert foe in standing
                        assert fight.team_of[foe] != fight.team_of[name]
                fight.play(name, random.choice(fight.legal(name)))
