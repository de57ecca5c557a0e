"""What the rest of the package does with a fight works for a fight of every installed system."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from types import ModuleType

import pytest

import affray
from affray.fight import Fight
from affray.kernel import records
from affray.kernel.system import find
from affray.lab.simulate import final_states, simulate
from affray.players.tactics import decide, play_on, replay_simulated, usual_tactics

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


def test_the_systems_are_there() -> None:
    assert {"bgo", "grapple"} <= set(SYSTEMS)


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
def test_a_fight_forks_and_is_undone(system: str) -> None:
    fight = begun(system)
    shown = fight.story, fight.status()
    forked = fight.fork()
    assert (forked.story, forked.status()) == shown
    while fight.answers:
        fight.undo()
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
        assert option.name in found.rulings()[option.ruling].options
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
def test_counts_depend_neither_on_cores_nor_on_the_compiler(system: str, native: ModuleType) -> None:
    teams = find(system).demonstration
    ways: list[dict[str, object]] = [{"workers": 1}, {"workers": 2}, {"compiled": False}]
    many = [simulate(system, teams, fights=200, seed=4, **way) for way in ways]  # type: ignore[arg-type]
    assert many[0].counts == many[1].counts == many[2].counts
    assert many[0].rounds == many[1].rounds == many[2].rounds
    assert many[0].figures == many[1].figures == many[2].figures


@each_system
def test_a_simulated_fight_is_told_again(system: str, native: ModuleType) -> None:
    teams = find(system).demonstration
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
