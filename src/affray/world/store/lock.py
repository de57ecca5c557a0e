"""The lock on a world: one process at a time may have it, and a process that was killed leaves none behind."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from affray.errors import Invalid
from affray.world.store.database import Database, Statement, Unavailable

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Taken(Invalid):
    """Another process has the world."""


# A number of our own beside the schema's, so that worlds in different schemas of a database do not meet.
_KEY = "1634103922, hashtext(current_schema())"
LOCK_NOT_AVAILABLE = "55P03"


@asynccontextmanager
async def locked(database: Database, shared: bool = False) -> AsyncIterator[None]:
    """Hold the lock on a world; refused while another process has it.

    Processes that have it `shared` keep out only those that do not.
    """
    if database.is_postgres:
        kind = "_shared" if shared else ""
        await _lock_database(database, kind)
        yield
        if not database.is_lost:  # otherwise the lock went with the connection
            await database.run([Statement(f"SELECT pg_advisory_unlock{kind}({_KEY})")])
    elif shared:
        raise Invalid("only a world in PostgreSQL can be open in several processes", allowed=["postgresql://..."])
    elif database.address.file is not None:
        beside = _locked_beside(database.address.file)
        try:
            yield
        finally:
            os.close(beside)
    else:
        yield  # no other process can reach what is in our memory


async def _lock_database(database: Database, kind: str) -> None:
    """Lock a PostgreSQL database, for as long as the connection lasts.

    A process that was killed a moment ago may still hold it for another, so this waits a little.
    """
    waiting = Statement("SET LOCAL lock_timeout = '2s'")
    try:
        await database.run([waiting, Statement(f"SELECT pg_advisory_lock{kind}({_KEY})")])
    except Unavailable as problem:
        if problem.state != LOCK_NOT_AVAILABLE:
            raise
        raise _taken(str(database.address)) from None


def _locked_beside(database: Path) -> int:
    """Lock a file beside a database file; the system lifts the lock when the process ends.

    It stands beside the file itself, so that two names of one database meet. It stays there when the lock is lifted:
    a process that removed it could remove one that another has just locked.
    """
    real = database.resolve()
    beside = real.with_name(real.name + ".lock")
    try:
        file = os.open(beside, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise Invalid(f"{beside} cannot be written: {error.strerror}", given=str(database)) from None
    try:
        _lock(file)
    except OSError:
        holder = _holder(file)
        os.close(file)
        raise _taken(str(database), holder) from None
    with suppress(OSError):
        os.ftruncate(file, 0)
        os.write(file, f"\n{os.getpid()}\n".encode())  # not the first byte: Windows locks that against reading
    return file


def _holder(file: int) -> str:
    with suppress(OSError):
        os.lseek(file, 1, os.SEEK_SET)
        number = os.read(file, 20).decode(errors="replace").strip()
        return f" (process {number})" if number.isdecimal() else ""
    return ""


def _taken(world: str, holder: str = "") -> Taken:
    problem = f"the world {world} is open in another process{holder}; only one process can open it at a time"
    return Taken(problem, given=world)
