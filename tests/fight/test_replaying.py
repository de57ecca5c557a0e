"""Replays: every decision with what it led to, as a spectator saw it, and no choice before its time."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from affray.fight import Fight, Setup, saving
from affray.fight.replaying import replay
from affray.kernel import records
from affray.kernel.chance import Fair, Scripted
from affray.players.tactics import decide, play_on, usual_tactics
from affray.system.pictures import Widget
from affray.system.registry import find, names

SECRET = bytes(range(7, 39))
HIT, MISS = (6, 6, 6), (1, 1, 1)


def duel() -> Fight:
    """Two rounds: the player hits in both, the slime in none."""
    fight = Fight("bgo", "heroes=player monsters=fire-slime", dice=Scripted([HIT, MISS, HIT, MISS]))
    for _ in range(2):
        fight.play("player", "attack")
        fight.play("fire-slime", "attack")
    return fight


def health(frame: dict[str, Any]) -> list[int]:
    return [next(w["value"] for w in seat["scene"] if w["label"] == "Health") for seat in frame["seats"]]


def test_a_duel_is_told_round_by_round() -> None:
    fight = duel()
    told = replay(fight)
    assert (told["system"], told["ending"]) == ("bgo", "heroes")
    assert told["teams"] == {"heroes": ["player"], "monsters": ["fire-slime"]}
    opening, first, second = told["frames"]
    assert (opening["decision"], opening["who"], opening["move"], opening["answers"]) == (0, None, None, [])
    assert (first["decision"], first["who"], first["move"]) == (1, "player, fire-slime", "attack, attack")
    assert first["answers"] == [{"who": "player", "move": "attack"}, {"who": "fire-slime", "move": "attack"}]
    assert [frame["round"] for frame in (opening, first)] == [1, 2]
    full, hurt, dead = map(health, (opening, first, second))
    assert full[0] == hurt[0] == dead[0]
    assert full[1] > hurt[1] > dead[1] == 0
    text = [[told["story"][n]["text"] for n in frame["lines"]] for frame in told["frames"]]
    assert text[0] == ["Battle round 1."]
    assert (text[1][0], text[1][-1]) == ("The player attacks.", "Battle round 2.")
    assert text[2][-1] == "Victory for the player!"


@pytest.mark.parametrize("system", names())
def test_replays_of_every_system(system: str) -> None:
    fight = Fight(system, find(system).demonstration, seed=3)
    play_on(fight, usual_tactics(fight))
    told = replay(fight)
    assert json.loads(json.dumps(told)) == told
    assert [frame["decision"] for frame in told["frames"]] == list(range(fight.decision))
    assert [n for frame in told["frames"] for n in frame["lines"]] == list(range(len(fight.lines)))
    assert [line["text"] for line in told["story"]] == [line.text for line in fight.lines]
    for frame in told["frames"][1:]:
        assert {told["story"][n]["decision"] for n in frame["lines"]} <= {frame["decision"]}
    assert [(a["who"], a["move"]) for frame in told["frames"] for a in frame["answers"]] == [
        (answer.who, answer.move) for answer in fight.answers
    ]
    rulings = fight.system.rulings()
    assert all(cite in rulings for line in told["story"] for cite in line["why"])
    assert told["aftermath"] == fight.aftermath
    assert bool(told["aftermath"]) is (system == "strategic")


@pytest.mark.parametrize("system", names())
def test_a_frame_shows_what_a_spectator_saw_then(system: str) -> None:
    fight = Fight(system, find(system).demonstration, seed=4)
    tactics = usual_tactics(fight)
    last = {0: replay(fight)["frames"][-1]}
    for _ in range(12):
        who = next(iter(fight.to_act), None)
        if who is None:
            break
        fight.play(who, decide(fight, who, tactics[who]))
        last[fight.decision - 1] = replay(fight)["frames"][-1]
    assert replay(fight)["frames"] == list(last.values())


@pytest.mark.parametrize("chosen", ["attack", "defend", "flee"])
def test_a_choice_that_is_still_secret_changes_nothing(chosen: str) -> None:
    fight = Fight("bgo", "heroes=player:health=30 monsters=ember-bat:health=30", dice=Fair(SECRET))
    fight.play("player", "attack")
    fight.play("ember-bat", "attack")
    before = replay(fight)
    fight.play("player", chosen)
    assert replay(fight) == before


def test_cards_that_lie_face_down_are_not_told() -> None:
    """Two fights that differ only in cards nobody has seen have the same public log, and the same replay."""
    fight = Fight("deckahedron", find("deckahedron").demonstration, seed=6)
    tactics = usual_tactics(fight)
    while not fight.over and fight.decision < 8:
        who = fight.to_act[0]
        fight.play(who, decide(fight, who, tactics[who]))
    assert not fight.over
    veiled = saving.rerun({**saving.public_table(fight, secret_is_out=False), "whim": None}, "the log")
    assert replay(veiled) == replay(fight)


def test_frames_are_drawn_from_what_a_spectator_may_know() -> None:
    """Drawn by a scene that keeps nothing to itself, a frame is the spectator's view, and not the whole state."""

    def everything(setup: Setup[Any], state: Any, who: int) -> list[Widget]:
        return [Widget("numbers", "all", names=(records.pack(state).hex(),))]

    system = replace(find("deckahedron"), scene=everything)
    fight = Fight(system, system.demonstration, seed=6)
    play_on(fight, usual_tactics(fight))
    drawn = {seat["scene"][0]["names"][0] for frame in replay(fight)["frames"] for seat in frame["seats"]}
    states = [*fight.past_states(), fight.state]
    open_states = {records.pack(fight.setup.view(state, None)).hex() for state in states}
    hidden = {records.pack(state).hex() for state in states} - open_states
    assert hidden, "some state has to have a secret"
    assert drawn <= open_states
    assert not drawn & hidden


def test_the_secret_of_fair_dice_comes_out_at_the_end_or_later() -> None:
    fight = Fight("bgo", "heroes=player monsters=fire-slime", dice=Fair(SECRET))
    assert replay(fight)["commitment"] == Fair(SECRET).commitment
    assert replay(fight)["secret"] is None
    play_on(fight, usual_tactics(fight))
    assert replay(fight)["secret"] == SECRET.hex()
    assert replay(fight, secret_is_out=False)["secret"] is None


def test_fighters_can_be_called_as_their_players_are() -> None:
    told = replay(duel(), called={"player": "Ann", "fire-slime": "slime"})
    assert told["teams"] == {"heroes": ["Ann"], "monsters": ["slime"]}
    assert [seat["name"] for seat in told["frames"][0]["seats"]] == ["Ann", "slime"]
    assert {answer["who"] for frame in told["frames"] for answer in frame["answers"]} == {"Ann", "slime"}
