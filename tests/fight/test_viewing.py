"""Views: each viewer gets what it may know, and nothing of a secret finds a way in."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from types import ModuleType
from typing import Any

import pytest

from affray import testing
from affray.errors import Illegal, Invalid
from affray.fight import Fight, viewing
from affray.kernel import records
from affray.kernel.chance import Dice, Fair, Scripted, Seeded
from affray.players.tactics import decide
from affray.system.pictures import Thrown, Widget
from affray.system.registry import find, names

TEAMS = {"heroes": ["player:health=30", "squire:health=30"], "monsters": ["ember-bat:health=30"]}
SECRET = bytes(range(7, 39))


@pytest.fixture
def fight() -> Fight:
    """The second round of a fight, nobody having chosen yet."""
    made = Fight("bgo", TEAMS, dice=Fair(SECRET))
    made.play("player", "attack")
    made.play("squire", "defend")
    made.play("ember-bat", "attack squire")
    return made


def viewers(fight: Fight, without: str) -> list[str | None]:
    return [None, *(name for name in fight.names if name != without)]


def shown(fight: Fight, viewer: str | None) -> dict[str, Any]:
    """All that reaches a viewer: the view, the moves with reasons, and the sentence for a bad answer."""
    face: dict[str, Any] = {"view": fight.view(viewer), "status": fight.status(), "story": fight.story}
    if viewer is not None and viewer in fight.to_act:
        face["moves"] = fight.legal(viewer, explain=True)
        with pytest.raises(Illegal) as refused:
            fight.play(viewer, "dance")
        face["sentence"] = (str(refused.value), refused.value.allowed)
    return face


def test_a_view_tells_a_fighter_how_things_stand(fight: Fight) -> None:
    view = fight.view("squire")
    assert view["system"] == "bgo"
    assert view["teams"] == {"heroes": ["player", "squire"], "monsters": ["ember-bat"]}
    assert (view["viewer"], view["decision"], view["round"], view["ending"]) == ("squire", 2, 2, None)
    assert view["to_act"] == ["player", "squire", "ember-bat"]
    assert view["legal"] == ["attack", "defend", "flee"]
    assert view["status"] == fight.status()
    assert view["story"] == [str(line) for line in fight.lines]
    assert view["state"]["fighters"][1]["poised"] == 1


def test_a_spectator_is_told_no_moves(fight: Fight) -> None:
    view = fight.view()
    assert view["viewer"] is None
    assert "legal" not in view
    assert "answered" not in view


def test_a_viewer_who_is_not_there_is_refused(fight: Fight) -> None:
    with pytest.raises(Illegal, match="did you mean player"):
        fight.view("plaier")


def test_a_view_is_plain_json(fight: Fight) -> None:
    for viewer in (None, *fight.names):
        view = fight.view(viewer)
        assert json.loads(json.dumps(view)) == view


@pytest.mark.parametrize("chosen", ["attack", "defend", "flee"])
def test_nobody_else_can_tell_what_somebody_chose_nor_whether(fight: Fight, chosen: str) -> None:
    before = {viewer: shown(fight, viewer) for viewer in viewers(fight, "player")}
    fight.play("player", chosen)
    assert {viewer: shown(fight, viewer) for viewer in viewers(fight, "player")} == before


def test_one_sees_the_choice_that_one_has_made(fight: Fight) -> None:
    assert fight.view("player")["answered"] is None
    fight.play("player", "flee")
    view = fight.view("player")
    assert view["answered"] == "flee"
    assert view["to_act"] == ["squire", "ember-bat"]
    assert view["legal"] == []


def test_two_choices_are_hidden_as_well_as_one(fight: Fight) -> None:
    before = shown(fight, "ember-bat"), shown(fight, None)
    fight.play("player", "flee")
    fight.play("squire", "attack")
    assert (shown(fight, "ember-bat"), shown(fight, None)) == before


def test_all_is_told_when_all_have_chosen(fight: Fight) -> None:
    fight.play("player", "flee")
    fight.play("squire", "attack")
    fight.play("ember-bat", "attack player")
    for viewer in (None, *fight.names):
        assert "The player turns to flee." in fight.view(viewer)["story"]


def test_after_the_end_nobody_is_to_act() -> None:
    fight = Fight("bgo", {"a": ["player"], "b": ["player"]}, seed=1)
    fight.play("player", "flee")
    fight.play("player-2", "defend")
    for viewer in (None, "player", "player-2"):
        view = fight.view(viewer)
        assert (view["ending"], view["to_act"]) == ("fled", [])


def test_the_commitment_is_shown_and_the_secret_is_not(fight: Fight) -> None:
    for viewer in (None, *fight.names):
        view = fight.view(viewer)
        assert view["commitment"] == Fair(SECRET).commitment
        assert SECRET.hex() not in json.dumps(view)
    assert Fight("bgo", TEAMS, seed=123_456_789).view()["commitment"] is None
    assert "123456789" not in json.dumps(Fight("bgo", TEAMS, seed=123_456_789).view("player"))


def empty(value: Any) -> None:
    if isinstance(value, dict | list):
        for part in list(value.values() if isinstance(value, dict) else value):
            empty(part)
        value.clear()


def test_a_view_is_no_handle_on_the_fight(fight: Fight) -> None:
    before = records.pack(fight.state), fight.story, repr(fight)
    for viewer in (None, *fight.names):
        empty(fight.view(viewer))
    assert (records.pack(fight.state), fight.story, repr(fight)) == before
    assert fight.teams == {"heroes": ["player", "squire"], "monsters": ["ember-bat"]}


# Hidden cards


def test_nobody_sees_the_cards_of_another(toy: ModuleType) -> None:
    one, other = (
        Fight(toy.system, {"one": ["ann"], "two": ["bob"]}, dice=Scripted([2, 5, 4, *cards], then=Seeded(1)))
        for cards in ((3, 2), (0, 1))
    )
    assert shown(one, "ann") == shown(other, "ann")
    assert shown(one, None) == shown(other, None)
    assert one.view("bob")["legal"] == ["bid 2", "bid 3"]
    assert other.view("bob")["legal"] == ["bid 0", "bid 1"]


# What is drawn

MOST_ANSWERS = 120
each_system = pytest.mark.parametrize("system", names())


def random_fights(system: str, count: int) -> Iterator[Fight]:
    """Fights of all shapes and under all sorts of options, and their fighters' moves at random."""
    for seed in range(count):
        random = Random(seed)
        options = testing._changed_options(find(system), random)
        try:
            yield Fight(system, testing._dealt(find(system), seed), seed=seed, options=options, whim=Seeded(seed))
        except Invalid:
            continue  # a fighter who cannot fight any more was dealt


def advance(fight: Fight, random: Random) -> None:
    who = random.choice(fight.to_act)
    fight.play(who, random.choice(fight.legal(who)))


def scenes(fight: Fight, viewer: str | None) -> list[list[Widget]]:
    state = fight.setup.view(fight.state, None if viewer is None else fight.index(viewer))
    return [viewing.scene(fight, state, who) for who in range(len(fight.names))]


@each_system
def test_at_every_decision_every_viewer_is_given_what_can_be_drawn(system: str) -> None:
    drawn = 0
    for seed, fight in enumerate(random_fights(system, 30)):
        random = Random(seed)
        while not fight.over and len(fight.answers) < MOST_ANSWERS:
            for viewer in (None, *fight.names):
                for widget in (widget for widgets in scenes(fight, viewer) for widget in widgets):
                    assert 0 <= widget.value <= (widget.most or widget.value), widget
                    assert widget.label, widget
                    assert all(widget.names), widget
                    assert widget.most or widget.names or widget.kind == "pile", widget
                    drawn += 1
            advance(fight, random)
    assert drawn > 1000


@each_system
def test_nobody_elses_secret_choice_is_drawn(system: str) -> None:
    for seed, fight in enumerate(random_fights(system, 20)):
        random = Random(seed)
        while not fight.over and len(fight.answers) < MOST_ANSWERS:
            others = {viewer: scenes(fight, viewer) for viewer in (None, *fight.names)}
            decision = fight.decision
            advance(fight, random)
            if fight.decision == decision:
                del others[fight.answers[-1].who]
                assert {viewer: scenes(fight, viewer) for viewer in others} == others


def test_ones_own_secret_choice_is_drawn_for_oneself(fight: Fight) -> None:
    fight.play("squire", "defend")
    shown = {viewer: fight.view(viewer)["scene"]["squire"] for viewer in (None, *fight.names)}
    assert [widget["names"] for widget in shown["squire"] if widget["label"] == "State"] == [
        ["chose defend", "poised (+Attack)"]
    ]
    assert shown["player"] == shown["ember-bat"] == shown[None]
    assert "chose" not in json.dumps(shown[None])


def physical(thrown: Thrown) -> tuple[str, tuple[int, ...]]:
    """What lies on the table, as far as it can be told from the results that are kept."""
    match thrown.kind:
        case "coins":
            return "plain", thrown.faces[:1]
        case "card":
            return "plain", (thrown.faces[0] - 1,)
        case "percent":
            return "percent", tuple(sorted(thrown.faces))
        case _:
            return "plain", thrown.faces


def fell(system: str, result: tuple[int, ...]) -> list[tuple[str, tuple[int, ...]]]:
    """How a result may be drawn: of a d100 what it reads with each of its tens dice."""
    readings = tuple(sorted(10 * tens + result[0] or 100 for tens in result[1:]))
    return [("plain", result), ("percent", readings)] if system == "mythos" else [("plain", result)]


@contextmanager
def unplayable(fight: Fight) -> Iterator[None]:
    """No move can be made, on a copy neither, and nothing be thrown."""

    def refuse(*_given: object) -> None:
        raise AssertionError("a move was made")

    setup, dice = fight.setup, fight.dice
    fight.setup, fight.dice = replace(setup, system=replace(setup.system, apply=refuse, begin=refuse)), Scripted([])
    try:
        yield
    finally:
        fight.setup, fight.dice = setup, dice


@each_system
def test_what_is_drawn_for_the_lines_is_all_that_has_fallen_openly(system: str) -> None:
    count = 0
    for seed, fight in enumerate(random_fights(system, 30)):
        random = Random(seed)
        while not fight.over and len(fight.answers) < MOST_ANSWERS:
            advance(fight, random)
        drawn = viewing.thrown_for(fight)
        assert len(drawn) == len(fight.lines)
        with unplayable(fight):
            assert [list(line.thrown) for line in viewing.story(fight)] == drawn, "nothing is played again to draw it"
        opened = [result for result in fight.dice.fallen if not result.unseen]
        flat = [thrown for throws in drawn for thrown in throws]
        assert len(flat) == len(opened) or not fight.over  # what has no line yet may still come
        for thrown, result in zip(flat, opened, strict=False):
            assert physical(thrown) in fell(system, tuple(result))
        for line, throws in zip(fight.lines, drawn, strict=True):
            results = [result for result in line.event.fell if not result.unseen]
            assert len(throws) >= len(results)
            for thrown, result in zip(throws[::-1], results[::-1], strict=False):
                assert physical(thrown) in fell(system, tuple(result))
        for line in random.choices(fight.lines, k=5):
            assert viewing.thrown(fight, line) == drawn[[told is line for told in fight.lines].index(True)]
        count += len(flat)
    assert count > 200


def test_what_fell_for_a_line_is_the_same_after_undo_and_in_a_fork(fight: Fight) -> None:
    line, again = fight.lines[-1], fight.fork()
    fight.play("player", "attack")
    fight.undo()
    rolls = [line for line in fight.lines if line.event.fell]
    assert [viewing.thrown(fight, line) for line in rolls] == [viewing.thrown(again, line) for line in rolls]
    assert viewing.thrown(fight, line) == []
    with pytest.raises(Illegal, match="no such line"):
        viewing.thrown(fight, replace(line, text="Nothing of the kind."))


def test_a_system_without_pictures_has_bars_and_dice_and_shows_no_card_that_was_dealt(toy: ModuleType) -> None:
    dice = Scripted([2, 5, 4, 3, 2], then=Seeded(1))
    fight = Fight(toy.system, {"one": ["ann"], "two": ["bob"]}, dice=dice)
    assert viewing.scene(fight, fight.state, 1) == [Widget("bar", "life", 6, 9)]
    assert viewing.thrown(fight, fight.lines[0]) == [Thrown("dice", (2,))]
    random = Random(3)
    while not fight.over:
        advance(fight, random)
    thrown = [thrown for throws in viewing.thrown_for(fight) for thrown in throws]
    assert {"dice", "coins"} <= {one.kind for one in thrown}
    assert not any(one.kind == "card" for one in thrown)
    assert all(0 <= one.faces[0] <= one.faces[1] for one in thrown if one.kind == "coins")


# Who thinks


def test_a_thinker_is_handed_its_own_view_and_dice_of_its_own(fight: Fight) -> None:
    handed: list[tuple[Any, int, Dice]] = []

    def spy(state: Any, who: int, whim: Dice) -> int:
        handed.append((state, who, whim))
        return fight.codes(who)[0]

    fight.play("player", "flee")
    fight.setup = replace(fight.setup, system=replace(fight.system, tactics={"spy": spy}))
    used = fight.dice.position
    assert str(decide(fight, "ember-bat", "spy")) == "attack player"
    ((state, who, whim),) = handed
    assert who == 2
    assert state is not fight.state
    assert state.fighters[0].choice == 0
    assert state.due == 0b111
    assert whim is not fight.dice
    assert fight.dice.position == used


def reachable_from(*things: object) -> list[object]:
    """Every object that can be got at from some things, except through classes, functions and modules."""
    seen: dict[int, object] = {}
    waiting = list(things)
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or isinstance(thing, type | ModuleType) or callable(thing):
            continue
        seen[id(thing)] = thing
        waiting.extend(gc.get_referents(thing))
    return list(seen.values())


def test_a_thinker_cannot_reach_the_fights_dice_or_the_choices_of_others(fight: Fight) -> None:
    fight.play("player", "flee")
    within = reachable_from(fight.setup.view(fight.state, 2), 2, fight.whim)
    assert fight.state not in within
    assert not any(thing is fight.dice or thing is fight.dice.fallen or thing is fight for thing in within)
    assert SECRET not in within
    assert SECRET.hex() not in within


@pytest.mark.parametrize("tactic", ["policy", "always-attack", "defend-then-attack", "cautious", "random"])
def test_a_tactic_chooses_the_same_whatever_others_have_chosen(fight: Fight, tactic: str) -> None:
    def thought() -> str:
        fight.whim.position = 0
        return str(decide(fight, "ember-bat", tactic))

    before = thought()
    for choice in ("attack", "defend", "flee"):
        fight.play("player", choice)
        assert thought() == before
        fight.undo()


def test_thinking_is_no_move(fight: Fight) -> None:
    before = records.pack(fight.state), fight.story, fight.to_act
    for _ in range(5):
        decide(fight, "ember-bat", "random")
    assert (records.pack(fight.state), fight.story, fight.to_act) == before
