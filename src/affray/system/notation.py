"""Reads typed text by comparing it with what is possible: a beginning is enough if only one entry has it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from affray.errors import Illegal, listing, unknown
from affray.system.schema import cut

if TYPE_CHECKING:
    from affray.system.contract import Impossible


def folded(text: str) -> str:
    """A typed text in lowercase, with single spaces."""
    return " ".join(text.lower().split())


def beginning_with(said: str, known: Iterable[str]) -> list[str]:
    """The known texts that begin with a folded text, or only the one equal to it; none for an empty text."""
    begun = [words for words in known if said and words.lower().startswith(said)]
    return [words for words in begun if words.lower() == said] or begun


def meant(
    text: str, said: str, written: Sequence[str], closed: Callable[[], Iterable[Impossible]], what: str = "move"
) -> str:
    """The entry that a text means, which is folded to `said`; otherwise an error message.

    `closed` lists what is not open now, so that a player who types it is told why.
    """
    if not said:
        raise Illegal(f"no {what} was given", given=text, allowed=written)
    begun = beginning_with(said, written)
    if begun and begun[0].lower() == said:
        return begun[0]
    shut = {impossible.notation.lower(): impossible for impossible in closed()}
    if len(begun) == 1 and said not in shut:  # a fighter out of reach may be called like the beginning of another
        return begun[0]
    if len(begun) > 1 and said not in shut:
        raise Illegal(f"{cut(said)!r} may mean: {listing(begun)}", given=text, allowed=begun)
    for notation, impossible in shut.items():
        if f"{notation} ".startswith(f"{said} ") or said.startswith(f"{notation} "):
            raise Illegal(f"{impossible.notation}: {impossible.reason}", given=text, allowed=written)
    raise Illegal(unknown(what, cut(said), written) if written else "there is no decision to make now", given=text)


def by_prefix(text: str, written: Mapping[str, int], closed: Callable[[], Iterable[Impossible]]) -> int:
    """The code of the one move whose notation begins with a text; Illegal otherwise."""
    folded_moves = {notation.lower(): code for notation, code in written.items()}
    return folded_moves[meant(text, folded(text), list(folded_moves), closed)]
