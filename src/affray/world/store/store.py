"""The store: everything a world must not forget, in SQLite or PostgreSQL, durable before players are told."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, nullcontext, suppress
from datetime import UTC, datetime
from itertools import islice
from typing import Any, NamedTuple

from affray.errors import Invalid, Refused
from affray.world.store import damage, migrations
from affray.world.store.attributes import Attribute, read_value
from affray.world.store.database import (
    Address,
    Append,
    Database,
    Rows,
    Statement,
    Unavailable,
    Unfit,
    address,
    cannot_open,
    connect,
    only_reads,
    reason,
)
from affray.world.store.lock import Taken, locked
from affray.world.store.statements import Change
from affray.world.store.tables import (
    JSON_COLUMNS,
    TABLES,
    Account,
    CombatRow,
    Duel,
    Listing,
    Place,
    Result,
    Subscription,
    fold,
)

log = logging.getLogger(__name__)
DEFAULT = "affray.db"
"""Where a world is kept when nothing else is said."""

DOWN = "the database does not answer, so nothing can be saved or shown now; please try again in a moment"
"""What players are told; the log says more."""

AT_ONCE = 500
"""How many values one query is asked for."""

LONG_LOG = 200
"""Moves that take long enough to run for others to notice if they had to wait."""

# Otherwise each query of a transaction would see what others have committed before that query.
_ONE_MOMENT = Statement("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")


class Clash(Invalid):
    """A change that does not fit what is stored: a name that is taken, a place that is not there."""


class Lost(Refused):
    """The database has failed, so the change was not kept; later ones may be, unless `Store.broken` is set."""


class Busy(Lost):
    """Another program writes to the database and does not stop, so no changes were even tried."""


class _Waiting(NamedTuple):
    """What a caller wants to have written or read, and where the answer goes."""

    statements: Sequence[Statement]
    appends: Sequence[Append]
    found: asyncio.Future[list[Rows]]


class _Opening(NamedTuple):
    """How a store is opened, and opened again when its connection has broken."""

    where: Address
    exclusive: bool
    shared: bool


class Store:
    """The database of one world. It has one connection; callers who wait for it are served together."""

    def __init__(self, opening: _Opening, database: Database, letting_go: AsyncExitStack) -> None:
        """Used by `Store.open`."""
        self.url = str(database.address)
        self._opening = opening
        self._database = database
        self._letting_go = letting_go
        self._waiting: list[_Waiting] = []
        self._serving: asyncio.Task[None] | None = None
        self._closed = False
        self._is_down = False
        self.broken = asyncio.Event()
        """Set when another process has opened the world while the connection was lost: this one must not go on."""
        self.committed: Callable[[], Awaitable[None]] | None = None
        """Awaited after every change, before it counts as made: where the database's own file is not yet a disk."""

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
        opening = _Opening(address(url), exclusive, shared)
        return cls(opening, *await _opened(opening, create))

    async def close(self) -> None:
        """Keep what is still waiting, and let go of the database."""
        if self._closed:
            return
        self._closed = True
        while self._serving is not None and not self._serving.done():
            await asyncio.wait([self._serving])
        with suppress(Unfit, Unavailable, OSError):  # it may be gone already
            await self._letting_go.aclose()

    async def __aenter__(self) -> Store:
        return self

    async def __aexit__(self, *_problem: object) -> None:
        await self.close()

    # --- writing ---------------------------------------------------------------------------------------------

    async def commit(self, *changes: Change) -> None:
        """Make changes true: when this returns they are durable; when it raises none of them has happened.

        Only where the connection broke meanwhile that is not known before the world is read again; the error says so.
        Calls that come while another commit is under way share the next one. Changes are made in the order of the
        calls. A caller that is cancelled no longer hears of its changes, but they are made.
        """
        appends = [change for change in changes if isinstance(change, Append)]
        rest = [change for change in changes if not isinstance(change, Append)]
        await self._ask([s for one in rest for s in ([one] if isinstance(one, Statement) else one)], appends)
        if self.committed is not None:
            await self.committed()

    async def _ask(self, statements: Sequence[Statement], appends: Sequence[Append] = ()) -> list[Rows]:
        """What statements have found, once they and all that shares their transaction are done."""
        if self._closed:
            raise Lost(f"the world {self.url} is closed", given=self.url)
        mine = _Waiting(statements, appends, asyncio.get_running_loop().create_future())
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
            statements = [statement for one in together for statement in one.statements]
            appends = [append for one in together for append in one.appends]
            found = iter(await self._transact(statements, appends))
        except Exception as problem:
            # Over a broken connection changes may have been made, and must not be made again.
            if len(together) == 1 or isinstance(problem, Busy) or self._database.is_lost:
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

    async def _transact(self, statements: Sequence[Statement], appends: Sequence[Append]) -> list[Rows]:
        """Run statements in one transaction; what they found, if they ask for something."""
        try:
            return await self._run(statements, appends)
        except UnicodeEncodeError as problem:
            raise Clash(f"this text cannot be stored: {reason(problem)}") from problem
        except Unfit as problem:
            raise Clash(f"this does not fit what the world has stored: {problem}") from problem
        except Unavailable as problem:
            if self._database.is_lost:
                hint = "this may not have been saved; please look, and try again"
                raise Lost(f"the connection to {self.url} is lost, so {hint}", given=self.url) from problem
            kind = Lost if problem.begun else Busy
            failed = "cannot be read" if only_reads(statements, appends) else "has not saved this"
            raise kind(f"{self.url} {failed}: {problem}", given=self.url) from problem

    async def _run(self, statements: Sequence[Statement], appends: Sequence[Append]) -> list[Rows]:
        """Run statements over a connection that stands; one that turns out broken before it has begun is made anew."""
        if not self._database.is_lost:
            try:
                return await self._database.run(statements, appends)
            except Unavailable as problem:
                if problem.begun or not self._database.is_lost:
                    raise
        await self._connect_again()
        return await self._database.run(statements, appends)

    async def _connect_again(self) -> None:
        """Replace a broken connection. With it went the lock, so another process may have the world by now.

        One that had it meanwhile and is gone does no harm: combats count their changes, and are read again.
        """
        try:
            database, letting_go = await _opened(self._opening, create=False)
        except Taken as problem:
            self.broken.set()
            raise Lost(f"the connection to {self.url} was lost, and now {problem}", given=self.url) from None
        except Invalid as problem:
            if not self._is_down:
                log.error("%s; this is tried again and again", problem)
            self._is_down = True
            raise Lost(DOWN, given=self.url) from None
        self._is_down = False
        with suppress(Unfit, Unavailable, OSError):
            await self._letting_go.aclose()
        self._database, self._letting_go = database, letting_go
        log.warning("the connection to %s was lost, and has been made again", self.url)

    # --- reading ---------------------------------------------------------------------------------------------

    async def account(self, name: str) -> Account | None:
        """The account of that name, in upper or lower case."""
        rows = await self._read("SELECT * FROM accounts WHERE key = ?", fold(name))
        return _account(rows[0]) if rows else None

    async def names(self, keys: Sequence[str]) -> dict[str, str]:
        """The names of accounts by their keys, as far as there are such accounts."""
        return await self._of_accounts("name", keys)

    async def passwords(self, keys: Sequence[str]) -> dict[str, str | None]:
        """The hashes of the passwords of accounts by their keys, as far as there are such accounts."""
        return await self._of_accounts("password", keys)

    async def _of_accounts(self, column: str, keys: Sequence[str]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for first in range(0, len(keys), AT_ONCE):
            some = keys[first : first + AT_ONCE]
            marks = ", ".join("?" * len(some))
            rows = await self._read(f"SELECT key, {column} FROM accounts WHERE key IN ({marks})", *some)
            found |= {row[0]: row[1] for row in rows}
        return found

    async def private_accounts(self, keys: Sequence[str]) -> set[str]:
        """Those among accounts (their keys) whose profile is for themselves alone."""
        return {key for key, private in (await self._of_accounts("private", keys)).items() if private}

    async def accounts(self) -> list[Account]:
        """All accounts, by name."""
        return sorted(map(_account, await self._read("SELECT * FROM accounts")), key=lambda account: account.key)

    async def count_accounts(self, prefix: str) -> int:
        """How many accounts have a key that begins so."""
        rows = await self._read("SELECT count(*) FROM accounts WHERE key LIKE ? ESCAPE '!'", f"{_escaped(prefix)}%")
        return int(rows[0][0])

    async def places(self) -> dict[str, Place]:
        """All places with their exits, by key."""
        places, exits = await self._ask([Statement("SELECT * FROM places"), Statement("SELECT * FROM exits")])
        leads: dict[str, dict[str, str]] = {row["key"]: {} for row in places}
        for place, direction, leads_to in sorted(map(tuple, exits)):
            if place in leads and leads_to in leads:  # another process may have made it between the two queries
                leads[place][direction] = leads_to
        return {key: Place(key, name, description, leads[key]) for key, name, description in map(tuple, places)}

    async def attributes(self, account: str) -> dict[str, Attribute]:
        """The attributes of an account (its key), by folded name."""
        rows = await self._read("SELECT key, name, type, value FROM attributes WHERE account = ?", account)
        found = {key: Attribute(name, type, read_value(name, type, value)) for key, name, type, value in rows}
        return dict(sorted(found.items()))

    async def kept(self, account: str) -> list[tuple[str, str, str]]:
        """The kind, name and content of everything that an account keeps."""
        rows = await self._read("SELECT kind, key, name, content FROM kept WHERE account = ?", account)
        return [(kind, name, content) for kind, _, name, content in sorted(map(tuple, rows))]

    async def subscriptions(self, account: str) -> list[Subscription]:
        """The browsers through which an account is notified."""
        sql = "SELECT endpoint, p256dh, auth FROM subscriptions WHERE account = ? ORDER BY endpoint"
        return [Subscription(*row) for row in await self._read(sql, account)]

    async def open_combats(self) -> list[CombatRow]:
        """The combats that have not ended, oldest first."""
        return await self._combats("WHERE phase <> 'ended' ORDER BY number")

    async def listings(self) -> list[Listing]:
        """The same without their logs."""
        return await self._listings("phase <> 'ended' ORDER BY number")

    async def listing_at(self, place: str) -> Listing | None:
        """The combat in a place that has not ended, without its log."""
        found = await self._listings("phase <> 'ended' AND place = ?", place)
        return found[0] if found else None

    async def _listings(self, where: str, *values: object) -> list[Listing]:
        query = f"SELECT {', '.join(Listing._fields)} FROM combats WHERE {where}"
        return [Listing(**_parsed(row)) for row in await self._read(query, *values)]

    async def combat(self, number: int) -> CombatRow | None:
        """The combat of that number."""
        found = await self._combats("WHERE number = ?", number)
        return found[0] if found else None

    async def combat_at(self, place: str) -> CombatRow | None:
        """The combat in a place that has not ended."""
        found = await self._combats("WHERE place = ? AND phase <> 'ended'", place)
        return found[0] if found else None

    async def version_at(self, place: str) -> tuple[int, int] | None:
        """The number of the combat in a place that has not ended, and how often it has changed."""
        return (await self._versions("AND place = ?", place)).get(place)

    async def versions(self) -> dict[str, tuple[int, int]]:
        """What `version_at` says of every place in which there is a combat."""
        return await self._versions()

    async def _versions(self, where: str = "", *values: object) -> dict[str, tuple[int, int]]:
        query = f"SELECT place, number, version FROM combats WHERE phase <> 'ended' {where}"
        return {place: (number, version) for place, number, version in await self._read(query, *values)}

    async def ended_combats(self, most: int, skip: int = 0, words: Sequence[str] = ()) -> list[Listing]:
        """The combats that have ended, the last ones first, `most` of them after the first ones.

        With `words` only those that have each of them in their name, their system, or a player's or the owner's name.
        """
        where, values = _with_words(words)
        return await self._listings(f"{where} ORDER BY number DESC LIMIT ? OFFSET ?", *values, most, skip)

    async def count_ended(self, words: Sequence[str] = ()) -> int:
        """How many of them there are."""
        where, values = _with_words(words)
        rows = await self._read(f"SELECT count(*) FROM combats WHERE {where}", *values)
        return int(rows[0][0])

    async def ended_before(self, last: int) -> list[int]:
        """The numbers of the combats that ended before that many last ones, oldest first."""
        query = "SELECT number FROM combats WHERE phase = 'ended' ORDER BY number DESC"
        return sorted(row[0] for row in (await self._read(query))[last:])

    async def answers(self, number: int) -> list[dict[str, Any]]:
        """The log of a combat after its head, entry by entry."""
        rows = await self._read("SELECT entry FROM answers WHERE combat = ? ORDER BY at", number)
        return [json.loads(row[0]) for row in rows]

    async def run_log(self, run: Callable[[], None], moves: int) -> None:
        """Run a stored log of so many moves; others go on while a long one is run."""
        if moves > LONG_LOG:
            await asyncio.to_thread(run)
        else:
            run()

    async def last_combat(self) -> int:
        """The highest number that a combat has been given so far; 0 at first."""
        combats = await self._read("SELECT max(number) FROM combats")
        results = await self._read("SELECT max(combat) FROM results")  # of combats that are no longer kept, too
        return max(combats[0][0] or 0, results[0][0] or 0)

    # --- what came of combats --------------------------------------------------------------------------------

    async def results(self, account: str, most: int, skip: int = 0) -> list[tuple[Result, bool]]:
        """What came of the combats of an account, the last ones first; and whether each combat is still stored."""
        columns = ", ".join(f"results.{name}" for name in Result._fields)
        rows = await self._read(
            f"SELECT {columns}, combats.number FROM results LEFT JOIN combats ON combats.number = results.combat "
            "WHERE results.account = ? ORDER BY results.combat DESC LIMIT ? OFFSET ?",
            *(account, most, skip),
        )
        return [(Result(*tuple(row)[:-1]), row[len(Result._fields)] is not None) for row in rows]

    async def results_in(self, combats: Sequence[int]) -> list[Result]:
        """What came of some combats for all their accounts."""
        marks = ", ".join("?" * len(combats))
        query = f"SELECT {', '.join(Result._fields)} FROM results WHERE combat IN ({marks}) ORDER BY combat, account"
        return [Result(*tuple(row)) for row in await self._read(query, *combats)] if combats else []

    async def record(self, account: str) -> dict[tuple[str, str], int]:
        """How often each outcome befell an account, by system and outcome."""
        query = "SELECT system, outcome, count(*) FROM results WHERE account = ? GROUP BY system, outcome"
        return {(system, outcome): count for system, outcome, count in await self._read(query, account)}

    async def duels(self, system: str) -> list[Duel]:
        """The combats of a system that count for ratings, each seen by both accounts, in the order of their ends."""
        rows = await self._read(
            "SELECT mine.account, other.account, mine.outcome, mine.decided FROM results mine "
            "JOIN results other ON other.combat = mine.combat AND other.account <> mine.account "
            "WHERE mine.system = ? AND mine.counts = 1 AND other.counts = 1 "
            "ORDER BY mine.decided, mine.combat, mine.account",
            system,
        )
        return [Duel(*tuple(row)) for row in rows]

    async def mark_of_duels(self, system: str) -> tuple[int, ...]:
        """What changes whenever those combats do."""
        rows = await self._read(
            "SELECT count(*), coalesce(sum(combat), 0), coalesce(max(decided), 0) FROM results "
            "WHERE system = ? AND counts = 1",
            system,
        )
        return tuple(map(int, rows[0]))

    async def everything(self) -> dict[str, list[dict[str, Any]]]:
        """Every row of every table, all of one moment."""
        is_postgres = self._database.is_postgres
        found = await self._ask(
            [*[_ONE_MOMENT] * is_postgres, *(Statement(f"SELECT * FROM {name}") for name in TABLES)]
        )
        return {name: [dict(row) for row in rows] for name, rows in zip(TABLES, found[is_postgres:], strict=True)}

    async def setting(self, key: str) -> str | None:
        """What was remembered about the world under that key."""
        rows = await self._read("SELECT value FROM settings WHERE key = ?", key)
        return rows[0][0] if rows else None

    async def _read(self, query: str, *values: object) -> Rows:
        return (await self._ask([Statement(query, values)]))[0]

    async def _combats(self, where: str, *values: object) -> list[CombatRow]:
        return [CombatRow(**_parsed(row)) for row in await self._read(f"SELECT * FROM combats {where}", *values)]


async def _opened(opening: _Opening, create: bool) -> tuple[Database, AsyncExitStack]:
    """A connection with its lock, to tables that are up to date; and what lets go of both."""
    where, exclusive, shared = opening
    try:
        async with AsyncExitStack() as letting_go:
            database = await connect(where, create)
            letting_go.push_async_callback(database.close)
            if shared:  # an upgrade takes a lock that is not shared, so it comes first
                await _bring_up(database, False)
            if exclusive:
                await letting_go.enter_async_context(locked(database, shared))
                if where.file is not None:
                    await asyncio.to_thread(damage.check, where.file)
            await _bring_up(database, exclusive)
            await database.make_durable()
            return database, letting_go.pop_all()
    except (Unfit, Unavailable) as problem:
        raise cannot_open(where, problem) from None


async def _bring_up(database: Database, exclusive: bool) -> None:
    """Bring the tables up to date, which takes the lock on the world."""
    if await migrations.version_of(database) != migrations.NEWEST:
        async with nullcontext() if exclusive else locked(database):
            await migrations.upgrade(database)


def _with_words(words: Sequence[str]) -> tuple[str, list[str]]:
    """The condition for combats that have ended and have all these words, and the values in it."""
    columns = ("lower(name)", "system", "owner", "roster")
    one = " OR ".join(f"{column} LIKE ? ESCAPE '!'" for column in columns)
    where = " AND ".join(["phase = 'ended'", *[f"({one})"] * len(words)])
    return where, [value for word in words for value in _likes(word)]


def _likes(word: str) -> list[str]:
    plain = f"%{_escaped(word.lower())}%"
    player = _escaped(json.dumps(fold(word))[:-1])
    return [plain, plain, f"%{_escaped(fold(word))}%", f'%"player":{player}%']


def _escaped(text: str) -> str:
    """A text for LIKE in which no character is a wildcard."""
    return re.sub(r"[%_!]", r"!\g<0>", text)


def _parsed(row: Any) -> dict[str, Any]:
    return {name: json.loads(v) if v and name in JSON_COLUMNS else v for name, v in dict(row).items()}


def _account(row: Any) -> Account:
    moments = {
        name: None if row[name] is None else datetime.fromtimestamp(row[name], UTC) for name in ("seen", "created")
    }
    return Account(**dict(row) | moments | {"private": bool(row["private"]), "rated": bool(row["rated"])})
