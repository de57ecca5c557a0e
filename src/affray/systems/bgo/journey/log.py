"""The log of a journey: what it holds, how to rerun it, and how to retell it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from affray.fight.logfile import Ask, LogFile, agree, agree_on_fall, dice_of, entry, position, whim_of
from affray.system.abilities import Retold
from affray.systems.bgo import JOURNEY, system
from affray.systems.bgo.journey.journey import Answer, Journey

JourneyT = TypeVar("JourneyT", bound=Journey)

VERSION = 3
THROWS_SINCE = 2  # before, a result was only what the dice showed
GATES_SINCE = 3  # before, the board had no gates, and fewer things and creatures
BEFORE_GATES = {"gates": 0, "edition": 1, "reward_slot": "any", "find_plus_one": 0}


def as_table(journey: Journey) -> dict[str, Any]:
    """Everything needed to continue the journey, as plain JSON values. It holds secrets and is for the owner only."""
    whim = journey.whim
    return {
        "format": JOURNEY,
        "version": VERSION,
        "system": system.id,
        "players": journey.setup(),
        "options": journey.options,
        "dice": journey.dice.describe(),
        "whim": {"seed": whim.seed, "number": whim.number, "position": whim.position},
        "answers": [as_entry(answer) for answer in journey.answers],
        "winner": journey.winner,
    }


def as_entry(answer: Answer) -> dict[str, Any]:
    """One answer of a log, as plain JSON values."""
    return entry(answer.decision, answer.fell, answer.whim, who=answer.who, answer=answer.answer)


def public_table(journey: Journey, *, secret_is_out: bool) -> dict[str, Any]:
    """The public log: without the computer players' whim, and without the secret of the dice until it is revealed."""
    table = as_table(journey)
    if not secret_is_out:
        table["dice"] = {key: value for key, value in table["dice"].items() if key in ("source", "commitment")}
    answers = [{key: value for key, value in answer.items() if key != "whim"} for answer in table["answers"]]
    return {**table, "whim": None, "answers": answers}


def rerun(table: Mapping[str, Any], ask: Ask | None, made: type[JourneyT]) -> JourneyT:
    """Rerun a log; every answer must be legal, and every result must be what its dice give."""
    agree("the system", table["system"], system.id)
    options = {**({} if table["version"] >= GATES_SINCE else BEFORE_GATES), **table["options"]}
    # A log names no files: it holds its players in full.
    journey = made(table["players"], dice=dice_of(table, ask), options=options, whim=whim_of(table), files=False)
    for written in table["answers"]:
        _answer(journey, written, named=table["version"] >= THROWS_SINCE)
    if table["whim"] is not None:
        journey.whim.position = position(table["whim"]["position"])
    return journey


def _answer(journey: Journey, written: Mapping[str, Any], *, named: bool) -> None:
    if "whim" in written:
        journey.whim.position = position(written["whim"])  # so that after undo a tactic decides the same again
    journey.answer(written["who"], written["answer"], written["decision"])
    answer = journey.answers[-1]
    agree(f"the answer to decision {written['decision']}", written["answer"], answer.answer)
    agree_on_fall(f"for decision {written['decision']}", written["fell"], answer.fell, named=named)


def _rerun(table: Mapping[str, Any], ask: Ask | None) -> Journey:
    return rerun(table, ask, Journey)


LOG = LogFile[Journey](JOURNEY, VERSION, "journey", "answers", as_table, _rerun, lambda run: run.winner, "winner")
verify = LOG.verify


def retell(path: str) -> Retold:
    """A saved journey as its story."""
    journey = LOG.load(path)
    ending = f"Won by {journey.winner}, in board round {journey.round}." if journey.over else "The journey is not over."
    facts = {"players": journey.names, "winner": journey.winner, "round": journey.round}
    return Retold([(line.decision, line.text) for line in journey.lines], ending, facts)
