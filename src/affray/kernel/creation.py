"""Making a fighter by answering questions: what a system asks, and how the answers are taken."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from affray.errors import Invalid, Refused
from affray.kernel.chance import Dice

T = TypeVar("T")
SheetT = TypeVar("SheetT")


@dataclass(frozen=True)
class Question:
    """One question, with an answer ready: an empty answer is the usual one."""

    asks: str
    usual: str
    words: Sequence[str] = ()
    """What an answer may be made of, to be completed and to be listed."""
    shows: Sequence[str] = ()
    """What whoever answers should see before."""
    explains: Sequence[str] = ()
    """What the words mean, for whoever wants to know."""
    problem: str = ""
    """Why the last answer would not do, when the question comes again."""


Interview = Generator[Question, str, T]
"""Yields questions, takes answers, and returns what came of them."""


def asked(question: Question, read: Callable[[str], T]) -> Interview[T]:
    """Ask until the answer can be read; one that is refused brings the question again, with the reason."""
    while True:
        answer = yield question
        try:
            return read(answer.strip() or question.usual)
        except Refused as refused:
            question = replace(question, problem=str(refused))


def unasked(interview: Interview[T]) -> T:
    """What comes of an interview when every question gets its usual answer."""
    try:
        question = next(interview)
        while not question.problem:
            question = interview.send("")
    except StopIteration as ended:
        made: T = ended.value
        return made
    raise Invalid(question.problem, given=question.usual)


class Ask(Protocol):
    """How a system asks about a fighter of that name; `announce` is told what each throw is for, before it falls."""

    def __call__(self, name: str, dice: Dice, announce: Callable[[str], None], /) -> Interview[dict[str, object]]: ...


@dataclass(frozen=True)
class Creation(Generic[SheetT]):
    """How somebody makes a fighter of their own."""

    what: str
    """What such a fighter is called: investigator."""
    file: str
    """Where they are kept unless another file is named."""
    name: Callable[[Dice], str]
    """A name for whoever has none yet."""
    interview: Ask
    """The questions, and at the end the table of a sheet."""
    comments: Callable[[SheetT], Mapping[str, str]]
    """What stands beside the keys of the sheet in a file."""
