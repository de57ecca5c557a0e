"""What a page computes on the player's own device, in a worker: odds and lab jobs, with the results of a server."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import msgspec

from affray.edition import console
from affray.edition.jobs import part, totalled
from affray.errors import Refused
from affray.fight import Fight
from affray.lab.fighting import Counts
from affray.server.jobs import JobRequest, checked, foreseen
from affray.system.registry import find, names
from affray.world.combats.odds import odds_table
from affray.world.combats.worker import answered
from affray.world.process import report


def answer(question: str) -> str:
    """Answer a question: `{"ask": ..., ...}` by `{"found": ...}` or `{"problem": ...}`."""
    asked = json.loads(question)
    try:
        return json.dumps({"found": QUESTIONS[asked.pop("ask")](**asked)})
    except Refused as problem:
        return json.dumps({"problem": str(problem)})


def ready() -> bool:
    """Work out some odds of every system, so that the first question about any of them finds all loaded."""
    for name in names():
        fight = Fight(name, find(name).demonstration, seed=0)
        odds_table(fight, fight.to_act[0], {})
    return True


def odds(position: dict[str, Any], tactic: str | None, play: str, aim: str) -> dict[str, Any]:
    """The odds of a fighter's moves; the position comes from the server."""
    who = position["who"]
    found = answered(odds_table, position["log"], (who, {who: tactic} if tactic else {}, play, aim))
    return {"fighter": position["fighter"], "decision": position["decision"], **found}


def simulate_part(request: dict[str, Any], first: int, count: int) -> dict[str, Any]:
    """The results of some fights of a simulation."""
    counts, compiled = part(_read(request), first, count)
    return {"counts": asdict(counts), "compiled": compiled}


def simulate_total(request: dict[str, Any], parts: list[dict[str, Any]], seconds: float) -> dict[str, Any]:
    """The simulation of which these are the parts."""
    return totalled(_read(request), [(_counts(each["counts"]), each["compiled"]) for each in parts], seconds)


def _counts(table: dict[str, Any]) -> Counts:
    return Counts(**{**table, "rounds": {int(lasted): count for lasted, count in table["rounds"].items()}})


def foresee(request: dict[str, Any]) -> dict[str, Any]:
    """The odds of a whole fight."""
    return foreseen(_read(request), report)


def _read(request: dict[str, Any]) -> JobRequest:
    try:
        return checked(msgspec.convert(request, JobRequest))
    except msgspec.ValidationError as problem:
        raise Refused(str(problem)) from None


QUESTIONS: dict[str, Callable[..., Any]] = {
    "ready": ready,
    "odds": odds,
    "simulate part": simulate_part,
    "simulate total": simulate_total,
    "odds of a fight": foresee,
    "run": console.run,
}
