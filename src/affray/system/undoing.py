"""What may be taken back in a fight: an option of every system, so that no one tries moves until the dice are kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, cast

from affray.errors import Illegal
from affray.system.schema import Option, Value, Word

Undo = Literal["free", "agreed", "off"]
NAME = "undo"
HELP = (
    "what may be taken back: any move (free), what every side with people in it agrees to (agreed), "
    "or only a choice that nothing has followed from (off)"
)


def option(default: Undo) -> Option:
    """The option of a system whose fights are taken back so unless they say otherwise."""
    return Option(NAME, Word(("free", "agreed", "off")), default, HELP, "")


TOLD: dict[Undo, str] = {
    "free": "Moves can be taken back.",
    "agreed": "A move is taken back only where every side agrees.",
    "off": "Nothing can be taken back.",
}
"""What players are told of the setting."""


def of(options: Mapping[str, Value]) -> Undo:
    """What may be taken back in a fight."""
    return cast(Undo, options[NAME])


def check(options: Mapping[str, Value], *, agreed: bool) -> None:
    """Refuse to take back what something has followed from, where the fight does not allow it."""
    match of(options):
        case "off":
            raise Illegal("nothing can be taken back in this fight (undo=off) once something has followed", given="off")
        case "agreed" if not agreed:
            raise Illegal("a move is taken back only where every side agrees (undo=agreed)", given="agreed")


def throws_anew(options: Mapping[str, Value]) -> bool:
    """Whether what follows draws on dice that no one has seen: otherwise the same ones fall again."""
    return of(options) == "agreed"
