"""Workers beside the one that answers the page: each has a Python of its own, for whatever takes a while."""

from __future__ import annotations

import pickle
from collections.abc import Awaitable, Callable
from typing import Any, Protocol, TypeVar

from affray.errors import Failed, Refused
from affray.world import process

T = TypeVar("T")
Report = Callable[[int, int], None]


class Pool(Protocol):
    """As many workers as the machine has cores."""

    size: int

    def run(self, work: Callable[..., T], *args: object, heard: Report | None = None) -> Awaitable[T]:
        """What a function finds in a worker; `heard` is called with how far it is. Cancelled, its worker ends."""


def packed(work: Callable[..., Any], args: tuple[object, ...]) -> bytes:
    """A call as a worker takes it."""
    return pickle.dumps((work, args))


def unpacked(answer: bytes) -> Any:
    """What a worker has found; what it has refused is raised here."""
    found = pickle.loads(answer)
    if isinstance(found, Refused):
        raise found
    return found


def carry_out(call: bytes, report: Report) -> bytes:
    """In a worker: do what a call says."""
    process.report_to(report)
    work, args = pickle.loads(call)
    try:
        found = work(*args)
    except Refused as refused:
        found = refused
    except Exception as mistake:
        found = Failed(f"this could not be worked out: {type(mistake).__name__}: {mistake}")
    return pickle.dumps(found)
