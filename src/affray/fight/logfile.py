"""Log files of any kind: sealed JSON that is written whole, read back, and run again with every line checked."""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from affray.errors import Illegal, Invalid, Refused
from affray.kernel.chance import WHIM, Fair, Fell, Hand, Physical, Scripted, Seeded, Throw
from affray.system.files import reason, write_whole

Ask = Callable[[Throw], Sequence[int]]
RunT = TypeVar("RunT")


@dataclass(frozen=True)
class Verdict:
    """What `affray verify` found, in words, and whether the dice themselves could be checked."""

    sentence: str
    dice_checked: bool
    ending: str | None
    answers: int
    undone: int = 0
    """How many answers were taken back."""
    concluded: str = ""
    """Why the people in it ended it before its rules did."""
    secret_rolls: int = 0
    """How many rolls the storyteller made in secret."""


@dataclass(frozen=True)
class LogFile(Generic[RunT]):
    """A kind of log: how its subject is written, and run again."""

    format: str
    version: int
    of: str
    """What such a log records, such as `fight`."""
    answers: str
    """What its answers are called, such as `moves`."""
    as_table: Callable[[RunT], dict[str, Any]]
    """Everything that is needed to continue it, as plain JSON values."""
    rerun: Callable[[Mapping[str, Any], Ask | None], RunT]
    """Runs such a table; every answer must be legal, and every result must follow from its dice."""
    ending: Callable[[RunT], str | None]
    ending_key: str = "ending"

    def save(self, run: RunT, path: str | Path) -> None:
        """Write the log to a file."""
        write(self.as_table(run), path)

    def load(self, path: str | Path, ask: Ask | None = None) -> RunT:
        """The subject of the log in a file; `ask` is for dice that are thrown by hand."""
        return self.restore(read(path, self.format, self.version), str(path), ask)

    def restore(self, table: Mapping[str, Any], where: str, ask: Ask | None = None) -> RunT:
        """Run a log and check that it ends as it says."""
        with reading(where):
            run = self.rerun(table, ask)
            agree(f"the {self.ending_key}", table[self.ending_key], self.ending(run))
            return run

    def verify(self, content: bytes, where: str) -> Verdict:
        """Check every answer and every result of a log; raises Invalid at the first that does not fit."""
        table = whole(content, where, self.format, self.version)
        run = self.restore(table, where)
        ending, concluded = self.ending(run), getattr(run, "concluded", None)
        checked, results = _dice_checked(table["dice"])
        count = len(table["answers"])
        undone = sum(len(taken_back["answers"]) for taken_back in table.get("undone", ()))
        why = concluded.text if concluded else ""
        asides = [table, *table.get("undone", ())]
        rolls = sum("number" in aside for part in asides for aside in part.get("asides", ()))
        return Verdict(f"{count} {self.answers} are legal; {results}.", checked, ending, count, undone, why, rolls)


def _dice_checked(dice: Mapping[str, Any]) -> tuple[bool, str]:
    """Whether the results of a consistent log could be checked, by the source of its dice."""
    match dice:
        case {"source": "scripted", "results": results, "then": {"source": _} as then}:
            checked, rest = _dice_checked(then)
            if not results:
                return checked, rest
            taken = f"of the results {len(results)} came from an earlier log, with which they are checked"
            return False, f"{taken}; for the others, {rest}"
        case {"source": "scripted", "then": {"source": _} as then}:
            return _dice_checked(then)
        case {"source": "fair", "secret": _}:
            return True, "all results follow from the secret, and the secret matches its commitment"
        case {"source": "seeded", "seed": _}:
            return True, "all results follow from the seed"
        case {"source": "fair" | "seeded"}:
            return False, "the secret is published at the end, so the results cannot be checked yet"
    return False, "the results were entered by hand, so there is nothing to check them against"


# --- files ---------------------------------------------------------------------------------------------------


def seal(table: Mapping[str, Any]) -> str:
    """A fingerprint of a table's content, which reveals a damaged file."""
    plain = json.dumps({k: v for k, v in table.items() if k != "seal"}, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(plain.encode()).hexdigest()


def write(table: Mapping[str, Any], path: str | Path, *, private: bool = False) -> None:
    """Write a sealed table, with `private` for its owner alone."""
    write_whole(path, json.dumps({**table, "seal": seal(table)}, indent=1) + "\n", private=private)


def content_of(path: str | Path) -> bytes:
    """The content of a file."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise Invalid(f"{path} cannot be read: {reason(error)}", given=str(path)) from None


def read(path: str | Path, format: str, version: int) -> dict[str, Any]:
    """The table in a file of a given format, if it is undamaged."""
    return whole(content_of(path), str(path), format, version)


def whole(content: bytes, where: str, format: str, version: int) -> dict[str, Any]:
    """The table of a given format in this content, if nothing is missing or changed."""
    text = content.decode("utf-8", errors="replace")
    if "\ufffd" in text:
        raise Invalid(f"{where} is not a text file, so it cannot be an {format} file", given=where)
    try:
        table = json.loads(text)
        sealed = seal(table) if isinstance(table, dict) else None
    except (ValueError, RecursionError) as error:
        cut_off = " It looks cut off." if _looks_cut_off(text) else ""
        raise Invalid(f"{where} is damaged: it is not valid JSON ({error}).{cut_off}", given=where) from None
    if not isinstance(table, dict) or table.get("format") != format:
        raise Invalid(f"{where} is not an {format} file", given=where, allowed=[format])
    found = table.get("version")
    if type(found) is not int or found < 1:
        raise Invalid(f"{where}: version is {found!r}; it must be 1 to {version}", given=found)
    if found > version:
        raise Invalid(
            f"{where} was written by a newer Affray (file version {found}, supported up to {version})", given=found
        )
    if table.get("seal") != sealed:
        problem = f"{where} is damaged or was changed: its seal does not match its content"
        raise Invalid(problem, given=table.get("seal"))
    return table


def _looks_cut_off(text: str) -> bool:
    return text.lstrip()[:1] == "{" and not text.rstrip().endswith("}")


class Stated(NamedTuple):
    """What a log says it is, which need not be true."""

    format: str
    system: str


def stated(content: bytes) -> Stated:
    """What a log says it is, without believing anything else in it."""
    try:
        table = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        return Stated("", "")
    if not isinstance(table, dict):
        return Stated("", "")
    return Stated(str(table.get("format", "")), str(table.get("system", "")))


# --- running a log again -------------------------------------------------------------------------------------


@contextmanager
def reading(where: str) -> Iterator[None]:
    """Turn any error in a log into a message that says where it is."""
    try:
        yield
    except Refused as problem:
        raise Invalid(f"{where}: {problem}", given=problem.given) from None
    except RecursionError:
        raise Invalid(f"{where}: it is nested too deeply", given=where) from None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as problem:
        raise Invalid(f"{where}: a part is missing or of the wrong kind ({problem!r})", given=repr(problem)) from None


def agree(what: str, written: object, derived: object) -> None:
    """Refuse a log that differs from what its rules and dice give."""
    if written != derived:
        raise Invalid(f"{what} is written as {written!r}, and the rules and dice give {derived!r}", given=written)


def position(value: object) -> int:
    """The position of a stream, as written in a log."""
    if type(value) is not int or value < 0:
        raise Invalid(f"a position must be a whole number, 0 or more, not {value!r}", given=value)
    return value


def entry(decision: int, fell: Iterable[Fell], whim: int, **said: object) -> dict[str, Any]:
    """One answer of a log as plain JSON values: who `said` what, its dice, and the whim's position before it."""
    return {"decision": decision, **said, "fell": [result.written for result in fell], "whim": whim}


def agree_on_fall(when: str, written: Iterable[Sequence[Any]], fell: Iterable[Fell], *, named: bool) -> None:
    """Refuse results of a log that are not those that the dice gave.

    If they are not `named`, as in older logs, the throw need not be written before its result.
    """
    if named:
        agree(f"what fell {when}", written, [result.written for result in fell])
    else:
        agree(f"what fell {when}", [_parted(result)[1] for result in written], [list(result) for result in fell])


def _parted(result: Sequence[Any]) -> tuple[str | None, Sequence[int]]:
    """The throw of a result in a log, which older logs do not have, and what it showed."""
    return (result[0], result[1:]) if result and isinstance(result[0], str) else (None, result)


class Course(NamedTuple):
    """Answers in a row, and how many of all answers were kept after them; None: none was taken back.

    Those of a decision that was opened again are the first of the next course, whether they stood or were made anew.
    """

    answers: Sequence[Mapping[str, Any]]
    kept: int | None


def courses(table: Mapping[str, Any]) -> Iterator[Course]:
    """All answers of a log in the order in which they were given, up to each time that some were taken back."""
    # From the last course back to the first, so that every answer is looked at once.
    stand, undone = list(table["answers"]), table.get("undone", [])
    found = [Course([], None)]
    for taken_back in reversed(undone):
        stood = taken_back.get("stood", [])
        opened = position(taken_back["kept"]) - len(stood)
        found[-1] = found[-1]._replace(answers=stand[opened:])
        stand[opened:] = [*stood, *taken_back["answers"]]
        found.append(Course([], taken_back["kept"]))
    found[-1] = found[-1]._replace(answers=stand)
    yield from reversed(found)


def moves_in(log: object) -> int:
    """How many moves a log has that is not checked yet, those taken back among them; each taking back counts as one."""
    table = log if isinstance(log, dict) else {}
    undone = [one if isinstance(one, dict) else {} for one in _rows(table.get("undone"))]
    return len(_rows(table.get("answers"))) + sum(max(1, len(_rows(one.get("answers")))) for one in undone)


def _rows(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


class Noted(NamedTuple):
    """A result of a log, and when it fell, such as `for decision 3`."""

    when: str
    result: Sequence[Any]


def dice_of(table: Mapping[str, Any], ask: Ask | None) -> Physical:
    """The source of chance of a log."""
    fallen = [Noted("at the opening", result) for result in table.get("opening", ())]
    for course in courses(table):
        for answer in course.answers:
            fallen += [Noted(f"for decision {answer['decision']}", result) for result in answer["fell"]]
    return _read_dice(table["dice"], fallen, ask)


def whim_of(table: Mapping[str, Any]) -> Seeded | None:
    """The whim of computer players, if the log has it."""
    return Seeded(table["whim"]["seed"], table["whim"]["number"], WHIM) if table["whim"] else None


def _read_dice(described: Mapping[str, Any], fallen: Sequence[Noted], ask: Ask | None) -> Physical:
    """Dice made from their description. If they cannot be made again, the past results are used."""
    match described["source"]:
        case "seeded" if "seed" in described:
            return Seeded(described["seed"], described["number"])
        case "fair" if "secret" in described:
            return _fair(described)
        case "scripted" if "results" in described:
            past = len(described["results"])
            then = _read_dice(described["then"], fallen[past:], ask) if described["then"] else None
            return Scripted(described["results"], then, position(described["skip"]))
        case "hand" | "fair" | "seeded" | "scripted":
            return Recalled(fallen, ask or _no_answer)
    raise Invalid(f"{described['source']!r} is not a source of dice", given=described["source"])


class Recalled(Hand):
    """Dice thrown by hand, of which the first are known from the log; throws that were taken back are made again."""

    def __init__(self, fallen: Iterable[Noted], ask: Ask) -> None:
        super().__init__(ask)
        self._known = deque(fallen)

    def throw(self, throw: Throw) -> Fell:
        if not self._known:
            return super().throw(throw)
        when, result = self._known.popleft()
        thrown, faces = _parted(result)
        if thrown is not None and str(Throw.from_text(thrown)) != str(throw):
            raise Invalid(f"what was thrown {when} is written as {thrown}, and the rules ask for {throw}", given=thrown)
        return throw.check(faces)


def _fair(described: Mapping[str, Any]) -> Fair:
    dice = Fair(bytes.fromhex(described["secret"]))
    if dice.commitment != described["commitment"]:
        raise Invalid("the secret of the fair dice does not match what was published before the first roll")
    return dice


def _no_answer(throw: Throw) -> Sequence[int]:
    raise Illegal(f"{throw} must be thrown, and there is no player to ask for the dice")
