"""The cache of solved fights on disk, by the content of the rules and the set-up, so that the next start reads them."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from affray.kernel.caching import cache_folder
from affray.lab import modules
from affray.lab.graph import timeless_key
from affray.lab.solving.contest import Contest
from affray.lab.solving.solution import Solution
from affray.system.setup import Setup

FORMAT = 1  # goes up when a solution is found or written in another way
MOST_KEPT = 100  # files; the oldest go first
FLAT = ("first_cell", "first_edge", "to", "weight", "pay", "ends")


def path_of(setup: Setup[Any], starts: list[Any]) -> Path | None:
    """The file of a fight's solution; None for rules without a source, which cannot be told from edited ones."""
    if not all(modules.has_source(home) for home in modules.homes(setup.system)):
        return None
    system = setup.system
    told = (FORMAT, modules.key(system), setup.endings, sorted(system.values.items()), system.endless)
    digest = hashlib.sha256(repr((*told, sorted(setup.options.items()), setup.team_numbers)).encode())
    for state in (setup.seated(), *starts):
        digest.update(timeless_key(state))
    return cache_folder() / "solved" / f"{system.id}-{digest.hexdigest()[:24]}.json.gz"


def write(path: Path, solution: Solution) -> None:
    """Write a solution, whole or not at all; a disk that is full or closed to us costs nothing but the next start."""
    contest = solution.contest
    table = {
        "keys": base64.b85encode(b"".join(contest.keys)).decode(),
        "rows": contest.rows,
        "columns": contest.columns,
        **{name: getattr(contest, name) for name in FLAT},
        "endless": contest.endless,
        "is_compiled": contest.is_compiled,
        "values": [_plain(value) for value in solution.values],
        "plays": [[[_plain(chance) for chance in mix] for mix in play] for play in solution.plays],
        "gains": solution.gains,
        "start": {state: str(chance) for state, chance in solution.start.items()},
    }
    beside = path.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(beside, "wt", encoding="ascii", compresslevel=3) as file:
            json.dump(table, file, separators=(",", ":"))
        beside.replace(path)
        kept = sorted(path.parent.glob("*.json.gz"), key=lambda file: file.stat().st_mtime)
        for old in kept[:-MOST_KEPT]:
            old.unlink(missing_ok=True)


def read(path: Path, setup: Setup[Any]) -> Solution | None:
    """The solution in a file; None where there is none, or a damaged one."""
    try:
        with gzip.open(path, "rt", encoding="ascii") as file:
            table = json.load(file)
        keys = base64.b85decode(table["keys"])
        record = len(keys) // len(table["rows"])
        contest = Contest(
            keys=[keys[at : at + record] for at in range(0, len(keys), record)],
            rows=[_answers(side) for side in table["rows"]],
            columns=[_answers(side) for side in table["columns"]],
            **{name: table[name] for name in FLAT},
            endless=table["endless"],
            is_compiled=table["is_compiled"],
        )
        return Solution(
            setup,
            contest,
            [_number(value) for value in table["values"]],
            [(tuple(map(_number, mine)), tuple(map(_number, theirs))) for mine, theirs in table["plays"]],
            table["gains"],
            {int(state): Fraction(chance) for state, chance in table["start"].items()},
        )
    except (OSError, EOFError, ValueError, KeyError, TypeError, ZeroDivisionError):
        return None


def _answers(side: list[list[list[int]]]) -> tuple[tuple[tuple[int, int], ...], ...]:
    return tuple(tuple((who, code) for who, code in answers) for answers in side)


def _plain(number: Fraction | float) -> str | float:
    return str(number) if isinstance(number, Fraction) else number


def _number(plain: str | float) -> Fraction | float:
    return Fraction(plain) if isinstance(plain, str) else plain
