"""Save files: a fight as its log, written as JSON, and read back with every line checked."""

from __future__ import annotations

import hashlib
import json
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affray.errors import Illegal, Invalid, Refused
from affray.fight import Answer, Fight
from affray.kernel.chance import WHIM, Fair, Hand, Physical, Scripted, Seeded, Throw, Unseen
from affray.kernel.system import find

FORMAT, VERSION = "affray-fight", 1
Ask = Callable[[Throw], Sequence[int]]


def as_table(fight: Fight) -> dict[str, Any]:
    """Everything needed to go on with the fight, as plain JSON values. It holds secrets: the owner's file."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "system": fight.system.id,
        "teams": fight.setup(),
        "options": dict(fight.options),
        "dice": fight.dice.describe(),
        "whim": {
            "seed": fight.whim.seed,
            "number": fight.whim.number,
            "position": fight.whim.position,
            "before": fight.whim_before,
        },
        "opening": [list(result) for result in fight.opening],
        "answers": [as_entry(answer) for answer in fight.answers],
        "ending": fight.ending,
    }


def as_entry(answer: Answer) -> dict[str, Any]:
    """One answer of a log, as plain JSON values."""
    return {
        "decision": answer.decision,
        "who": answer.who,
        "move": answer.move,
        "fell": [list(result) for result in answer.fell],
        "whim": answer.whim,
    }


def public_table(fight: Fight, secret_is_out: bool | None = None) -> dict[str, Any]:
    """The log that anybody may have: no secret of fair dice before the end, no choice that is still hidden.

    `secret_is_out=False` keeps the secret beyond the end, for as long as the fight may still be taken back.
    """
    table = as_table(fight)
    if not (fight.over if secret_is_out is None else secret_is_out):
        table["dice"] = {key: value for key, value in table["dice"].items() if key in ("source", "commitment")}
        table["answers"] = [answer for answer in table["answers"] if answer["decision"] < fight.decision]
        table |= _veiled(fight, table["answers"])
    table["whim"] = None
    for answer in table["answers"]:
        del answer["whim"]
    return table


def _veiled(fight: Fight, answers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What is different in the log of a fight with cards that nobody has seen: it runs as if they were unknown."""
    if not fight.system.veil:
        return {}
    return {
        "options": {**fight.options, **fight.system.veil},
        "opening": _shown(fight.opening),
        "answers": [
            {**entry, "fell": _shown(answer.fell)} for entry, answer in zip(answers, fight.answers, strict=False)
        ],
    }


def _shown(fell: Sequence[tuple[int, ...]]) -> list[list[int]]:
    return [list(result) for result in fell if not isinstance(result, Unseen)]


def seal(table: Mapping[str, Any]) -> str:
    """A fingerprint of a table's content, by which a damaged file is found out."""
    plain = json.dumps({k: v for k, v in table.items() if k != "seal"}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode()).hexdigest()


def write(table: Mapping[str, Any], path: str | Path, *, private: bool = False) -> None:
    """Write a sealed table, with `private` for its owner alone. The old file stays whole until the new one is."""
    target = Path(path)
    beside = target.with_name(target.name + ".part")
    try:
        with open(beside, "w", encoding="utf-8", opener=_for_its_owner if private else None) as file:
            file.write(json.dumps({**table, "seal": seal(table)}, indent=1) + "\n")
        os.replace(beside, target)
    except (OSError, ValueError) as error:
        raise Invalid(f"{target} cannot be written: {_reason(error)}", given=str(target)) from None


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def save(fight: Fight, path: str | Path) -> None:
    """Write a fight to a file."""
    write(as_table(fight), path)


def load(path: str | Path, ask: Ask | None = None) -> Fight:
    """The fight of a file; `ask` is for fights whose dice are thrown by hand."""
    return restore(read(path, FORMAT, VERSION), str(path), ask)


def read(path: str | Path, format: str, version: int) -> dict[str, Any]:
    """The table of a file of a given format, if it is whole."""
    return whole(content_of(path), str(path), format, version)


def content_of(path: str | Path) -> bytes:
    """What stands in a file."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise Invalid(f"{path} cannot be read: {_reason(error)}", given=str(path)) from None


def whole(content: bytes, where: str, format: str, version: int) -> dict[str, Any]:
    """The table of a given format that was written so, if nothing of it is missing or changed."""
    text = content.decode("utf-8", errors="replace")
    if "\ufffd" in text:
        raise Invalid(f"{where} is not a text file, so it is no {format} file", given=where)
    try:
        table = json.loads(text)
        sealed = seal(table) if isinstance(table, dict) else None
    except (ValueError, RecursionError) as error:
        cut_off = " It looks cut off." if _looks_cut_off(text) else ""
        raise Invalid(f"{where} is damaged: it is not whole JSON ({error}).{cut_off}", given=where) from None
    if not isinstance(table, dict) or table.get("format") != format:
        raise Invalid(f"{where} is not an {format} file", given=where, allowed=[format])
    found = table.get("version")
    if type(found) is not int or found < 1:
        raise Invalid(f"{where}: version is {found!r}, allowed is 1 to {version}", given=found)
    if found > version:
        raise Invalid(
            f"{where} was written by a newer Affray (file version {found}, known is up to {version})", given=found
        )
    if table.get("seal") != sealed:
        raise Invalid(f"{where} is damaged or was changed: its seal does not fit its content", given=table.get("seal"))
    return table


def _looks_cut_off(text: str) -> bool:
    return text.lstrip()[:1] == "{" and not text.rstrip().endswith("}")


@contextmanager
def reading(where: str) -> Iterator[None]:
    """Turn whatever is wrong in a log into a sentence that says where."""
    try:
        yield
    except Refused as problem:
        raise Invalid(f"{where}: {problem}", given=problem.given) from None
    except RecursionError:
        raise Invalid(f"{where}: it is nested too deeply", given=where) from None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as problem:
        raise Invalid(f"{where}: a part is missing or of the wrong kind ({problem!r})", given=repr(problem)) from None


def agree(what: str, written: object, derived: object) -> None:
    """Refuse a log that says something else than what its rules and dice give."""
    if written != derived:
        raise Invalid(f"{what} is written as {written!r}, and the rules and dice give {derived!r}", given=written)


def position(value: object) -> int:
    """How far a stream has been used, as a log has it."""
    if type(value) is not int or value < 0:
        raise Invalid(f"a position is a whole number from 0, not {value!r}", given=value)
    return value


def restore(table: Mapping[str, Any], where: str, ask: Ask | None = None) -> Fight:
    """Run the log of a file: it must also end as it says."""
    fight = rerun(table, where, ask)
    with reading(where):
        agree("the ending", table["ending"], fight.ending)
    return fight


def rerun(table: Mapping[str, Any], where: str, ask: Ask | None = None) -> Fight:
    """Run a log. Every answer must be legal, and every result must be what its dice give."""
    with reading(where):
        fight = _opened(table, ask)
        for entry in table["answers"]:
            _answer(fight, entry)
        if table["whim"] is not None:
            fight.think_from(position(table["whim"]["before"]))
            fight.whim.position = position(table["whim"]["position"])
        return fight


def _opened(table: Mapping[str, Any], ask: Ask | None) -> Fight:
    system = find(table["system"])
    fallen = [*table["opening"], *(result for answer in table["answers"] for result in answer["fell"])]
    dice = read_dice(table["dice"], fallen, ask)
    whim = Seeded(table["whim"]["seed"], table["whim"]["number"], WHIM) if table["whim"] else None
    # A log names no files: its fighters are whole.
    fight = Fight(system, table["teams"], dice=dice, options=table["options"], whim=whim, files=False)
    agree("what fell at the opening", table["opening"], [list(result) for result in fight.opening])
    return fight


def _answer(fight: Fight, entry: Mapping[str, Any]) -> None:
    if "whim" in entry:
        fight.think_from(position(entry["whim"]))
    fight.play(entry["who"], entry["move"], entry["decision"])
    fell = [list(result) for result in fight.answers[-1].fell]
    agree(f"what fell for decision {entry['decision']}", entry["fell"], fell)


def read_dice(described: Mapping[str, Any], fallen: Sequence[Sequence[int]], ask: Ask | None) -> Physical:
    """The source of chance of a log. Where it cannot be made anew, what has fallen stands in for the past."""
    match described["source"]:
        case "seeded" if "seed" in described:
            return Seeded(described["seed"], described["number"])
        case "fair" if "secret" in described:
            return _fair(described)
        case "scripted" if "results" in described:
            past = len(described["results"])
            then = read_dice(described["then"], fallen[past:], ask) if described["then"] else None
            return Scripted(described["results"], then, position(described["skip"]))
        case "hand" | "fair" | "seeded" | "scripted":
            return Recalled(fallen, ask or _nobody)
    raise Invalid(f"{described['source']!r} is no source of dice", given=described["source"])


class Recalled(Hand):
    """Dice thrown by hand, of which the first are known from the log: whatever is taken back is thrown again."""

    def __init__(self, results: Iterable[Sequence[int]], ask: Ask) -> None:
        super().__init__(ask)
        self._known = deque(results)

    def throw(self, throw: Throw) -> tuple[int, ...]:
        return throw.check(self._known.popleft()) if self._known else super().throw(throw)


def _fair(described: Mapping[str, Any]) -> Fair:
    dice = Fair(bytes.fromhex(described["secret"]))
    if dice.commitment != described["commitment"]:
        raise Invalid("the secret of the fair dice does not fit what was published before the first roll")
    return dice


def _nobody(throw: Throw) -> Sequence[int]:
    raise Illegal(f"{throw} is due, and nobody is asked for the dice")


@dataclass(frozen=True)
class Verdict:
    """What `affray verify` found: a sentence, and whether the dice themselves could be checked."""

    sentence: str
    dice_checked: bool
    ending: str | None
    answers: int


def verify(path: str | Path) -> Verdict:
    """Replay a log and check every move and every result; raises Invalid at the first that does not fit."""
    return verify_log(content_of(path), str(path))


def verify_log(content: bytes, where: str) -> Verdict:
    """The same for a log that need not stand in a file."""
    table = whole(content, where, FORMAT, VERSION)
    fight = restore(table, where)
    return judged(table["dice"], len(fight.answers), "moves", fight.ending)


def judged(dice: Mapping[str, Any], answers: int, called: str, ending: str | None) -> Verdict:
    """What can be said of a log that fits in every line, by where its results came from."""
    match dice:
        case {"source": "fair", "secret": _}:
            checked, results = True, "all results follow from the secret, and the secret fits its commitment"
        case {"source": "seeded", "seed": _}:
            checked, results = True, "all results follow from the seed"
        case {"source": "fair" | "seeded"}:
            checked, results = False, "the secret is not out yet, so the results cannot be checked before the end"
        case _:
            checked, results = False, "the results were given by hand, so there is nothing to check them against"
    return Verdict(f"{answers} {called} are legal; {results}.", checked, ending, answers)


def format_of(path: str | Path) -> str | None:
    """Which kind of file it says it is, without believing anything else in it."""
    try:
        return stated_format(Path(path).read_bytes())
    except (OSError, ValueError):
        return None


def stated_format(content: bytes) -> str | None:
    """Which kind of log it says it is, without believing anything else in it."""
    try:
        table = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    return str(table.get("format")) if isinstance(table, dict) else None
