"""What the rest of the package does with a fight works for a fight of every installed system."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from contextlib import suppress
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

import affray
from affray.errors import Illegal
from affray.fight import Fight, Spec
from affray.fight.intervening import touches
from affray.kernel import records
from affray.kernel.chance import Throw
from affray.lab.simulate import final_states, simulate
from affray.players.tactics import decide, play_on, replay_simulated, usual_tactics
from affray.system.registry import find

SYSTEMS = list(affray.systems())
each_system = pytest.mark.parametrize("system", SYSTEMS)


def begun(system: str, answers: int = 6) -> Fight:
    """A fight of the system's own fighters after a few answers."""
    fight = Fight(system, find(system).demonstration, seed=5)
    tactics = usual_tactics(fight)
    for _ in range(answers):
        if not fight.over:
            who = fight.to_act[0]
            fight.play(who, decide(fight, who, tactics[who]))
    return fight


def two_against_two(system: str) -> dict[str, list[Spec]]:
    """The foremost of each side of the demonstration, twice: many tests have such fights compiled."""
    return {team: [fighters[0]] * 2 for team, fighters in find(system).demonstration.items()}


def test_the_systems_are_there() -> None:
    assert {"bgo", "grapple"} <= set(SYSTEMS)


@each_system
def test_every_answer_closes_its_decision_or_leaves_others_owing_one(system: str) -> None:
    for seed in range(20):
        fight = Fight(system, find(system).demonstration, seed=seed)
        choose = Random(seed)
        while not fight.over and len(fight.answers) < 400:
            for who in fight.to_act:
                assert fight.legal(who), "everybody who is asked has a move"
            assert fight.to_act, "a fighter is asked while the fight runs"
            who, number = choose.choice(fight.to_act), fight.decision
            fight.play(who, choose.choice(fight.legal(who)), number)
            if fight.decision == number:
                assert fight.to_act
                assert who not in fight.to_act
            else:
                assert fight.decision == number + 1
        answered = [(answer.decision, answer.who) for answer in fight.answers]
        assert len(set(answered)) == len(answered), "nobody has answered one number twice"


SILENT = {
    "a perk declined": ("mythos", "one=boxer:perks=rapid-attack:luck=60:attacks=2 two=ghoul", {}, "save"),
    "Fleet Footed declined": (
        "mythos",
        "one=boxer:perks=fleet-footed:luck=60 two=ghoul,ghoul,ghoul",
        {"profile": "classic"},
        "save",
    ),
    "a run in gritty mode": ("deckahedron", "one=maren two=guard", {"mode": "gritty"}, "run"),
}


@pytest.mark.parametrize("case", SILENT)
def test_an_answer_of_which_nothing_is_told_closes_its_decision(case: str) -> None:
    system, teams, options, silent = SILENT[case]
    met = 0
    for seed in range(60):
        fight = Fight(system, teams, seed=seed, options=options)
        choose = Random(seed)
        while not fight.over and len(fight.answers) < 60:
            who, number = fight.to_act[0], fight.decision
            moves = [str(move) for move in fight.legal(who)]
            move = silent if silent in moves else choose.choice([m for m in moves if m != "yield"])
            fight.play(who, move, number)
            assert fight.decision == number + 1
            if move == silent and not fight.over:
                met += 1
                asked = fight.to_act[0]
                assert fight.view(asked)["answered"] is None
                assert fight.view(asked)["legal"]
                with pytest.raises(affray.Illegal, match="is not open"):
                    fight.play(who, move, number)
    assert met > 10


@each_system
@pytest.mark.parametrize("version", [1, 2])
def test_a_file_of_an_older_version_is_loaded_and_goes_on(system: str, version: int, tmp_path: Path) -> None:
    path = Path(__file__).parents[1] / "fight" / "fixtures" / f"{system}-version-{version}.json"
    stored = json.loads(path.read_text())
    fight = Fight.load(path)
    assert [(a.who, a.move) for a in fight.answers] == [(a["who"], a["move"]) for a in stored["answers"]]
    assert [[list(fell) for fell in a.fell] for a in fight.answers] == [a["fell"] for a in stored["answers"]]
    assert fight.ending == stored["ending"]
    assert len({(a.decision, a.who) for a in fight.answers}) == len(fight.answers)
    fight.save(tmp_path / "now.json")
    now = json.loads((tmp_path / "now.json").read_text())
    assert now["version"] == 5
    for kept, older in zip(now["answers"], stored["answers"], strict=True):
        assert [faces for _, *faces in kept["fell"]] == older["fell"]
        assert all(str(Throw.from_text(thrown)) == thrown for thrown, *_ in kept["fell"])
    assert Fight.load(tmp_path / "now.json").story == fight.story
    play_on(fight, usual_tactics(fight))
    assert fight.over


@each_system
def test_a_sheet_shares_nothing_with_the_data(system: str) -> None:
    sheets = find(system).sheets
    for id, known in sheets.fighters().items():
        before = repr(known)
        enlisted = sheets.enlist(id)
        assert enlisted == known
        for value in vars(enlisted).values():
            if isinstance(value, dict):
                value.clear()
        assert repr(sheets.enlist(id)) == before


@each_system
def test_a_fight_goes_to_its_end_by_itself_and_decision_by_decision(system: str) -> None:
    """As the page of the library shows it."""
    by_itself = begun(system, answers=1)
    told = by_itself.play_on()
    assert told == by_itself.lines[-len(told) :]
    step_by_step = begun(system, answers=1)
    tactics = usual_tactics(step_by_step)
    while not step_by_step.over:
        who = step_by_step.to_act[0]
        step_by_step.play(who, decide(step_by_step, who, tactics[who]))
    for fight in (by_itself, step_by_step):
        assert fight.ending in fight.endings
        assert set(fight.figures) == set(fight.names)


@each_system
def test_a_fight_is_drawn(system: str) -> None:
    fight = begun(system)
    play_on(fight, usual_tactics(fight))
    drawing = ElementTree.fromstring(fight.svg())
    assert drawing.tag.endswith("svg")
    text = " ".join(drawing.itertext())
    for name in fight.names:
        assert name in text


@each_system
def test_a_fight_is_saved_and_goes_on(system: str, tmp_path: Path) -> None:
    fight = begun(system)
    fight.save(tmp_path / "fight.json")
    loaded = Fight.load(tmp_path / "fight.json")
    for one in (fight, loaded):
        play_on(one, usual_tactics(one))
    assert (loaded.story, loaded.ending, records.pack(loaded.state)) == (
        fight.story,
        fight.ending,
        records.pack(fight.state),
    )


@each_system
def test_a_fight_forks_and_goes_back(system: str) -> None:
    fight = begun(system)
    shown = fight.story, fight.status()
    forked = fight.fork()
    assert (forked.story, forked.status()) == shown
    while fight.answers:
        fight.rewind(len(fight.answers) - 1)
    opening = Fight(system, find(system).demonstration, seed=5)
    assert (fight.story, fight.status()) == (opening.story, opening.status())


@each_system
def test_a_view_is_plain_json_for_everybody(system: str) -> None:
    fight = begun(system)
    for viewer in (None, *fight.names):
        view = fight.view(viewer)
        assert json.loads(json.dumps(view)) == view
        assert view["system"] == system


@each_system
def test_every_line_says_why(system: str) -> None:
    fight = begun(system)
    play_on(fight, usual_tactics(fight))
    for number in range(len(fight.lines)):
        assert fight.why(number)


@each_system
def test_every_option_and_ruling_is_explained(system: str) -> None:
    found = find(system)
    for option in found.options:
        assert option.help
        assert option.name in ("undo", "gauges") or option.name in found.rulings()[option.ruling].options
    for ruling in found.rulings().values():
        assert ruling.question.endswith("?") or ruling.question.startswith("Ability: ")
        assert ruling.text
        assert ruling.source in ("document", "house rule")


@each_system
def test_every_profile_can_be_fought(system: str) -> None:
    found = find(system)
    for profile in found.profiles:
        fight = Fight(system, found.demonstration, seed=5, options={"profile": profile})
        play_on(fight, usual_tactics(fight))
        assert fight.over


@each_system
@pytest.mark.parametrize(
    ("fights", "ways"),
    [
        pytest.param(4_500, [{"workers": 1}, {"workers": 2}], id="cores"),  # more than one of them is handed at once
        pytest.param(30, [{"compiled": True}, {"compiled": False}], id="compiler"),
    ],
)
def test_counts_depend_neither_on_cores_nor_on_the_compiler(
    system: str, fights: int, ways: list[dict[str, Any]], native: ModuleType
) -> None:
    one, other = (simulate(system, two_against_two(system), fights=fights, seed=4, **way) for way in ways)
    assert one.counts == other.counts
    assert one.rounds == other.rounds
    assert one.figures == other.figures


@each_system
def test_a_simulated_fight_is_told_again(system: str, native: ModuleType) -> None:
    teams = two_against_two(system)
    for number in (0, 77):
        (ended,) = final_states(system, teams, seed=4, numbers=[number])
        assert records.pack(replay_simulated(system, teams, seed=4, number=number).state) == ended


# Names


@pytest.mark.parametrize(
    ("system", "kind"), [("strategic", "guard"), ("mythos", "zombie"), ("deckahedron", "guard")], ids=lambda word: word
)
def test_a_kind_has_an_article_and_a_name_that_somebody_gave_has_none(system, kind):
    fight = affray.Fight(system, {"a": [kind], "b": [{"base": kind, "name": "bob"}]}, seed=1)
    play_on(fight, usual_tactics(fight))
    story = fight.story.lower()
    assert f"the {kind} " in story
    assert "bob " in story
    assert "the bob" not in story


@pytest.mark.parametrize(
    ("system", "kind"),
    [("strategic", "guard"), ("mythos", "zombie"), ("deckahedron", "guard"), ("bgo", "player")],
    ids=lambda word: word,
)
def test_the_status_shows_every_name_in_full(system, kind):
    name = "Bartholomew-of-the-Long-Winding-Road"
    fight = affray.Fight(system, {"a": [{"base": kind, "name": name}], "b": [kind]}, seed=1)
    lines = fight.status().splitlines()
    assert any(fight.names[0] == line for line in lines)
    assert any(line.startswith(f"{fight.names[1]} ") for line in lines)
    assert all(len(line) <= 80 for line in lines)


ELSEWHERE = {"unaware", "held by", "boosted"}
"""Conditions that only moves lead to."""


@each_system
def test_conditions_are_known_by_their_icons(system: str) -> None:
    known, teams = find(system), two_against_two(system)
    words = {icon.word for icon in known.icons if not icon.sign}
    begun = Fight(system, teams, seed=5)
    name, told = begun.names[0], known.storytelling
    lines = [f"leave {name} {way}" for way in told.ways_out] + [f"deal {name} {deal}" for deal in told.deals]
    for touch in touches(begun.setup, begun.state, 0).values():
        lines += [f"set {name} {touch.name} {value}" for value in (-1, 1, 2) if touch.low <= value <= touch.high]
    tags = set()
    for line in lines:
        fight = Fight(system, teams, seed=5)
        with suppress(Illegal):  # as it is already, or not a thing to be dealt now
            fight.intervene(line)
        for widget in known.scene(fight.setup, fight.state, 0):
            tags |= set(widget.names) if widget.kind == "tags" else set()
    assert words - ELSEWHERE == {word for word in words if any(re.search(rf"\b{word}\b", tag) for tag in tags)}
    assert all(icon.path.startswith("M") and icon.path.endswith("Z") for icon in known.icons)
