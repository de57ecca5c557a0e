"""Connects to the database of a world: what its address means, and commits that are on the disk."""

from __future__ import annotations

import os
from pathlib import Path

from sqlalchemy import URL, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from affray.errors import Invalid, MissingExtra, Refused
from affray.system.schema import cut

FORMS = ("affray.db", "sqlite:///affray.db", "postgresql://user@host/database")
PATIENCE = 10  # seconds to wait for a database that does not answer


def address(url: str) -> URL:
    """What an address means: a bare path is a SQLite file."""
    if "://" not in url:
        if not url.strip():
            raise Invalid("the store has no name; it is a file or an address such as " + FORMS[2], allowed=FORMS)
        return URL.create("sqlite+aiosqlite", database=str(Path(url).expanduser()))
    try:
        read = make_url(url)
    except (ArgumentError, ValueError):
        raise _unreadable(url) from None
    match read.get_backend_name():
        case "sqlite":
            return read.set(drivername="sqlite+aiosqlite")
        case "postgresql" | "postgres":
            # The driver has another word for what every other tool of PostgreSQL calls so.
            query = {"ssl" if name == "sslmode" else name: value for name, value in read.query.items()}
            return read.set(drivername="postgresql+asyncpg", query=query)
    raise _unreadable(url)


def _unreadable(url: str) -> Invalid:
    # What stands before the @ may be a password, so it is not repeated.
    shown = cut(url.split("://")[0] + "://" + url.split("://")[1].rpartition("@")[2])
    return Invalid(f"{shown!r} is no store; it must be like {', '.join(FORMS)}", given=shown, allowed=FORMS)


def file_of(url: URL) -> Path | None:
    """The file of a SQLite database; None for one in memory, and for PostgreSQL."""
    is_file = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    return Path(str(url.database)) if is_file else None


def shown(url: URL) -> str:
    """The address as people may see it, without its password."""
    file = file_of(url)
    return str(file) if file else url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)


def make_engine(url: URL, create: bool = True) -> AsyncEngine:
    """The engine for an address; a driver that is not installed is named by its extra."""
    file = file_of(url)
    if file is not None:
        _make_file(file, create)
    is_sqlite = url.get_backend_name() == "sqlite"
    try:
        engine = create_async_engine(url, connect_args={} if is_sqlite else {"timeout": PATIENCE})
    except ImportError:
        extra = ("a world", "server") if is_sqlite else ("a world in PostgreSQL", "postgres")
        raise MissingExtra(*extra) from None
    if is_sqlite:
        # Python's SQLite begins a transaction only at the first INSERT, so that tables could be made by halves; here it
        # begins where SQLAlchemy says so, and as a writer at once, because a reader that turns writer may be refused.
        event.listen(engine.sync_engine, "connect", lambda raw, record: setattr(raw, "isolation_level", None))
        event.listen(engine.sync_engine, "begin", lambda begun: begun.exec_driver_sql("BEGIN IMMEDIATE"))
    return engine


def _make_file(file: Path, create: bool) -> None:
    """See to it that the file is there: for its owner alone, because the secrets of the dice will be in it."""
    if file.is_dir():
        raise Invalid(f"{file} is a folder; a world is kept in a file", given=str(file))
    if not create and not file.exists():
        raise Invalid(f"there is no world {file}", given=str(file))
    if not file.parent.is_dir():
        raise Invalid(f"{file} cannot be made: there is no folder {file.parent}", given=str(file))
    if not file.exists():  # and only then: closing a file lifts the locks that SQLite has on it in this process
        try:
            os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise Invalid(f"{file} cannot be written: {error.strerror}", given=str(file)) from None


async def connect(engine: AsyncEngine) -> AsyncConnection:
    """A connection, or an error message that says why there is none."""
    try:
        return await engine.connect()
    except Refused:
        raise
    except Exception as problem:  # each driver has errors of its own for an unreachable server
        raise cannot_open(engine.url, problem) from None


async def make_durable(connection: AsyncConnection) -> None:
    """Have every commit on the disk before it returns, whatever the database was set to."""
    if connection.dialect.name == "sqlite":
        raw = await connection.get_raw_connection()
        assert raw.driver_connection is not None
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            await raw.driver_connection.execute_fetchall(f"PRAGMA {pragma}")
    else:
        async with connection.begin():
            await connection.execute(text("SET SESSION synchronous_commit TO on"))


def cannot_open(url: URL, problem: Exception) -> Invalid:
    """The error for a database that does not open."""
    return Invalid(f"the world {shown(url)} cannot be opened: {reason(problem)}", given=shown(url))


def reason(problem: BaseException) -> str:
    """What a driver complains about, in one line and without the statement."""
    if isinstance(problem, DBAPIError) and problem.orig is not None:
        problem = problem.orig.__cause__ or problem.orig
    if isinstance(problem, SQLAlchemyError):
        return str(problem).splitlines()[0]
    if isinstance(problem, TimeoutError):
        return f"it does not answer within {PATIENCE} seconds"
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror
    said = " ".join(str(problem).split()) or type(problem).__name__
    return "".join(character if character.isprintable() else "?" for character in said)
