"""The file of a journey: its log, written and sealed like that of a fight, and read back with every line checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from affray.journey.travel import Answer, Journey
from affray.kernel.chance import WHIM, Seeded
from affray.saving import (
    Ask,
    Verdict,
    agree,
    content_of,
    judged,
    position,
    read,
    read_dice,
    reading,
    whole,
    write,
)

FORMAT, VERSION = "affray-journey", 1


def as_table(journey: Journey) -> dict[str, Any]:
    """Everything needed to go on with the journey, as plain JSON values. It holds secrets: the owner's file."""
    whim = journey.whim
    return {
        "format": FORMAT,
        "version": VERSION,
        "system": "bgo",
        "players": journey.setup(),
        "options": journey.options,
        "dice": journey.dice.describe(),
        "whim": {"seed": whim.seed, "number": whim.number, "position": whim.position},
        "answers": [_entry(answer) for answer in journey.answers],
        "winner": journey.winner,
    }


def _entry(answer: Answer) -> dict[str, Any]:
    return {
        "decision": answer.decision,
        "who": answer.who,
        "answer": answer.answer,
        "fell": [list(result) for result in answer.fell],
        "whim": answer.whim,
    }


def save(journey: Journey, path: str | Path) -> None:
    """Write a journey to a file."""
    write(as_table(journey), path)


def load(path: str | Path, ask: Ask | None = None) -> Journey:
    """The journey of a file; `ask` is for dice that are thrown by hand."""
    return restore(read(path, FORMAT, VERSION), str(path), ask)


def restore(table: Mapping[str, Any], where: str, ask: Ask | None = None) -> Journey:
    """Run a log. Every answer must be legal, and every result must be what its dice give."""
    with reading(where):
        journey = _set_out(table, ask)
        for entry in table["answers"]:
            _answer(journey, entry)
        agree("the winner", table["winner"], journey.winner)
        journey.whim.position = position(table["whim"]["position"])
        return journey


def _set_out(table: Mapping[str, Any], ask: Ask | None) -> Journey:
    agree("the system", table["system"], "bgo")
    whim = Seeded(table["whim"]["seed"], table["whim"]["number"], WHIM)
    dice = read_dice(table["dice"], [result for answer in table["answers"] for result in answer["fell"]], ask)
    # A file names no other files: its players are whole.
    return Journey(table["players"], dice=dice, options=table["options"], whim=whim, files=False)


def _answer(journey: Journey, entry: Mapping[str, Any]) -> None:
    journey.whim.position = position(entry["whim"])  # so that whoever is taken back thinks the same again
    journey.answer(entry["who"], entry["answer"], entry["decision"])
    derived = _entry(journey.answers[-1])
    agree(f"the answer to decision {entry['decision']}", entry["answer"], derived["answer"])
    agree(f"what fell for decision {entry['decision']}", entry["fell"], derived["fell"])


def verify(path: str | Path) -> Verdict:
    """Replay a journey and check every answer and every result."""
    return verify_log(content_of(path), str(path))


def verify_log(content: bytes, where: str) -> Verdict:
    """The same for a log that need not stand in a file."""
    table = whole(content, where, FORMAT, VERSION)
    journey = restore(table, where)
    return judged(table["dice"], len(journey.answers), "answers", journey.winner)
