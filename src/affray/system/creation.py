"""Making a fighter by answering questions: what a system asks, and how the answers are read."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from textwrap import shorten
from typing import Any, Generic, Protocol, TypeVar

from affray.errors import Invalid, Refused
from affray.kernel.chance import Dice
from affray.system.schema import Field, Word
from affray.system.sheets import Sheet, Sheets, asked_for, described, schema
from affray.system.specs import typed

T = TypeVar("T")
SheetT = TypeVar("SheetT")
NONE = "none"
"""What a player types for a value that is to be empty."""


@dataclass(frozen=True)
class Question:
    """A question with a usual answer, which an empty answer stands for."""

    asks: str
    usual: str
    words: Sequence[str] = ()
    """The words that an answer may be made of, for completion and lists."""
    shows: Sequence[str] = ()
    """What a player should see before answering."""
    explains: Sequence[str] = ()
    """What the words mean, for a player who asks."""
    problem: str = ""
    """Why the last answer was refused, when the question is asked again."""


Interview = Generator[Question, str, T]
"""Yields questions, takes answers, and returns their result."""


def asked(question: Question, read: Callable[[str], T]) -> Interview[T]:
    """Ask until the answer can be read; after a refused answer the question is asked again, with the reason."""
    while True:
        answer = yield question
        try:
            return read(answer.strip() or question.usual)
        except Refused as refused:
            question = replace(question, problem=str(refused))


def unasked(interview: Interview[T]) -> T:
    """The result of an interview in which every question gets its usual answer."""
    try:
        question = next(interview)
        while not question.problem:
            question = interview.send("")
    except StopIteration as ended:
        made: T = ended.value
        return made
    raise Invalid(question.problem, given=question.usual)


class Ask(Protocol):
    """How a system asks about a fighter of that name; `announce` is told what each throw is for, before it is made."""

    def __call__(self, name: str, dice: Dice, announce: Callable[[str], None], /) -> Interview[dict[str, object]]: ...


@dataclass(frozen=True)
class Creation(Generic[SheetT]):
    """How a player makes a fighter."""

    what: str
    """The word for such a fighter: investigator."""
    file: str
    """The file for new fighters, unless another is named."""
    name: Callable[[Dice], str]
    """A name for a fighter who has none yet."""
    interview: Ask
    """The questions, and at the end the table of a sheet."""
    comments: Callable[[SheetT], Mapping[str, str]]
    """The comments beside the keys of the sheet in a file."""


# Derived from a sheet


def creation_of(sheets: Sheets[Any]) -> Creation[Any]:
    """Questions for a sheet as it is declared, value by value, starting from a fighter that comes with the system."""

    def interview(name: str, dice: Dice, announce: Callable[[str], None]) -> Interview[dict[str, object]]:
        known = tuple(sheets.fighters())
        first = Question("fighter to start from", known[0], known)
        base = yield from asked(first, lambda id: sheets.enlist({"base": id, "name": name}))
        table, problem = base.as_table(), ""
        while True:
            for key, question, read in questions(sheets.sheet, table):
                table[key] = yield from asked(replace(question, problem=problem), read)
                problem = ""
            given = {key: value for key, value in table.items() if value or isinstance(value, int)}
            try:
                made = sheets.enlist(given).as_table()
            except Invalid as refused:  # values that do not fit together: the questions come again
                problem = str(refused)
            else:
                return {key: value for key, value in made.items() if key != "id"}

    def comments(sheet: Sheet) -> dict[str, str]:
        table = sheet.as_table()
        return {key: says for key, _, _, says in described(sheets.sheet) if says and key in table and key != "id"}

    return Creation("fighter", "fighters.toml", lambda dice: "Newcomer", interview, comments)


def questions(
    sheet: type[Sheet], table: Mapping[str, object]
) -> Iterator[tuple[str, Question, Callable[[str], object]]]:
    """A question for every value on a sheet, with the value in a table as its usual answer."""
    fields, wanted = schema(sheet), asked_for(sheet)
    for key, allows, default, says in described(sheet):
        if key in wanted:
            asks = f"{key}, {says} ({shorten(allows, 60)})" if says else f"{key} ({shorten(allows, 60)})"
            field = fields[key]
            words = field.allowed if isinstance(field, Word) else ()
            yield (
                key,
                Question(asks, typed(table.get(key, default)) or NONE, words),
                partial(_taken, key, field, default),
            )


def _taken(key: str, field: Field, default: object, text: str) -> object:
    """The value that an answer means; a value whose default is empty can be emptied again."""
    if text.lower() == NONE and not default and not isinstance(default, int):
        return default
    value = field.read(text)
    field.take(value, key)  # refuses what does not fit; a sheet keeps some values in another form than a table
    return value
