"""The family of errors: a message for the user, and its parts for a program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Refused(Exception):
    """A request that cannot be carried out; nothing has changed.

    `problem` says what was wrong, `given` is the value given, `allowed` is what would have been accepted.
    """

    def __init__(self, problem: str, *, given: object = None, allowed: Sequence[str] = ()) -> None:
        self.problem = problem
        self.given = given
        self.allowed = tuple(allowed)
        super().__init__(problem)


class Illegal(Refused):
    """A move or answer that the fight does not allow now."""


class Forbidden(Illegal):
    """A request that others may make, but not the caller."""


class Invalid(Refused):
    """Data that does not fit: a sheet, an option, a team, a save file."""


class Failed(Refused):
    """Something that broke off though it was asked for rightly, such as compiled rules that ran out of memory."""


class MissingExtra(Refused):
    """A feature whose optional packages are not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(
            f"{feature} needs the optional part {extra!r}: install it with  pip install 'affray[{extra}]'",
            given=feature,
            allowed=(extra,),
        )


def listing(names: Iterable[str], most: int = 12) -> str:
    """The names as a readable list, shortened if it would fill the screen."""
    shown = list(names)
    rest = len(shown) - most
    return ", ".join(shown[:most]) + (f" and {rest} more" if rest > 0 else "")


def unknown(what: str, given: str, names: Iterable[str]) -> str:
    """The error message for an unknown name: the nearest ones first, otherwise all of them."""
    known = list(names)
    if not known:
        return f"there is no {what} {given[:60]!r}"
    import difflib  # only a mistyped name needs it

    given = given if len(given) <= 60 else given[:57] + "..."
    near = difflib.get_close_matches(given.lower(), known, n=3, cutoff=0.6)
    if near:
        return f"there is no {what} {given!r}; did you mean {' or '.join(near)}?"
    return f"there is no {what} {given!r}; there are: {listing(known)}"
