"""A whole fight in each profile, told as it was read and found right."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from affray.fight import Fight
from affray.kernel.rules import kinds_of
from affray.systems.mythos import rules

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"))
REWRITE = "AFFRAY_REWRITE_GOLDEN"


def replayed(head: str) -> Fight:
    """The fight of a golden file: its first lines name teams, options and seed, then one line for each move."""
    entries, _, moves = head.partition("\nmoves:\n")
    given = dict(line.split(": ", 1) for line in entries.strip().splitlines())
    options = dict(part.split("=") for part in given["options"].split())
    fight = Fight("mythos", given["teams"], seed=int(given["seed"]), options=options)
    for line in moves.strip().splitlines():
        who, _, move = line.partition(": ")
        fight.play(who, move)
    return fight


def head_of(file: Path) -> str:
    return file.read_text(encoding="utf-8").partition("\n---\n")[0]


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_whole_fight_is_told_as_it_was_read_and_found_right(file: Path) -> None:
    fight = replayed(head_of(file))
    assert fight.over
    text = f"{head_of(file)}\n---\n{fight.story}\n{fight.status()}\n"
    if os.environ.get(REWRITE):
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8"), f"read what is new; {REWRITE}=1 takes it over"


def test_there_is_a_golden_fight_in_each_profile() -> None:
    wounds = {str(replayed(head_of(file)).options["wounds"]) for file in GOLDEN}
    assert wounds == {"document", "classic"}


def test_the_golden_fights_show_nearly_every_event() -> None:
    told = {line.event.kind.name for file in GOLDEN for line in replayed(head_of(file)).lines}
    every = {kind.name for kind in kinds_of(rules.begin, rules.apply)}
    assert every - told <= {"AWAITS", "STALEMATE", "SPENDS", "BOOSTS"}  # the last two: test_house_rules.py
