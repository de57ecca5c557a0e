"""The log of a journey: what it holds, how it runs again, and how it is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from affray.fight.logfile import Ask, LogFile, agree, agree_on_fall, dice_of, entry, position, whim_of
from affray.system.abilities import Retold
from affray.systems.bgo import JOURNEY, system
from affray.systems.bgo.journey.journey import Journey

VERSION = 3
THROWS_SINCE = 2  # before, a result was only what it showed
GATES_SINCE = 3  # before, the board had no gates, and fewer things and creatures
BEFORE_GATES = {"gates": 0, "edition": 1, "reward_slot": "any", "find_plus_one": 0}


def as_table(journey: Journey) -> dict[str, Any]:
    """Everything needed to go on with the journey, as plain JSON values. It holds secrets: the owner's file."""
    whim = journey.whim
    return {
        "format": JOURNEY,
        "version": VERSION,
        "system": system.id,
        "players": journey.setup(),
        "options": journey.options,
        "dice": journey.dice.describe(),
        "whim": {"seed": whim.seed, "number": whim.number, "position": whim.position},
        "answers": [entry(a.decision, a.who, a.fell, a.whim, answer=a.answer) for a in journey.answers],
        "winner": journey.winner,
    }


def _rerun(table: Mapping[str, Any], ask: Ask | None) -> Journey:
    agree("the system", table["system"], system.id)
    options = {**({} if table["version"] >= GATES_SINCE else BEFORE_GATES), **table["options"]}
    # A log names no files: its players are whole.
    journey = Journey(table["players"], dice=dice_of(table, ask), options=options, whim=whim_of(table), files=False)
    for written in table["answers"]:
        _answer(journey, written, named=table["version"] >= THROWS_SINCE)
    journey.whim.position = position(table["whim"]["position"])
    return journey


def _answer(journey: Journey, written: Mapping[str, Any], *, named: bool) -> None:
    journey.whim.position = position(written["whim"])  # so that a player who is taken back thinks the same again
    journey.answer(written["who"], written["answer"], written["decision"])
    answer = journey.answers[-1]
    agree(f"the answer to decision {written['decision']}", written["answer"], answer.answer)
    agree_on_fall(f"for decision {written['decision']}", written["fell"], answer.fell, named=named)


LOG = LogFile[Journey](JOURNEY, VERSION, "journey", "answers", as_table, _rerun, lambda run: run.winner, "winner")
verify = LOG.verify


def retell(path: str) -> Retold:
    """A saved journey as its story."""
    journey = LOG.load(path)
    ending = f"Won by {journey.winner}, in board round {journey.round}." if journey.over else "The journey is not over."
    facts = {"players": journey.names, "winner": journey.winner, "round": journey.round}
    return Retold([(line.decision, line.text) for line in journey.lines], ending, facts)
