"""What may be taken back: as the fight's option says, with dice that no one has seen, and never out of the log."""

from __future__ import annotations

import json
from importlib.resources import files
from random import Random
from typing import Any

import jsonschema
import pytest

from affray.errors import Illegal
from affray.fight import Fight
from affray.fight.logfile import seal
from affray.fight.returning import return_to
from affray.fight.saving import as_table, public_table, restore
from affray.fight.verifying import verify
from affray.kernel import records
from affray.kernel.chance import Fair
from affray.players.tactics import play_on, usual_tactics
from affray.system.registry import find, names

each_system = pytest.mark.parametrize("system", names())
DUEL = {"ours": ["player:health=200"], "theirs": ["fire-slime:health=200"]}


def move_on(fight: Fight, random: Random, moves: int) -> None:
    """Play some moves at random."""
    for _ in range(moves):
        if not fight.over:
            who = random.choice(fight.to_act)
            fight.play(who, random.choice(fight.legal(who)))


def standing(fight: Fight) -> list[object]:
    """Where a fight stands, and what will fall in it."""
    return [records.pack(fight.state), fight.decision, fight.story, fight.dice.position, len(fight.undone)]


def fought_back_and_forth(system: str, undo: str, seed: int) -> Fight:
    """A fight in which some moves are taken back several times, also what was played after another undo."""
    random = Random(seed)
    fight = Fight(system, find(system).demonstration, dice=Fair(bytes([seed]) * 32), options={"undo": undo})
    for _ in range(5):
        move_on(fight, random, random.randrange(1, 8))
        if fight.answers:
            fight.keep(random.randrange(len(fight.answers)), agreed=True)
    move_on(fight, random, 3)
    return fight


@each_system
@pytest.mark.parametrize("undo", ["free", "agreed"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_log_with_moves_taken_back_runs_again(system: str, undo: str, seed: int) -> None:
    fight = fought_back_and_forth(system, undo, seed)
    assert fight.undone
    again = restore(json.loads(json.dumps(as_table(fight))), "the log")
    assert standing(again) == standing(fight)
    assert again.undone == fight.undone
    assert again.answers == fight.answers


@each_system
@pytest.mark.parametrize("seed", [1, 2])
def test_a_return_to_an_earlier_state_stays_in_the_log(system: str, seed: int) -> None:
    fight, random = fought_back_and_forth(system, "free", seed), Random(seed)
    if fight.over:
        fight.undo()
    team = fight.setup.team_of[fight.names[0]]
    ids = next(iter(fight.system.catalogue().values()))
    fight.aside(f"hide {team} {next(iter(ids))}")
    fight.aside("note so far")
    earlier = restore(as_table(fight), "the earlier state")
    fight.keep(len(fight.answers) // 2, agreed=True)
    move_on(fight, random, 5)
    return_to(fight, earlier)
    assert fight.answers == earlier.answers
    assert standing(fight)[:-1] == standing(earlier)[:-1]
    assert [aside.text for aside in fight.asides] == [aside.text for aside in earlier.asides]
    again = restore(as_table(fight), "the log")
    assert standing(again) == standing(fight)
    assert again.undone == fight.undone


@each_system
def test_the_public_log_of_such_a_fight_is_verified_before_and_after_its_end(system: str) -> None:
    fight = fought_back_and_forth(system, "agreed", 3)
    undone = sum(len(one.answers) for one in fight.undone)
    for _ in range(2):
        table = public_table(fight)
        verdict = verify(json.dumps({**table, "seal": seal(table)}).encode())
        assert verdict.verdict.undone == undone
        assert f"{undone} more {'was' if undone == 1 else 'were'} taken back." in verdict.text
        play_on(fight, usual_tactics(fight))


@pytest.mark.parametrize("undo", ["free", "agreed"])
def test_a_choice_whose_decision_is_opened_again_can_be_made_anew(undo: str) -> None:
    """Only the foe's answer is taken back; the player's own is secret again, and is then changed."""
    fight = Fight("bgo", DUEL, seed=1, options={"undo": undo})
    for who in fight.names:
        fight.play(who, "attack")
    seen = fight.answers[-1].fell
    fight.keep(1, agreed=True)
    assert [answer.move for answer in fight.answers] == ["attack"]
    plain = as_table(fight)
    del plain["undone"][0]["stood"]  # as it was written before
    assert standing(restore(plain, "an older log")) == standing(fight)
    fight.retract("player")
    for who, move in (("player", "defend"), ("fire-slime", "attack")):
        fight.play(who, move)
    assert (fight.answers[-1].fell[0] == seen[0]) is (undo == "free"), "agreed: what was seen does not fall again"
    again = restore(as_table(fight), "the log")
    assert (standing(again), again.undone) == (standing(fight), fight.undone)
    table = public_table(fight)
    assert verify(json.dumps({**table, "seal": seal(table)}).encode()).verdict.undone == 1
    schema = json.loads((files("affray.fight") / "fight.schema.json").read_text(encoding="utf-8"))
    for written in (table, as_table(fight)):
        jsonschema.validate({**written, "seal": seal(written)}, schema)


def test_dice_that_were_seen_do_not_fall_again_where_sides_agree() -> None:
    fight = Fight("bgo", DUEL, seed=1, options={"undo": "agreed"})
    fell = []
    for _ in range(20):
        fight.play("player", "attack")
        fight.play("fire-slime", "attack")
        fell.append(fight.answers[-1].fell)
        fight.undo(to=1, agreed=True)
    assert len(set(fell)) > 15, "six dice are seldom the same"


def test_the_same_dice_fall_again_where_undo_is_free() -> None:
    fight = Fight("bgo", DUEL, seed=1)
    fight.play("player", "attack")
    fight.play("fire-slime", "attack")
    before = fight.story
    fight.undo(to=1)
    fight.play("player", "attack")
    fight.play("fire-slime", "attack")
    assert fight.story == before
    assert [len(one.answers) for one in fight.undone] == [2]


def test_without_agreement_nothing_is_taken_back() -> None:
    fight = Fight("bgo", DUEL, seed=1, options={"undo": "agreed"})
    fight.play("player", "attack")
    fight.play("fire-slime", "attack")
    before = standing(fight)
    with pytest.raises(Illegal, match="only if every side agrees"):
        fight.undo()
    assert standing(fight) == before


def test_off_is_the_default_of_strategic_alone() -> None:
    assert {name for name in names() if find(name).undo == "off"} == {"strategic"}
    fight = Fight("strategic", find("strategic").demonstration, seed=1)
    move_on(fight, Random(1), 1)
    before = standing(fight)
    for how in ({}, {"agreed": True}, {"to": 1}):
        with pytest.raises(Illegal, match="undo=off"):
            fight.undo(**how)  # type: ignore[arg-type]
    assert standing(fight) == before


@pytest.mark.parametrize("undo", ["free", "agreed", "off"])
def test_a_choice_that_nothing_has_followed_from_can_be_changed(undo: str) -> None:
    fight = Fight("bgo", {**DUEL, "others": ["player"]}, seed=1, options={"undo": undo})
    fresh = standing(fight)
    fight.play("player", "defend")
    fight.play("player-2", "defend")
    fight.retract("player")
    assert fight.to_act == ["player", "fire-slime"]
    assert [answer.who for answer in fight.answers] == ["player-2"]
    fight.undo()
    assert standing(fight) == fresh, "and that is nothing that was undone"


def test_what_was_never_chosen_or_is_out_cannot_be_retracted() -> None:
    fight = Fight("bgo", DUEL, seed=1)
    for _ in range(2):
        with pytest.raises(Illegal, match="no choice that is still secret"):
            fight.retract("player")
        fight.play("player", "attack")
        fight.play("fire-slime", "attack")


def test_the_audit_counts_what_was_taken_back() -> None:
    fight = Fight("bgo", {"ours": ["player"], "theirs": ["fire-slime"]}, seed=1)
    fight.play("player", "attack")
    fight.play("fire-slime", "attack")
    fight.undo(to=1)
    play_on(fight, usual_tactics(fight))
    luck: Any = fight.luck()
    assert luck.undone == 2
    assert "2 moves were taken back; their luck does not count here." in str(luck)
