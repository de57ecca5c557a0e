"""Connects to the database of a world: what its address means, and commits that are on the disk."""

from __future__ import annotations

import asyncio
import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import URL, Connection, NullPool, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from affray.errors import Invalid, MissingExtra, Refused
from affray.system.schema import cut

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

FORMS = ("affray.db", "sqlite:///affray.db", "postgresql://user@host/database")
PATIENCE = 10  # seconds to wait for a database that does not answer
T = TypeVar("T")


def address(url: str) -> URL:
    """What an address means: a bare path is a SQLite file."""
    if "://" not in url:
        if not url.strip():
            raise Invalid("the store has no name; give a file or an address such as " + FORMS[2], allowed=FORMS)
        return URL.create("sqlite", database=str(Path(url).expanduser()))
    try:
        read = make_url(url)
    except (ArgumentError, ValueError):
        raise _unreadable(url) from None
    match read.get_backend_name():
        case "sqlite":
            return read.set(drivername="sqlite")
        case "postgresql" | "postgres":
            # The driver has another word for what every other tool of PostgreSQL calls so.
            query = {"ssl" if name == "sslmode" else name: value for name, value in read.query.items()}
            return read.set(drivername="postgresql+asyncpg", query=query)
    raise _unreadable(url)


def _unreadable(url: str) -> Invalid:
    # What stands before the @ may be a password, so it is not repeated.
    shown = cut(url.split("://")[0] + "://" + url.split("://")[1].rpartition("@")[2])
    return Invalid(f"{shown!r} is not a store; it must be like {', '.join(FORMS)}", given=shown, allowed=FORMS)


def file_of(url: URL) -> Path | None:
    """The file of a SQLite database; None for one in memory, and for PostgreSQL."""
    is_file = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    return Path(str(url.database)) if is_file else None


def shown(url: URL) -> str:
    """The address as people may see it, without its password."""
    file = file_of(url)
    return str(file) if file else url.set(drivername=url.get_backend_name()).render_as_string(hide_password=True)


class Database(ABC):
    """One connection to the database of a world. Only one transaction may be under way."""

    def __init__(self, url: URL) -> None:
        self.url = url
        self.is_postgres = url.get_backend_name() == "postgresql"

    @abstractmethod
    async def transact(self, do: Callable[[Connection], T]) -> T:
        """What a function returns that runs inside a transaction; where it raises, nothing has happened."""

    @abstractmethod
    async def make_durable(self) -> None:
        """Have every commit on the disk before it returns, whatever the database was set to."""

    @property
    @abstractmethod
    def is_lost(self) -> bool:
        """Whether the connection has broken."""

    @abstractmethod
    async def close(self) -> None:
        """End the connection."""


async def connect(url: URL, create: bool = True) -> Database:
    """A connection to the database at an address; a driver that is not installed is named by its extra."""
    try:
        return await (_SQLite.connect(url, create) if url.get_backend_name() == "sqlite" else _PostgreSQL.connect(url))
    except Refused:
        raise
    except Exception as problem:  # each driver has errors of its own for an unreachable server
        raise cannot_open(url, problem) from None


class _SQLite(Database):
    """SQLite in a thread of its own, to which a transaction goes as a whole."""

    _connection: Connection

    def __init__(self, url: URL) -> None:
        super().__init__(url)
        self._thread = ThreadPoolExecutor(1, "database")

    @classmethod
    async def connect(cls, url: URL, create: bool) -> _SQLite:
        file = file_of(url)
        if file is not None:
            _make_file(file, create)
        database = cls(url)
        try:
            await database._in_thread(database._connect)
        except BaseException:
            database._thread.shutdown()
            raise
        return database

    def _connect(self) -> None:
        engine = create_engine(self.url, poolclass=NullPool)
        # Python's SQLite begins a transaction only at the first INSERT, so that tables could be made by halves; here it
        # begins where SQLAlchemy says so, and as a writer at once, because a reader that turns writer may be refused.
        event.listen(engine, "connect", lambda raw, record: setattr(raw, "isolation_level", None))
        event.listen(engine, "begin", lambda begun: begun.exec_driver_sql("BEGIN IMMEDIATE"))
        self._connection = engine.connect()

    async def _in_thread(self, do: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, do)

    async def transact(self, do: Callable[[Connection], T]) -> T:
        def run() -> T:
            with self._connection.begin():
                return do(self._connection)

        return await self._in_thread(run)

    async def make_durable(self) -> None:
        def run() -> None:
            raw = self._connection.connection.driver_connection
            assert raw is not None
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
                raw.execute(f"PRAGMA {pragma}").fetchall()

        await self._in_thread(run)

    @property
    def is_lost(self) -> bool:
        return self._connection.invalidated

    async def close(self) -> None:
        await self._in_thread(self._connection.close)
        self._thread.shutdown()


class _PostgreSQL(Database):
    """PostgreSQL, which answers over the network, so no thread has to wait."""

    def __init__(self, url: URL, connection: AsyncConnection) -> None:
        super().__init__(url)
        self._connection = connection

    @classmethod
    async def connect(cls, url: URL) -> _PostgreSQL:
        try:
            from sqlalchemy.ext.asyncio import create_async_engine

            engine = create_async_engine(url, poolclass=NullPool, connect_args={"timeout": PATIENCE})
        except ImportError:
            raise MissingExtra("a world in PostgreSQL", "postgres") from None
        return cls(url, await engine.connect())

    async def transact(self, do: Callable[[Connection], T]) -> T:
        async with self._connection.begin():
            return await self._connection.run_sync(do)

    async def make_durable(self) -> None:
        await self.transact(lambda connection: connection.execute(text("SET SESSION synchronous_commit TO on")))

    @property
    def is_lost(self) -> bool:
        return self._connection.invalidated

    async def close(self) -> None:
        await self._connection.close()


def _make_file(file: Path, create: bool) -> None:
    """See to it that the file is there: for its owner alone, because the secrets of the dice will be in it."""
    if file.is_dir():
        raise Invalid(f"{file} is a folder; a world is kept in a file", given=str(file))
    if not create and not file.exists():
        raise Invalid(f"there is no world {file}", given=str(file))
    if not file.parent.is_dir():
        raise Invalid(f"{file} cannot be created: there is no folder {file.parent}", given=str(file))
    if not file.exists():  # and only then: closing a file lifts the locks that SQLite has on it in this process
        try:
            os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise Invalid(f"{file} cannot be written: {error.strerror}", given=str(file)) from None


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
