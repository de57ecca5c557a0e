"""What may be taken back in a fight: an option of every system, which prevents retrying until the dice are kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

from affray.errors import Illegal
from affray.system.schema import Option, Value, Word

Undo = Literal["free", "agreed", "off"]
NAME = "undo"
HELP = (
    "what may be taken back: any move (free), any move if every side with people agrees (agreed), "
    "or only a choice without consequences yet (off)"
)


def option(default: Undo) -> Option:
    """The option of a system, with this default."""
    return Option(NAME, Word(("free", "agreed", "off")), default, HELP, "")


TOLD: dict[Undo, str] = {
    "free": "Moves can be taken back.",
    "agreed": "Moves can be taken back if every side agrees.",
    "off": "Nothing can be taken back.",
}
"""The setting in words, for players."""


def of(options: Mapping[str, Value]) -> Undo:
    """What may be taken back in a fight."""
    return cast(Undo, options[NAME])


def check(options: Mapping[str, Value], *, agreed: bool, words: bool = False) -> None:
    """Refuse to take back an answer that had consequences, if the fight does not allow it.

    Where nothing may be taken back, `words` of a storyteller that nothing has followed still are: who may overrule the
    fight may overrule that as well.
    """
    match of(options):
        case "off" if not words:
            raise Illegal("in this fight (undo=off) nothing that had consequences can be taken back", given="off")
        case "agreed" if not agreed:
            raise Illegal("a move can be taken back only if every side agrees (undo=agreed)", given="agreed")


def throws_anew(options: Mapping[str, Value]) -> bool:
    """Whether play after an undo uses new dice; otherwise the same results come again."""
    return of(options) == "agreed"
