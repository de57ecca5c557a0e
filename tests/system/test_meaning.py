"""Moves in plain words: every system explains every move, from what its player may know."""

from __future__ import annotations

import random

import pytest

import affray
from affray.kernel.chance import Scripted, Seeded
from affray.system.meaning import throws_for

FIVE = ("bgo", "deckahedron", "grapple", "mythos", "strategic")


def played(system: str, seed: int, moves: int = 60):
    """Random play of the system's demonstration, stopping at every decision."""
    fight, luck = affray.Fight(system, affray.get_system(system).demonstration, seed=seed), random.Random(seed)
    for _ in range(moves):
        if fight.over:
            return
        yield fight
        fight.play(fight.to_act[0], luck.choice(fight.legal(fight.to_act[0])))


@pytest.mark.parametrize("system", FIVE)
def test_every_move_says_what_it_does_and_no_two_look_the_same(system):
    for seed in range(3):
        for fight in played(system, seed):
            place = fight.index(fight.to_act[0])
            before = repr(fight.state)
            found = fight.setup.explained(fight.state, place, [move.code for move in fight.legal(fight.to_act[0])])
            assert all(one.action and one.text.endswith(".") for one in found), found
            assert len({(one.action, one.target, one.detail) for one in found}) == len(found), found
            assert all(one.target is None or fight.names[one.target] for one in found)
            assert repr(fight.state) == before


def test_what_is_thrown_is_what_the_rules_throw():
    fight = affray.Fight("grapple", "heroes=ahalish monsters=goblin", dice=Scripted([(6, 6, 6, 6, 6)]))
    who = fight.to_act[0]
    for move in fight.legal(who):
        expected = throws_for(fight.setup, fight.state, fight.index(who), move.code)
        if str(move).startswith("maneuver 1 ac"):
            assert [str(throw) for throw in expected] == ["5d6"]
            fight.play(who, move)
            assert [result.throw for result in fight.answers[-1].fell] == expected
            return
    raise AssertionError("no maneuver is offered")


def test_the_dice_of_a_sentence_are_those_that_are_thrown():
    for fight in played("grapple", 4):
        place = fight.index(fight.to_act[0])
        codes = [move.code for move in fight.legal(fight.to_act[0])]
        for code, one in zip(codes, fight.setup.explained(fight.state, place, codes), strict=True):
            thrown = sum(throw.n for throw in throws_for(fight.setup, fight.state, place, code))
            assert one.text.startswith(f"Roll {thrown}d6" if thrown else "No "), one


@pytest.mark.parametrize("system", FIVE)
def test_a_sentence_tells_nothing_that_its_player_may_not_know(system):
    """What others have chosen in secret, and cards that lie face down, change no sentence."""
    for fight in played(system, 1, 30):
        who = fight.to_act[-1]
        place = fight.index(who)
        imagined = fight.setup.imagined(fight.state, place, Seeded(9))
        codes = [move.code for move in fight.legal(who)]
        assert fight.setup.explained(fight.state, place, codes) == fight.setup.explained(imagined, place, codes)
