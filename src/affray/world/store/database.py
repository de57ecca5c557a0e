"""Connects to the database of a world: what its address means, and transactions that are on the disk."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from affray.errors import Invalid, MissingExtra, Refused
from affray.system.schema import cut
from affray.world.store.tables import to_json

if TYPE_CHECKING:
    import asyncpg

FORMS = ("affray.db", "sqlite:///affray.db", "postgresql://user@host/database")
PATIENCE = 10  # seconds to wait for a database that does not answer
SHUTTING_DOWN = "57P"  # the class of PostgreSQL's errors for a server that ends, fails or starts
T = TypeVar("T")


class Statement(NamedTuple):
    """An SQL statement, with a `?` for each of its values.

    With `guard` it must return a row; if it does not, its whole transaction is undone and `guard` is the problem.
    """

    sql: str
    values: tuple[object, ...] = ()
    guard: str = ""


class Append(NamedTuple):
    """New entries of a combat's log from `at` on, refused where another process has changed it since that version.

    Moves are most of what a world writes, so those of many combats are written together by two statements. The other
    columns say how the combat stands then.
    """

    combat: int
    version: int
    at: int
    entries: Sequence[Mapping[str, Any]]
    round: int = 0
    ending: str | None = None
    awaited: Sequence[int] = ()

    @property
    def rows(self) -> list[tuple[int, int, Mapping[str, Any]]]:
        """The rows of the table of answers, their entries not yet as JSON."""
        return [(self.combat, self.at + place, entry) for place, entry in enumerate(self.entries)]


Rows = Sequence[Any]
"""What a statement has returned: rows with their columns by name and by number."""


class Overtaken(Refused):
    """Another process has changed the same thing in between, so nothing was; what is stored is to be read anew."""


class Unfit(Exception):
    """The database refuses data that breaks a rule between tables, or that it cannot store."""


class Unavailable(Exception):
    """The database has failed: before the transaction had begun, or in it. `state` is the code of PostgreSQL."""

    def __init__(self, reason: str, *, begun: bool, state: str = "") -> None:
        super().__init__(reason)
        self.begun, self.state = begun, state


@dataclass(frozen=True)
class Address:
    """Where a world is stored: in a SQLite file, in memory (no file), or in PostgreSQL."""

    file: Path | None = None
    postgres: str = ""

    def __str__(self) -> str:
        """The address as people may see it, without its password."""
        if self.file is not None:
            return str(self.file)
        if not self.postgres:
            return "sqlite://"
        parts = urlsplit(self.postgres)
        if parts.password is None:
            return self.postgres
        account, _, place = parts.netloc.rpartition("@")
        return parts._replace(netloc=f"{account.partition(':')[0]}:***@{place}").geturl()


def address(url: str) -> Address:
    """What an address means: a bare path is a SQLite file."""
    if "://" not in url:
        if not url.strip():
            raise Invalid("the store has no name; give a file or an address such as " + FORMS[2], allowed=FORMS)
        return Address(Path(url).expanduser())
    scheme, _, rest = url.partition("://")
    match scheme.partition("+")[0]:
        case "sqlite" if rest[:1] in ("", "/"):
            return Address() if rest[1:] in ("", ":memory:") else Address(Path(rest[1:]))
        case "postgresql" | "postgres":
            with suppress(ValueError):
                _ = urlsplit(url).port  # it must be a number
                return Address(postgres=f"postgresql://{rest}")
    # What stands before the @ may be a password, so it is not repeated.
    known = cut(f"{scheme}://{rest.rpartition('@')[2]}")
    raise Invalid(f"{known!r} is not a store; it must be like {', '.join(FORMS)}", given=known, allowed=FORMS)


class Database(ABC):
    """One connection to the database of a world. Only one transaction may be under way."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.is_postgres = bool(address.postgres)

    @abstractmethod
    async def run(self, statements: Sequence[Statement], appends: Sequence[Append] = ()) -> list[Rows]:
        """Append to logs and run statements in one transaction; if one fails, none has happened.

        Returns the rows of each statement.
        """

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


async def connect(address: Address, create: bool = True) -> Database:
    """A connection to the database at an address; a driver that is not installed is named by its extra."""
    try:
        return await (_PostgreSQL.connect(address) if address.postgres else _SQLite.connect(address, create))
    except Refused:
        raise
    except Exception as problem:  # each driver has errors of its own for an unreachable server
        raise cannot_open(address, problem) from None


def only_reads(statements: Sequence[Statement], appends: Sequence[Append] = ()) -> bool:
    """Whether a transaction changes nothing."""
    return not appends and all(statement.sql.startswith("SELECT ") for statement in statements)


def _checked(statement: Statement, rows: Rows) -> Rows:
    if statement.guard and not rows:
        raise Overtaken(statement.guard)
    return rows


def _check_counted(appends: Sequence[Append], counted: int) -> None:
    if counted != len(appends):
        numbers = " or ".join(str(each.combat) for each in appends)
        raise Overtaken(f"combat {numbers} has changed in the meantime")


class _SQLite(Database):
    """SQLite in a thread of its own, to which a transaction goes as a whole."""

    _connection: sqlite3.Connection

    def __init__(self, address: Address) -> None:
        super().__init__(address)
        self._thread = ThreadPoolExecutor(1, "database")

    @classmethod
    async def connect(cls, address: Address, create: bool) -> _SQLite:
        if address.file is not None:
            _make_file(address.file, create)
        database = cls(address)
        try:
            await database._in_thread(database._connect)
        except BaseException:
            database._thread.shutdown()
            raise
        return database

    def _connect(self) -> None:
        # Python's SQLite would begin a transaction only at the first INSERT, so that tables could be made by halves.
        self._connection = sqlite3.connect(self.address.file or ":memory:", isolation_level=None)
        self._connection.row_factory = sqlite3.Row

    async def _in_thread(self, do: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, do)

    async def run(self, statements: Sequence[Statement], appends: Sequence[Append] = ()) -> list[Rows]:
        return await self._in_thread(lambda: self._transact(statements, appends))

    def _transact(self, statements: Sequence[Statement], appends: Sequence[Append]) -> list[Rows]:
        execute = self._connection.execute
        begun = False
        try:
            # As a writer at once: a reader that turns writer may be refused. One that only reads keeps no writer out.
            execute("BEGIN" if only_reads(statements, appends) else "BEGIN IMMEDIATE")
            begun = True
            self._append(appends)
            found = [_checked(each, execute(each.sql, each.values).fetchall()) for each in statements]
            execute("COMMIT")
        except sqlite3.IntegrityError as problem:
            raise Unfit(reason(problem)) from problem
        except sqlite3.Error as problem:
            raise Unavailable(reason(problem), begun=begun) from problem
        finally:
            if self._connection.in_transaction:
                execute("ROLLBACK")
        return found

    def _append(self, appends: Sequence[Append]) -> None:
        if not appends:
            return
        # Each in one step, in which SQLite itself takes the rows apart: after every step this thread would have to wait
        # for the one that serves the world.
        counting = """
            UPDATE combats SET
                version = combats.version + 1, round = known.round, ending = known.ending, awaited = known.awaited
            FROM (
                SELECT json_extract(value, '$[0]') AS number, json_extract(value, '$[1]') AS version,
                    json_extract(value, '$[2]') AS round, json_extract(value, '$[3]') AS ending,
                    json_extract(value, '$[4]') AS awaited
                FROM json_each(?)
            ) AS known
            WHERE combats.number = known.number AND combats.version = known.version"""
        known = [(each.combat, each.version, each.round, each.ending, each.awaited) for each in appends]
        _check_counted(appends, self._connection.execute(counting, (to_json(known),)).rowcount)
        adding = """
            INSERT INTO answers (combat, at, entry)
            SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]')
            FROM json_each(?)"""
        self._connection.execute(adding, (to_json([row for each in appends for row in each.rows]),))

    async def make_durable(self) -> None:
        # A browser keeps the file itself after every commit, so all of it must be in that one file.
        journal = "MEMORY" if sys.platform == "emscripten" else "WAL"

        def run() -> None:
            for pragma in (f"journal_mode = {journal}", "synchronous = FULL", "foreign_keys = ON"):
                self._connection.execute(f"PRAGMA {pragma}").fetchall()

        await self._in_thread(run)

    @property
    def is_lost(self) -> bool:
        return False

    async def close(self) -> None:
        await self._in_thread(self._connection.close)
        self._thread.shutdown()


class _PostgreSQL(Database):
    """PostgreSQL, which answers over the network, so no thread has to wait."""

    def __init__(self, address: Address, connection: asyncpg.Connection[Any]) -> None:
        super().__init__(address)
        self._connection = connection

    @classmethod
    async def connect(cls, address: Address) -> _PostgreSQL:
        try:
            import asyncpg
        except ImportError:
            raise MissingExtra("a world in PostgreSQL", "postgres") from None
        return cls(address, await asyncpg.connect(address.postgres, timeout=PATIENCE))

    async def run(self, statements: Sequence[Statement], appends: Sequence[Append] = ()) -> list[Rows]:
        from asyncpg import InterfaceError, InternalClientError, PostgresError

        begun = False
        try:
            async with self._connection.transaction():
                begun = True
                await self._append(appends)
                return [_checked(each, await self._fetch(each)) for each in statements]
        except (InterfaceError, PostgresError, OSError) as problem:
            state: str = getattr(problem, "sqlstate", None) or ""
            # Classes of errors: data that cannot be, and data that breaks a rule between tables.
            if state.startswith(("22", "23")) or isinstance(problem, ValueError):
                raise Unfit(reason(problem)) from problem
            if state.startswith(SHUTTING_DOWN):  # it ends the connection, too, but may not have done so yet
                self._connection.terminate()
            raise Unavailable(reason(problem), begun=begun, state=state) from problem
        except InternalClientError as problem:  # the server has ended the connection while nothing was asked
            self._connection.terminate()
            raise Unavailable(reason(problem), begun=begun) from problem

    async def _append(self, appends: Sequence[Append]) -> None:
        if not appends:
            return
        counting = """
            UPDATE combats SET
                version = combats.version + 1, round = known.round, ending = known.ending, awaited = known.awaited
            FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::text[], $5::text[])
                AS known (number, version, round, ending, awaited)
            WHERE combats.number = known.number AND combats.version = known.version RETURNING combats.number"""
        known = [(each.combat, each.version, each.round, each.ending, to_json(each.awaited)) for each in appends]
        _check_counted(appends, len(await self._connection.fetch(counting, *map(list, zip(*known, strict=True)))))
        if rows := [(combat, at, to_json(entry)) for each in appends for combat, at, entry in each.rows]:
            adding = """
                INSERT INTO answers (combat, at, entry)
                SELECT * FROM unnest($1::integer[], $2::integer[], $3::text[])"""
            await self._connection.execute(adding, *(list(column) for column in zip(*rows, strict=True)))

    async def _fetch(self, statement: Statement) -> Rows:
        numbers = count(1)
        sql = "".join(f"${next(numbers)}" if part == "?" else part for part in statement.sql)
        rows: Rows = await self._connection.fetch(sql, *statement.values)
        return rows

    async def make_durable(self) -> None:
        await self._connection.execute("SET SESSION synchronous_commit TO on")

    @property
    def is_lost(self) -> bool:
        return bool(self._connection.is_closed())

    async def close(self) -> None:
        await self._connection.close(timeout=PATIENCE)


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


def cannot_open(address: Address, problem: Exception) -> Invalid:
    """The error for a database that does not open."""
    return Invalid(f"the world {address} cannot be opened: {reason(problem)}", given=str(address))


def is_damage(problem: BaseException) -> bool:
    """Whether SQLite complains that a file is not, or no longer, what it has written."""
    if not isinstance(problem, sqlite3.Error):
        return False
    code: int = getattr(problem, "sqlite_errorcode", 0) & 0xFF  # above are bits that say more
    # Python itself complains about text that is none, and repeats it, secrets and all.
    return code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) or "Could not decode to UTF-8" in str(problem)


def reason(problem: BaseException) -> str:
    """What a driver complains about, in one line."""
    if isinstance(problem, TimeoutError):
        return f"it does not answer within {PATIENCE} seconds"
    if is_damage(problem):
        return "the file is damaged; please restore a backup"
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror
    said = " ".join(str(problem).split()) or type(problem).__name__
    return "".join(character if character.isprintable() else "?" for character in said)
