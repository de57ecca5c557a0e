"""Fight: setting up, deciding, undoing and forking, and a sentence for everything that cannot be done."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from affray.errors import Illegal, Invalid
from affray.fight import Fight, Move, read_teams, saving
from affray.kernel import records
from affray.kernel.chance import Fair, Hand, Scripted, Seeded, Throw
from affray.players.tactics import decide, play_on

DUEL = {"heroes": ["player"], "monsters": ["fire-slime"]}
TOUGH = {"heroes": ["player:health=50"], "monsters": ["fire-slime:health=50"]}
HIT, MISS = (6, 6, 6), (1, 1, 1)


def everything(fight: Fight) -> dict[str, Any]:
    """All that can be seen of a fight from its owner's side."""
    return {
        "state": records.pack(fight.state),
        "decision": fight.decision,
        "dice": fight.dice.position,
        "fallen": list(fight.dice.fallen),
        "whim": fight.whim.position,
        "lines": list(fight.lines),
        "figures": fight.figures,
        "answers": list(fight.answers),
        "to act": fight.to_act,
        "ending": fight.ending,
        "repr": repr(fight),
    }


def both(fight: Fight, first: str = "attack", second: str = "attack") -> list[str]:
    one, other = fight.names
    fight.play(one, first)
    return [str(line) for line in fight.play(other, second)]


def refused(act: Callable[[], object], kind: type[Exception] = Illegal) -> str:
    """The sentence with which something is refused."""
    with pytest.raises(kind) as caught:
        act()
    sentence = str(caught.value)
    assert sentence
    assert "\n" not in sentence
    return sentence


# Setting up


def test_a_fight_opens_with_everybody_to_act() -> None:
    fight = Fight("bgo", DUEL, seed=7)
    assert fight.to_act == ["player", "fire-slime"]
    assert fight.teams == {"heroes": ["player"], "monsters": ["fire-slime"]}
    assert fight.team_of == {"player": "heroes", "fire-slime": "monsters"}
    assert (fight.decision, fight.round, fight.ending, fight.over) == (1, 1, None, False)
    assert fight.endings == ("heroes", "monsters", "draw", "fled")


def test_teams_may_be_typed() -> None:
    assert read_teams("heroes=player monsters=fire-slime,fire-slime") == {
        "heroes": ["player"],
        "monsters": ["fire-slime", "fire-slime"],
    }
    assert Fight("bgo", "heroes=player monsters=fire-slime", seed=1).names == ("player", "fire-slime")


@pytest.mark.parametrize(
    ("teams", "said"),
    [
        ("heroes", "'heroes' is not of the form"),
        ("heroes= monsters=fire-slime", "'heroes=' is not of the form"),
        ("=player", "'=player' is not of the form"),
        ("a=player a=player", "'a=player' names a team twice"),
        ("a=player", "two or more teams"),
        ("", "two or more teams"),
        ("a=player b=fire-slim", "did you mean fire-slime"),
        ({"a": ["player"], "b": []}, "two or more teams"),
        ({"a": ["player"] * 40, "b": ["player"] * 23}, "the number of fighters must be at most 62, not 63"),
    ],
)
def test_teams_that_cannot_fight_are_refused(teams: Any, said: str) -> None:
    assert said in refused(lambda: Fight("bgo", teams, seed=1), Invalid)


def test_a_system_nobody_knows_is_refused_with_the_nearest() -> None:
    assert "did you mean bgo" in refused(lambda: Fight("bog", DUEL), Invalid)


def test_an_option_out_of_bounds_is_refused() -> None:
    assert "armor_base must be 0 to 30, not 31" in refused(
        lambda: Fight("bgo", DUEL, options={"armor_base": 31}), Invalid
    )
    assert "armor_base" in refused(lambda: Fight("bgo", DUEL, options={"armour_base": 3}), Invalid)


def test_seed_and_dice_exclude_each_other() -> None:
    assert "a seed or dice, not both" in refused(lambda: Fight("bgo", DUEL, seed=1, dice=Seeded(1)), Invalid)


def test_without_a_seed_one_is_drawn() -> None:
    seeds = {Fight("bgo", DUEL).dice.describe()["seed"] for _ in range(5)}
    assert len(seeds) == 5


def test_fighters_of_one_name_are_numbered_from_the_second_on() -> None:
    fight = Fight("bgo", "heroes=player,player monsters=fire-slime,player", seed=1)
    assert fight.names == ("player", "player-2", "fire-slime", "player-3")
    assert fight.teams["monsters"] == ["fire-slime", "player-3"]


def test_no_two_fighters_ever_share_a_name() -> None:
    fight = Fight("bgo", {"a": ["player:name=Ann 2", "player:name=Ann"], "b": ["player:name=Ann"]}, seed=1)
    assert len(set(fight.names)) == 3
    assert sum(len(members) for members in fight.teams.values()) == 3


@pytest.mark.parametrize("team", ["draw", "fled"])
def test_a_team_may_not_be_called_like_another_ending(team: str) -> None:
    assert team in refused(lambda: Fight("bgo", {team: ["player"], "b": ["player"]}, seed=1), Invalid)


def test_sixty_two_may_fight() -> None:
    fight = Fight("bgo", {"a": ["player"] * 31, "b": ["player"] * 31}, seed=3)
    assert len(fight.to_act) == 62
    for name in fight.names:
        fight.play(name, "defend")
    assert fight.round == 2
    fight.play("player-62", "attack player-31")
    assert fight.to_act == list(fight.names[:-1])


# Deciding


def test_legal_moves_read_as_they_are_typed() -> None:
    fight = Fight("bgo", DUEL, seed=7)
    assert [str(move) for move in fight.legal("player")] == ["attack", "defend", "flee"]
    assert [str(move) for move in fight.legal("fire-slime")] == ["attack", "defend"]
    assert eval(repr(fight.legal("player")[0]), {"Move": Move}) == Move("player", "attack", fight.codes(0)[0])


def test_what_is_not_possible_is_explained() -> None:
    moves, closed = Fight("bgo", DUEL, seed=7).legal("fire-slime", explain=True)
    assert [str(move) for move in moves] == ["attack", "defend"]
    assert [(move.notation, move.reason) for move in closed] == [("flee", "creatures do not flee (ruling 7)")]


def test_a_move_may_be_given_as_text_or_as_itself() -> None:
    one, other = (Fight("bgo", TOUGH, seed=7) for _ in range(2))
    both(one)
    for name in other.names:
        other.play(name, other.legal(name)[0])
    assert everything(one) == everything(other)


def test_an_answer_before_the_last_one_tells_nothing() -> None:
    fight = Fight("bgo", DUEL, seed=7)
    assert fight.play("player", "attack") == []
    assert (fight.decision, fight.to_act) == (1, ["fire-slime"])
    lines = fight.play("fire-slime", "attack")
    assert str(lines[0]) == "The player attacks."
    assert {line.decision for line in lines} == {1}
    assert (fight.decision, fight.to_act) == (2, ["player", "fire-slime"])


def test_a_decision_of_one_counts_as_one(toy: ModuleType) -> None:
    fight = Fight(toy.system, {"one": ["ann"], "two": ["bob"]}, seed=2)
    for name in fight.to_act:
        fight.play(name, fight.legal(name)[0])
    assert fight.decision == 2
    (leader,) = fight.to_act
    fight.play(leader, "rest")
    assert fight.decision == 3


@pytest.mark.parametrize("text", ["", "  ", "attak", "attack the sun", "defend player", "\x1b[2J", "flee!", "9" * 5000])
def test_a_move_that_cannot_be_read_is_refused_and_the_turn_is_kept(text: str) -> None:
    fight = Fight("bgo", DUEL, seed=7)
    fight.play("fire-slime", "attack")
    before = everything(fight)
    sentence = refused(lambda: fight.play("player", text))
    assert sentence.isprintable()
    assert len(sentence) < 500
    assert everything(fight) == before
    fight.play("player", "attack")
    assert fight.decision == 2


def test_a_move_that_is_not_open_is_refused_with_the_reason() -> None:
    fight = Fight("bgo", "heroes=player,player monsters=fire-slime", seed=7)
    assert "creatures do not flee" in refused(lambda: fight.play("fire-slime", "flee"))
    assert "own side" in refused(lambda: fight.play("player", "attack player-2"))
    assert "attack which foe? player, player-2" in refused(lambda: fight.play("fire-slime", "attack"))


def test_a_refusal_carries_what_was_given_and_what_is_allowed() -> None:
    fight = Fight("bgo", DUEL, seed=7)
    with pytest.raises(Illegal) as caught:
        fight.play("player", "fly")
    assert (caught.value.given, caught.value.allowed) == ("fly", ("attack", "defend", "flee"))


def test_somebody_who_is_not_there_is_refused() -> None:
    fight = Fight("bgo", DUEL, seed=7)
    assert "did you mean player" in refused(lambda: fight.play("plaier", "attack"))
    assert "there is no fighter" in refused(lambda: fight.legal("nobody"))


def test_a_doubled_answer_is_refused() -> None:
    fight = Fight("bgo", DUEL, seed=7)
    fight.play("player", "attack", 1)
    before = everything(fight)
    assert refused(lambda: fight.play("player", "defend", 1)) == "player has answered decision 1 already"
    assert everything(fight) == before


def test_a_late_answer_is_refused_by_its_number() -> None:
    fight = Fight("bgo", TOUGH, seed=7)
    both(fight)
    before = everything(fight)
    assert refused(lambda: fight.play("player", "attack", 1)) == "decision 1 is not open; decision 2 is"
    assert refused(lambda: fight.play("player", "attack", 3)) == "decision 3 is not open; decision 2 is"
    assert everything(fight) == before


def test_nobody_decides_after_the_end() -> None:
    fight = Fight("bgo", DUEL, seed=7)
    both(fight, "flee")
    assert fight.over
    assert fight.to_act == []
    assert fight.legal("player") == []
    assert "the fight is over" in refused(lambda: fight.play("player", "attack"))


def test_whoever_owes_no_decision_cannot_take_one(toy: ModuleType) -> None:
    fight = Fight(toy.system, {"one": ["ann"], "two": ["bob"]}, seed=2)
    for name in fight.to_act:
        fight.play(name, fight.legal(name)[0])
    other = next(name for name in fight.names if name not in fight.to_act)
    assert refused(lambda: fight.play(other, "rest")) == f"{other} has no decision to make now"


# Dice


def test_the_same_seed_gives_the_same_fight() -> None:
    one, other, another = (Fight("bgo", TOUGH, seed=seed) for seed in (7, 7, 8))
    for fight in (one, other, another):
        for _ in range(6):
            both(fight)
    assert everything(one) == everything(other)
    assert one.dice.fallen != another.dice.fallen


def test_an_answer_keeps_what_fell_for_it() -> None:
    fight = Fight("bgo", TOUGH, dice=Scripted([HIT, MISS]))
    both(fight)
    assert [answer.fell for answer in fight.answers] == [(), (HIT, MISS)]
    rolls = [line.event.fell for line in fight.lines if line.event.kind.name == "ROLLS"]
    assert rolls == [(HIT,), (MISS,)]


def test_what_falls_at_the_opening_is_kept(toy: ModuleType) -> None:
    fight = Fight(toy.system, {"one": ["ann"], "two": ["bob"]}, dice=Scripted([2, 5, 4, 3, 2]))
    assert fight.opening == ((2,), (5,), (4,), (3,), (2,))
    assert [str(move) for move in fight.legal("ann")] == ["bid 4", "bid 5"]
    assert [str(move) for move in fight.legal("bob")] == ["bid 2", "bid 3"]


def test_a_question_that_is_interrupted_leaves_the_decision_open() -> None:
    entries: list[Sequence[int] | type[BaseException]] = [HIT, KeyboardInterrupt, HIT, MISS]

    def ask(throw: Throw) -> Sequence[int]:
        entry = entries.pop(0)
        if isinstance(entry, type):
            raise entry
        return entry

    fight = Fight("bgo", TOUGH, dice=Hand(ask))
    fight.play("player", "attack")
    before = everything(fight)
    with pytest.raises(KeyboardInterrupt):
        fight.play("fire-slime", "attack")
    assert everything(fight) == before
    fight.play("fire-slime", "attack")
    assert fight.dice.fallen == [HIT, MISS]


def test_an_impossible_result_leaves_the_decision_open() -> None:
    entries = [HIT, (9, 9, 9), HIT, MISS]
    fight = Fight("bgo", TOUGH, dice=Hand(lambda throw: entries.pop(0)))
    fight.play("player", "attack")
    before = everything(fight)
    assert "3d6 cannot show 9" in refused(lambda: fight.play("fire-slime", "attack"), Invalid)
    assert everything(fight) == before


# The story


def test_every_line_cites_its_rules() -> None:
    fight = Fight("bgo", {"heroes": ["player:health=50"], "monsters": ["flame-djinn:health=50"]}, seed=1)
    while not {"PRICKS", "AFFLICTS"} <= {line.event.kind.name for line in fight.lines}:
        both(fight)
    for number, line in enumerate(fight.lines):
        rulings = fight.why(number)
        assert rulings == fight.why(line)
        assert all(ruling.text for ruling in rulings)
        assert rulings, f"{line} cites nothing"


def test_asking_why_of_a_line_that_is_not_there_is_refused() -> None:
    fight = Fight("bgo", DUEL, seed=1)
    assert refused(lambda: fight.why(99)) == "the line must be 0 to 0, not 99"
    refused(lambda: fight.why(-1))


def test_the_story_is_its_lines() -> None:
    fight = Fight("bgo", TOUGH, seed=1)
    both(fight)
    assert fight.story.splitlines() == [str(line) for line in fight.lines]


def test_figures_count_what_was_dealt_taken_and_left() -> None:
    fight = Fight("bgo", DUEL, dice=Scripted([HIT, HIT, HIT, MISS]))
    both(fight)
    both(fight)
    assert fight.ending == "heroes"
    assert fight.figures["player"] == {"Health left": 8, "damage dealt": 4, "damage taken": 2, "died": 0, "fled": 0}
    assert fight.figures["fire-slime"] == {"Health left": 0, "damage dealt": 2, "damage taken": 4, "died": 1, "fled": 0}
    assert fight.figures == fight.figures, "looking counts nothing"


# Undo


def test_undo_takes_back_one_answer_after_the_other_and_all_they_did() -> None:
    fight = Fight("bgo", DUEL, seed=7)
    passed = []
    while not fight.over:
        for name in fight.to_act:
            passed.append(everything(fight))
            fight.play(name, "attack")
    end = everything(fight)
    for before in reversed(passed):
        fight.undo()
        assert everything(fight) == before
    while not fight.over:
        for name in fight.to_act:
            fight.play(name, "attack")
    assert everything(fight) == end


def test_undo_goes_back_to_the_start_of_a_decision() -> None:
    fight = Fight("bgo", TOUGH, seed=7)
    starts = {}
    for decision in range(1, 6):
        starts[decision] = everything(fight)
        both(fight)
    fight.play("player", "defend")
    fight.undo(to=6)
    assert fight.to_act == ["player", "fire-slime"]
    for decision in (4, 2, 1):
        fight.undo(to=decision)
        assert everything(fight) == starts[decision]


def test_undo_to_now_changes_nothing() -> None:
    fight = Fight("bgo", TOUGH, seed=7)
    both(fight)
    before = everything(fight)
    fight.undo(to=2)
    assert everything(fight) == before


def test_there_is_nothing_to_undo_before_the_first_answer() -> None:
    fight = Fight("bgo", DUEL, seed=7)
    assert refused(fight.undo) == "there is nothing to undo"
    both(fight)
    assert refused(lambda: fight.undo(to=9)) == "the decision must be 1 to 2, not 9"
    assert refused(lambda: fight.undo(to=0)) == "the decision must be 1 to 2, not 0"


def test_another_choice_after_undo_meets_the_same_dice() -> None:
    fight = Fight("bgo", TOUGH, seed=7)
    both(fight)
    fell = list(fight.dice.fallen)
    fight.undo()
    fight.undo()
    both(fight, "defend")
    assert fight.dice.fallen == fell[:1], "one attack fewer: the first throw goes to the slime"


def test_dice_thrown_by_hand_are_asked_for_again_after_undo() -> None:
    entries = [HIT, MISS, MISS, MISS]
    fight = Fight("bgo", TOUGH, dice=Hand(lambda throw: entries.pop(0)))
    both(fight)
    fight.undo()
    fight.play("fire-slime", "attack")
    assert entries == []
    assert fight.dice.fallen == [MISS, MISS]


def test_events_have_the_same_dice_after_undo(toy: ModuleType) -> None:
    straight, back_and_forth = (Fight(toy.system, {"one": ["ann"], "two": ["bob"]}, seed=5) for _ in range(2))
    while not straight.over:
        name = straight.to_act[0]
        move = straight.legal(name)[0]
        straight.play(name, move)
        back_and_forth.play(name, move)
        back_and_forth.undo()
        back_and_forth.play(name, move)
    assert [line.event for line in back_and_forth.lines] == [line.event for line in straight.lines]


def test_a_computer_fighter_thinks_the_same_again_after_undo() -> None:
    fight = Fight("bgo", {"heroes": ["player:health=90"], "monsters": ["mud-slime:health=90"]}, seed=7)
    tactics = {"player": "always-attack", "mud-slime": "random"}
    play_on(fight, tactics)
    end = everything(fight)
    fight.undo(to=max(1, fight.decision // 2))
    play_on(fight, tactics)
    assert everything(fight) == end


# Forks


@pytest.fixture
def middle() -> Fight:
    fight = Fight("bgo", TOUGH, seed=7)
    for _ in range(4):
        both(fight)
    fight.play("player", "defend")
    return fight


@pytest.mark.parametrize("at", [None, 1, 3, 5])
def test_a_fork_shares_the_past_and_leaves_the_original_alone(middle: Fight, at: int | None) -> None:
    before = everything(middle)
    forked = middle.fork(at)
    shared = [answer for answer in middle.answers if at is None or answer.decision < at]
    assert forked.answers == shared
    both(forked) if at else forked.play("fire-slime", "attack")
    assert everything(middle) == before


def test_a_fork_goes_on_with_the_same_dice(middle: Fight) -> None:
    forked = middle.fork(2)
    for answer in middle.answers[2:]:
        forked.play(answer.who, answer.move)
    for fight in (middle, forked):
        fight.play("fire-slime", "attack")
        both(fight)
    assert records.pack(forked.state) == records.pack(middle.state)
    assert forked.story == middle.story


def test_a_fork_may_change_one_choice(middle: Fight) -> None:
    forked = middle.fork(4)
    both(forked, "flee", "attack")
    assert forked.ending == "fled"
    assert middle.ending is None


def test_a_fork_may_change_one_roll(middle: Fight) -> None:
    first = middle.answers[5].fell
    forked = middle.fork(3, rolls=[HIT, MISS])
    both(forked)
    assert forked.answers[5].fell == (HIT, MISS) != first
    both(forked)
    assert forked.answers[7].fell == first, "after the changed rolls the dice go on where they were"


def test_a_fork_may_go_on_with_another_seed(middle: Fight) -> None:
    forked = middle.fork(3, seed=99)
    expected = Seeded(99)
    both(forked)
    assert forked.answers[5].fell == (expected.throw(Throw("dice", 3, 6)), expected.throw(Throw("dice", 3, 6)))


def test_a_fork_of_a_fork_goes_on_with_the_same_dice(middle: Fight) -> None:
    twice = middle.fork(4).fork(2)
    for answer in middle.answers[2:]:
        twice.play(answer.who, answer.move)
    assert everything(twice)["lines"] == everything(middle)["lines"]


def test_a_fork_of_fair_dice_keeps_their_secret() -> None:
    fight = Fight("bgo", TOUGH, dice=Fair(bytes(32)))
    both(fight)
    forked = fight.fork(1)
    both(forked)
    assert forked.dice.fallen == fight.dice.fallen


def test_a_fork_at_a_decision_that_was_not_reached_is_refused(middle: Fight) -> None:
    assert refused(lambda: middle.fork(6)) == "the decision must be 1 to 5, not 6"


def test_thoughts_go_on_in_a_fork_where_they_were() -> None:
    fight = Fight("bgo", {"heroes": ["player:health=90"], "monsters": ["mud-slime:health=90"]}, seed=7)
    for _ in range(5):
        for name in fight.names:
            fight.play(name, decide(fight, name, "random" if name == "mud-slime" else "always-attack"))
    forked = fight.fork()
    assert forked.whim.position == fight.whim.position
    for one in (fight, forked):
        play_on(one, {"player": "always-attack", "mud-slime": "random"})
    assert forked.story == fight.story


def test_a_fork_can_be_undone_like_the_original() -> None:
    fight = Fight("bgo", {"heroes": ["player:health=90"], "monsters": ["mud-slime:health=90"]}, seed=7)
    for _ in range(5):
        for name in fight.names:
            fight.play(name, decide(fight, name, "random" if name == "mud-slime" else "always-attack"))
    forked = fight.fork()
    for one in (fight, forked):
        one.undo(to=3)
    assert forked.whim.position == fight.whim.position
    assert play_on(forked, {"player": "always-attack", "mud-slime": "random"}) == play_on(
        fight, {"player": "always-attack", "mud-slime": "random"}
    )


# A fight as text


def test_repr_rebuilds_a_fight() -> None:
    names = {"Fight": Fight, "Seeded": Seeded, "Fair": Fair, "Scripted": Scripted}
    for dice in (Seeded(7, 3), Fair(bytes(range(32))), Scripted([HIT, MISS], Seeded(2))):
        fight = Fight("bgo", TOUGH, dice=dice, options={"poised": "kept", "naturals": True})
        both(fight)
        fight.play("player", "flee")
        again = eval(repr(fight), names)
        assert repr(again) == repr(fight)
        assert everything(again) | {"whim": 0} == everything(fight) | {"whim": 0}


def test_a_system_need_not_be_installed_to_be_fought(toy: ModuleType) -> None:
    fight = Fight(replace(toy.system, id="my-own"), {"one": ["ann"], "two": ["bob"]}, seed=1)
    play_on(fight, {"ann": "lowest", "bob": "whimsical"})
    assert fight.ending in ("one", "two", "draw")


@pytest.mark.parametrize("seed", [None, 9])
@pytest.mark.parametrize("at", [None, 2])
def test_a_fork_can_be_saved_and_taken_back_into_its_past(middle: Fight, at: int | None, seed: int | None) -> None:
    forked = middle.fork(at, seed=seed)
    while not forked.over:
        forked.play(forked.to_act[0], "attack")
    loaded = saving.restore(json.loads(json.dumps(saving.as_table(forked))), "the fork")
    assert (loaded.story, loaded.dice.position) == (forked.story, forked.dice.position)
    for fight in (forked, loaded):
        fight.undo(to=1)
        assert records.pack(fight.state) == records.pack(fight.first_state)
    forked.play("player", "attack")
    forked.play("fire-slime", "attack")
    assert forked.answers[-1].fell == middle.answers[1].fell, "what has fallen once is written down"


def test_a_fork_of_a_fork_stands_where_the_first_stood(middle: Fight) -> None:
    twice = middle.fork(seed=1).fork(2).fork()
    assert twice.answers == [answer for answer in middle.answers if answer.decision < 2]
    assert twice.story == middle.fork(2).story


def test_a_fight_is_printed_for_people() -> None:
    fight = Fight("bgo", "heroes=player monsters=fire-slime", seed=1)
    assert str(fight).startswith("Board Game Online variant: heroes (player) against monsters (fire-slime).\nRound 1\n")
    assert str(fight).endswith("\nDecision 1: player, fire-slime.")
