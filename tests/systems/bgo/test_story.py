"""What is told of an encounter: whole fights as text that a person has read, the status, and names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from affray.fight import Fight
from affray.systems.bgo.abilities import ABILITIES, FLAGS, TYPES

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))
REWRITE = "AFFRAY_REWRITE_GOLDEN"


def replayed(head: str) -> Fight:
    """The fight of a golden file: its first lines name the teams, the seed and everyone's moves round by round."""
    entries = dict(line.split(": ", 1) for line in head.strip().splitlines())
    fight = Fight("bgo", entries["teams"], seed=int(entries["seed"]))
    for together in entries["moves"].split("; "):
        for name, move in zip(fight.to_act, together.split(", "), strict=True):
            fight.play(name, move)
    return fight


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_whole_fight_is_told_as_it_was_read_and_found_right(file: Path) -> None:
    head, rule, _ = file.read_text(encoding="utf-8").partition("\n---\n")
    fight = replayed(head)
    assert fight.over
    text = f"{head}{rule}{fight.story}\n"
    if os.environ.get(REWRITE):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8"), f"read what is new; {REWRITE}=1 takes it over"


def test_the_golden_fights_show_the_abilities() -> None:
    kinds = set()
    for file in GOLDEN:
        fight = replayed(file.read_text(encoding="utf-8").partition("\n---\n")[0])
        kinds |= {line.event.kind.name for line in fight.lines}
    assert {"AFFLICTS", "BURNS", "DOUSES", "DRAINS", "RISES", "PRICKS", "WARDED", "CANCELED", "CHANGED"} <= kinds
    assert {"REGENERATES", "DEFENDS", "FLEES", "ESCAPES", "DIES", "ENDS"} <= kinds


def test_the_status_fits_a_terminal_whatever_somebody_has() -> None:
    loaded: dict[str, object] = {
        "base": "player",
        "name": "A name of forty letters, no more than it",
        "max_health": 999,
        "damage": dict.fromkeys(TYPES, 99),
        "abilities": {name: 1 if name in FLAGS else 99 for name in ABILITIES},
    }
    fight = Fight("bgo", {"a": [loaded], "b": ["elder-wyrm"]}, seed=1)
    for line in fight.status().splitlines():
        assert len(line) <= 80, line
    listed = " ".join(fight.status().split())
    assert "99 ▼ water" in listed
    for ability in ABILITIES:
        assert ability in listed, f"{ability} is cut off"


def test_the_story_tells_two_of_one_name_apart() -> None:
    fight = Fight("bgo", {"a": ["player:name=Ann"], "b": ["player:name=Ann"]}, seed=1)
    fight.play("ann", "attack")
    lines = [str(line) for line in fight.play("ann-2", "defend")]
    assert lines[0] == "Ann attacks."
    assert lines[1] != "Ann defends."


@pytest.mark.parametrize("ability", ABILITIES)
def test_every_ability_is_listed_in_the_status(ability: str) -> None:
    number = 1 if ability in FLAGS else 7
    fight = Fight("bgo", {"a": [{"base": "player", "abilities": {ability: number}}], "b": ["player"]}, seed=1)
    assert ability in fight.status()


def test_the_status_shows_health_and_what_holds() -> None:
    fight = Fight("bgo", {"heroes": ["player:health=7"], "monsters": ["ember-bat"]}, seed=2)
    fight.play("player", "defend")
    fight.play("ember-bat", "defend")
    assert fight.status().splitlines() == [
        "Round 2",
        "              Health             Att Def  Damage",
        "player        #######...   7/10   +0  +0  2 † physical",
        "              poised (+Attack)",
        "ember-bat     ##########   6/6    +1  -1  3 ▲ fire",
        "              poised (+Attack), ignite, ▲ nul-fire",
    ]


def test_a_bar_is_empty_only_at_nothing() -> None:
    fight = Fight("bgo", {"heroes": ["player:max_health=99:health=1"], "monsters": ["fire-slime"]}, seed=2)
    assert "#.........   1/99" in fight.status()


def test_a_stalled_encounter_does_not_say_that_somebody_got_away() -> None:
    fight = Fight("bgo", {"heroes": ["player"], "monsters": ["fire-slime"]}, seed=2, options={"round_cap": 1})
    for name in fight.names:
        fight.play(name, "defend")
    assert "After 1 round all fighters have had enough." in fight.story
    assert "somebody got away" not in fight.story


@pytest.mark.parametrize("id", ["fire-slime", "player"])
def test_creatures_and_nameless_players_have_an_article(id: str) -> None:
    fight = Fight("bgo", {"a": [id, id], "b": ["player:name=Ann"]}, seed=1)
    moves = {"ann": f"attack {id}"}
    for name in fight.names:
        fight.play(name, moves.get(name, "attack"))
    said = fight.story
    spoken = id.replace("-", " ")
    assert f"The {spoken} attacks Ann." in said
    assert f"The {spoken} 2 attacks Ann." in said
    assert f"Ann attacks the {spoken}." in said
