"""Reading moves that are written out in full: the start of one is enough where only one begins so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from affray.errors import Illegal, listing, unknown
from affray.kernel.system import Impossible
from affray.schema import cut


def folded(text: str) -> str:
    """A typed move in small letters, with single spaces."""
    return " ".join(text.lower().split())


def move_meant(text: str, written: Mapping[str, int], closed: Callable[[], Iterable[Impossible]]) -> int:
    """The move that a text means, of those that are written out here; otherwise a sentence.

    `closed` lists what is not open now, so that whoever types it hears why.
    """
    said = folded(text)
    if said in written:
        return written[said]
    if not said:
        raise Illegal("no move was given", given=text, allowed=list(written))
    begun = [notation for notation in written if notation.startswith(said)]
    if len(begun) == 1:
        return written[begun[0]]
    if len(begun) > 1:
        raise Illegal(f"{cut(said)!r} may mean: {listing(begun)}", given=text, allowed=begun)
    for shut in closed():
        notation = shut.notation.lower()
        if f"{notation} ".startswith(f"{said} ") or said.startswith(f"{notation} "):
            raise Illegal(f"{shut.notation}: {shut.reason}", given=text, allowed=list(written))
    raise Illegal(unknown("move", cut(said), written) if written else "no decision is due now", given=text)
