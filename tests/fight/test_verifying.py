"""Verifying a log that a player sends: a few lines on what was found, and no file is touched for it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from affray.errors import Invalid
from affray.fight import Fight, logfile, saving
from affray.fight.verifying import report, verify
from affray.kernel.chance import Fair
from affray.players.tactics import play_on, usual_tactics
from affray.systems.bgo.journey import Journey, log

TEAMS = "heroes=player monsters=fire-slime"


def sent(table: dict[str, Any]) -> bytes:
    return json.dumps({**table, "seal": saving.seal(table)}).encode()


@pytest.fixture
def fight() -> Fight:
    made = Fight("bgo", TEAMS, dice=Fair(bytes(range(32))))
    play_on(made, usual_tactics(made))
    return made


def test_a_log_that_fits_says_what_was_checked_and_how_it_ended(fight: Fight) -> None:
    found = report(sent(saving.public_table(fight)))
    assert found["fits"] is True
    legal, ended = found["text"]
    assert legal.startswith(f"{len(fight.answers)} moves are legal; all results follow from the secret")
    assert ended == f"The fight ended: {fight.ending}."


def test_a_log_whose_fight_goes_on_says_so() -> None:
    assert report(sent(saving.public_table(Fight("bgo", TEAMS, seed=1))))["text"][1] == "The fight is not over."


def test_a_journey_is_verified_as_a_journey() -> None:
    found = verify(sent(log.as_table(Journey(["player"], seed=3))))
    assert found.of == "journey"
    assert found.text[1] == "The journey is not over."


def test_a_forged_log_does_not_fit_and_the_line_is_named(fight: Fight) -> None:
    table = saving.public_table(fight)
    table["answers"][1]["fell"][0] = ["3d6", 6, 6, 6]
    found = report(sent(table))
    assert found["fits"] is False
    (line,) = found["text"]
    assert line.startswith("the log: what fell for decision 1 is written as")
    changed = json.dumps({**table, "seal": "0" * 64}).encode()
    assert report(changed)["text"] == ["the log is damaged or was changed: its seal does not match its content"]


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[]", b"{", b'{"format": "affray-fight"}', b"[" * 100_000])
def test_whatever_is_sent_gets_a_sentence(content: bytes) -> None:
    found = report(content)
    assert found["fits"] is False
    assert found["text"][0].startswith("the log")


def test_dice_within_dice_without_end_get_a_sentence(fight: Fight, monkeypatch: pytest.MonkeyPatch) -> None:
    table = saving.as_table(fight)
    for _ in range(sys.getrecursionlimit()):
        table["dice"] = {"source": "scripted", "results": [], "then": table["dice"], "skip": 0}
    # However deep a reader of JSON goes, the dice are read by one that does not go as deep.
    monkeypatch.setattr(logfile, "whole", lambda content, where, format, version: table)
    assert report(b"")["text"] == ["the log: it is nested too deeply"]


def test_a_log_names_no_files(fight: Fight, tmp_path: Path) -> None:
    sheet = tmp_path / "ann.toml"
    sheet.write_text('[ann]\nbase = "player"\n', encoding="utf-8")
    table = saving.as_table(fight)
    table["teams"]["heroes"] = [str(sheet)]
    assert "names a file" in report(sent(table))["text"][0]
    with pytest.raises(Invalid, match="names a file"):
        Fight("bgo", {"heroes": [str(sheet)], "monsters": ["fire-slime"]}, files=False)
