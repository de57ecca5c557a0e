"""The store: everything a world must not forget, in SQLite or PostgreSQL, durable before players are told."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import AsyncExitStack, nullcontext, suppress
from datetime import UTC, datetime
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, CursorResult, Row, Select, func, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from affray.errors import Invalid, Refused
from affray.world.store import migrations, tables
from affray.world.store.attributes import Attribute, read_value
from affray.world.store.database import Database, address, cannot_open, connect, reason, shown
from affray.world.store.lock import locked
from affray.world.store.statements import Change, Guard, Statement
from affray.world.store.tables import JSON_COLUMNS, Account, CombatRow, Place, fold

DEFAULT = "affray.db"
"""Where a world is kept when nothing else is said."""

# PostgreSQL's own classes of errors: data that cannot be, and data that breaks a rule between tables.
UNFIT = ("22", "23")
_UNENDED = tables.combats.c.phase != "ended"
# Otherwise each query of a transaction would see what others have committed before that query.
_ONE_MOMENT = text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")


class Clash(Invalid):
    """A change that does not fit what is stored: a name that is taken, a place that is not there."""


class Overtaken(Refused):
    """Another process has changed the same thing in between, so nothing was; what is stored is to be read anew."""


class Lost(Refused):
    """The database has failed, so the change was not kept. Where `Store.broken` is set, it will not come back."""


class Busy(Lost):
    """Another program writes to the database and does not stop, so no changes were even tried."""


Rows = Sequence[Row[Any]]


class _Waiting(NamedTuple):
    """What a caller wants to have written or read, and where the answer goes."""

    statements: Sequence[Statement]
    found: asyncio.Future[list[Rows]]


class Store:
    """The database of one world. It has one connection; callers who wait for it are served together."""

    def __init__(self, database: Database, letting_go: AsyncExitStack) -> None:
        """Used by `Store.open`."""
        self.url = shown(database.url)
        self._database = database
        self._letting_go = letting_go
        self._waiting: list[_Waiting] = []
        self._serving: asyncio.Task[None] | None = None
        self._closed = False
        self.broken = asyncio.Event()
        """Set when the connection is lost for good: another store must be opened."""

    # --- opening and closing ---------------------------------------------------------------------------------

    @classmethod
    async def open(
        cls, url: str = DEFAULT, *, exclusive: bool = True, shared: bool = False, create: bool = True
    ) -> Store:
        """The store at an address, its tables made or brought up to date.

        With `exclusive` no other process can open it so before this one has closed it or ended, unless both have it
        `shared`. Without `create` a file that is not there is refused. `async with await Store.open(url) as store:`
        also closes it.
        """
        where = address(url)
        try:
            async with AsyncExitStack() as letting_go:
                database = await connect(where, create)
                letting_go.push_async_callback(database.close)
                if shared:  # an upgrade takes a lock that is not shared, so it comes first
                    await _bring_up(database, False)
                if exclusive:
                    await letting_go.enter_async_context(locked(database, shared))
                await _bring_up(database, exclusive)
                await database.make_durable()
                return cls(database, letting_go.pop_all())
        except SQLAlchemyError as problem:
            raise cannot_open(where, problem) from None

    async def close(self) -> None:
        """Keep what is still waiting, and let go of the database."""
        if self._closed:
            return
        self._closed = True
        while self._serving is not None and not self._serving.done():
            await asyncio.wait([self._serving])
        with suppress(SQLAlchemyError, OSError):  # it may be gone already
            await self._letting_go.aclose()

    async def __aenter__(self) -> Store:
        return self

    async def __aexit__(self, *_problem: object) -> None:
        await self.close()

    # --- writing ---------------------------------------------------------------------------------------------

    async def commit(self, *changes: Change) -> None:
        """Make changes true: when this returns they are durable; when it raises none of them has happened.

        Only where the connection itself broke (`broken`) that is not known before the world is opened again. Calls that
        come while another commit is under way share the next one. Changes are made in the order of the calls. A caller
        that is cancelled no longer hears of its changes, but they are made.
        """
        await self._ask([s for change in changes for s in (change if isinstance(change, Sequence) else (change,))])

    async def _ask(self, statements: Sequence[Statement]) -> list[Rows]:
        """What statements have found, once they and all that shares their transaction are done."""
        if self._closed:
            raise Lost(f"the world {self.url} is closed", given=self.url)
        mine = _Waiting(statements, asyncio.get_running_loop().create_future())
        self._waiting.append(mine)
        if self._serving is None or self._serving.done():
            self._serving = asyncio.create_task(self._serve(), name="store")
        return await mine.found

    async def _serve(self) -> None:
        while self._waiting:
            together, self._waiting = self._waiting, []
            await self._serve_together(together)

    async def _serve_together(self, together: Sequence[_Waiting]) -> None:
        """Do what several callers want at once; if that fails, each alone, so that one does not fail the others."""
        try:
            found = iter(await self._transact([statement for one in together for statement in one.statements]))
        except Exception as problem:
            if len(together) == 1 or isinstance(problem, Busy):
                for one in together:
                    if not one.found.done():
                        one.found.set_exception(problem)
            else:
                for one in together:
                    await self._serve_together([one])
        else:
            for one in together:
                mine = list(islice(found, len(one.statements)))
                if not one.found.done():
                    one.found.set_result(mine)

    async def _transact(self, statements: Sequence[Statement]) -> list[Rows]:
        """Run statements in one transaction; what they found, if they ask for something."""
        # SQLAlchemy would connect anew by itself, and then another process could have locked the database in between.
        if self._database.is_lost:
            raise Lost(f"the connection to {self.url} is lost", given=self.url)
        begun = False

        def run(connection: Connection) -> list[Rows]:
            nonlocal begun
            begun = True
            done = [_execute(connection, statement) for statement in statements]
            return [result.all() if result.returns_rows else [] for result in done]

        try:
            return await self._database.transact(run)
        except UnicodeEncodeError as problem:
            raise Clash(f"this text cannot be stored: {reason(problem)}") from problem
        except DBAPIError as problem:
            state = getattr(problem.orig, "sqlstate", None) or ""
            if isinstance(problem, IntegrityError) or state.startswith(UNFIT):
                raise Clash(f"this does not fit what the world has stored: {reason(problem)}") from problem
            if self._database.is_lost:
                self.broken.set()
                broke = f"the connection to {self.url} broke, so this may not have been saved"
                raise Lost(f"{broke}: {reason(problem)}", given=self.url) from problem
            kind = Lost if begun else Busy
            raise kind(f"{self.url} has not saved this: {reason(problem)}", given=self.url) from problem

    # --- reading ---------------------------------------------------------------------------------------------

    async def account(self, name: str) -> Account | None:
        """The account of that name, in upper or lower case."""
        rows = await self._read(select(tables.accounts).where(tables.accounts.c.key == fold(name)))
        return _account(rows[0]) if rows else None

    async def accounts(self) -> list[Account]:
        """All accounts, by name."""
        return sorted(map(_account, await self._read(select(tables.accounts))), key=lambda account: account.key)

    async def places(self) -> dict[str, Place]:
        """All places with their exits, by key."""
        places, exits = await self._ask([select(tables.places), select(tables.exits)])
        leads: dict[str, dict[str, str]] = {row.key: {} for row in places}
        for place, direction, leads_to in sorted(map(tuple, exits)):
            if place in leads and leads_to in leads:  # another process may have made it between the two queries
                leads[place][direction] = leads_to
        return {row.key: Place(row.key, row.name, row.description, leads[row.key]) for row in places}

    async def attributes(self, account: str) -> dict[str, Attribute]:
        """The attributes of an account (its key), by folded name."""
        rows = await self._read(select(tables.attributes).where(tables.attributes.c.account == account))
        found = {row.key: Attribute(row.name, row.type, read_value(row.name, row.type, row.value)) for row in rows}
        return dict(sorted(found.items()))

    async def open_combats(self) -> list[CombatRow]:
        """The combats that have not ended, oldest first."""
        return await self._combats(select(tables.combats).where(_UNENDED).order_by(tables.combats.c.number))

    async def combat(self, number: int) -> CombatRow | None:
        """The combat of that number."""
        found = await self._combats(select(tables.combats).where(tables.combats.c.number == number))
        return found[0] if found else None

    async def combat_at(self, place: str) -> CombatRow | None:
        """The combat in a place that has not ended."""
        found = await self._combats(select(tables.combats).where(tables.combats.c.place == place, _UNENDED))
        return found[0] if found else None

    async def version_at(self, place: str) -> tuple[int, int] | None:
        """The number of the combat in a place that has not ended, and how often it has changed."""
        return (await self.versions(tables.combats.c.place == place)).get(place)

    async def versions(self, *where: ColumnElement[bool]) -> dict[str, tuple[int, int]]:
        """What `version_at` says of every place in which there is a combat."""
        columns = tables.combats.c
        rows = await self._read(select(columns.place, columns.number, columns.version).where(_UNENDED, *where))
        return {row.place: (row.number, row.version) for row in rows}

    async def ended_combats(self, most: int) -> list[CombatRow]:
        """The combats that have ended, the last ones first."""
        table = tables.combats
        last = select(table).where(table.c.phase == "ended").order_by(table.c.number.desc()).limit(most)
        return await self._combats(last)

    async def answers(self, number: int) -> list[dict[str, Any]]:
        """The log of a combat after its head, entry by entry."""
        table = tables.answers
        rows = await self._read(select(table.c.entry).where(table.c.combat == number).order_by(table.c.at))
        return [json.loads(row.entry) for row in rows]

    async def last_combat(self) -> int:
        """The highest number that a combat has been given so far; 0 at first."""
        rows = await self._read(select(func.max(tables.combats.c.number)))
        return rows[0][0] or 0

    async def everything(self) -> dict[str, list[dict[str, Any]]]:
        """Every row of every table, all of one moment."""
        known = tables.metadata.sorted_tables
        is_postgres = self._database.is_postgres
        found = await self._ask([*[_ONE_MOMENT] * is_postgres, *map(select, known)])
        found = found[is_postgres:]
        return {table.name: [row._asdict() for row in rows] for table, rows in zip(known, found, strict=True)}

    async def setting(self, key: str) -> str | None:
        """What was remembered about the world under that key."""
        rows = await self._read(select(tables.settings.c.value).where(tables.settings.c.key == key))
        return rows[0].value if rows else None

    async def _read(self, query: Select[Any]) -> Rows:
        return (await self._ask([query]))[0]

    async def _combats(self, query: Select[Any]) -> list[CombatRow]:
        return [
            CombatRow(**{name: json.loads(v) if v and name in JSON_COLUMNS else v for name, v in row._asdict().items()})
            for row in await self._read(query)
        ]


def _execute(connection: Connection, statement: Statement) -> CursorResult[Any]:
    if not isinstance(statement, Guard):
        return connection.execute(statement)
    result = connection.execute(statement.statement)
    if result.rowcount != 1:
        raise Overtaken(statement.problem)
    return result


async def _bring_up(database: Database, exclusive: bool) -> None:
    """Bring the tables up to date, which takes the lock on the world."""
    world = shown(database.url)
    if await database.transact(lambda connection: migrations.version_of(connection, world)) != migrations.NEWEST:
        async with nullcontext() if exclusive else locked(database):
            await database.transact(lambda connection: migrations.upgrade(connection, world))


def _account(row: Row[Any]) -> Account:
    seen = None if row.seen is None else datetime.fromtimestamp(row.seen, UTC)
    return Account(**row._asdict() | {"seen": seen})
