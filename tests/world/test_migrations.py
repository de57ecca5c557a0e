"""Making and upgrading a world: all ways lead to the same tables, and a world is never left half changed."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from typing import Any

import pytest

from affray.errors import Invalid
from affray.world.store import Store, migrations
from affray.world.store.database import Statement, Unavailable, address, connect
from affray.world.store.statements import add_account
from affray.world.store.tables import TABLES

# The tables of a world as the first releases made them.
RELEASED = """
CREATE TABLE accounts (
    "key" TEXT NOT NULL, name TEXT NOT NULL, role TEXT NOT NULL, password TEXT, place TEXT, seen BIGINT,
    PRIMARY KEY ("key")
);
CREATE TABLE affray_version (version_num VARCHAR(32) NOT NULL, PRIMARY KEY (version_num));
INSERT INTO affray_version VALUES('0001');
CREATE TABLE places ("key" TEXT NOT NULL, name TEXT NOT NULL, description TEXT NOT NULL, PRIMARY KEY ("key"));
CREATE TABLE exits (
    place TEXT NOT NULL, direction TEXT NOT NULL, leads_to TEXT NOT NULL, PRIMARY KEY (place, direction),
    FOREIGN KEY(place) REFERENCES places ("key") ON DELETE CASCADE,
    FOREIGN KEY(leads_to) REFERENCES places ("key") ON DELETE CASCADE
);
CREATE TABLE attributes (
    account TEXT NOT NULL, "key" TEXT NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (account, "key"), FOREIGN KEY(account) REFERENCES accounts ("key") ON DELETE CASCADE
);
CREATE TABLE combats (
    number INTEGER NOT NULL, name TEXT NOT NULL, place TEXT NOT NULL, system TEXT NOT NULL, owner TEXT NOT NULL,
    options TEXT NOT NULL, roster TEXT NOT NULL, log TEXT, saved TEXT, phase TEXT NOT NULL, ending TEXT,
    PRIMARY KEY (number)
);
CREATE TABLE answers (
    combat INTEGER NOT NULL, at INTEGER NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (combat, at),
    FOREIGN KEY(combat) REFERENCES combats (number) ON DELETE CASCADE
);
CREATE TABLE settings ("key" TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY ("key"));
INSERT INTO accounts VALUES('ann', 'Ann', 'player', NULL, 'tavern', 1700000000);
INSERT INTO combats VALUES(7, 'brawl', 'tavern', 'grapple', 'ann', '{}', '{}', NULL, NULL, 'setup', NULL);
"""
# Columns with their types and whether they may be empty; then keys that refer to other tables.
COLUMNS = """
    SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
    WHERE table_schema = current_schema() ORDER BY 1, ordinal_position
"""


async def outside(url: str, *statements: str) -> Sequence[Any]:
    """Do something with a database behind the world's back; the rows of the last statement."""
    database = await connect(address(url))
    try:
        return (await database.run([Statement(sql) for sql in statements]))[-1]
    finally:
        await database.close()


async def upgraded(url: str, to: str) -> None:
    database = await connect(address(url))
    try:
        await migrations.upgrade(database, to)
    finally:
        await database.close()


async def version(url: str) -> str | None:
    database = await connect(address(url))
    try:
        return await migrations.version_of(database)
    finally:
        await database.close()


async def tables_there(url: str) -> set[str]:
    is_postgres = url.startswith("postgresql")
    return {row[0] for row in await outside(url, migrations._TABLES[is_postgres])}


async def described(url: str) -> list[tuple[Any, ...]]:
    """All columns, and in SQLite, which tells them, the keys that refer to other tables."""
    if url.startswith("postgresql"):
        return [tuple(row) for row in await outside(url, COLUMNS)]
    found = []
    for table in TABLES:
        found += [(table, *row) for row in await outside(url, f"SELECT * FROM pragma_table_info('{table}')")]
        keys = await outside(url, f"SELECT * FROM pragma_foreign_key_list('{table}') ORDER BY 4")
        found += [(table, *tuple(row)[2:]) for row in keys]
    return [tuple(str(value).strip("'") for value in row) for row in found]


async def test_a_new_world_and_one_taken_through_every_version_have_the_same_tables(
    store_url: str, sqlite_url: str
) -> None:
    await (await Store.open(store_url)).close()
    made = await described(store_url)
    assert await tables_there(store_url) == {*TABLES, migrations.VERSION_TABLE}
    await outside(store_url, *(f"DROP TABLE {name}" for name in (*reversed(TABLES), migrations.VERSION_TABLE)))
    for name in migrations.VERSIONS:
        await upgraded(store_url, name)
        assert await version(store_url) == name
    assert await described(store_url) == made


async def test_a_world_of_the_first_release_goes_on_with_what_it_has(sqlite_url: str) -> None:
    file = sqlite_url.removeprefix("sqlite:///")
    with sqlite3.connect(file) as released:
        released.executescript(RELEASED)
    released.close()
    async with await Store.open(sqlite_url) as store:
        (combat,) = await store.open_combats()
        assert (combat.number, combat.system, combat.game, combat.version) == (7, "grapple", "", 0)
        assert [account.name for account in await store.accounts()] == ["Ann"]
    fresh = sqlite_url.replace("world.db", "fresh.db")
    await (await Store.open(fresh)).close()
    assert sorted(await described(sqlite_url)) == sorted(await described(fresh))


def test_the_versions_are_in_order() -> None:
    assert list(migrations.VERSIONS) == sorted(migrations.VERSIONS)
    assert list(migrations.VERSIONS)[-1] == migrations.NEWEST
    statements = [sql for made in migrations.VERSIONS.values() for sql in made]
    created = {name for sql in statements for name in re.findall(r"CREATE TABLE (\w+)", sql)}
    assert created == set(TABLES)


async def test_a_world_of_a_newer_affray_is_refused(store_url: str) -> None:
    await (await Store.open(store_url)).close()
    await outside(store_url, f"UPDATE {migrations.VERSION_TABLE} SET version_num = '9999'")
    with pytest.raises(Invalid, match=r"was written by a newer Affray \(its tables have version 9999"):
        await Store.open(store_url)
    await outside(store_url, f"UPDATE {migrations.VERSION_TABLE} SET version_num = '{migrations.NEWEST}'")
    await (await Store.open(store_url)).close()


async def test_a_database_of_something_else_is_left_alone(store_url: str) -> None:
    await outside(store_url, "CREATE TABLE cheeses (name TEXT)")
    with pytest.raises(Invalid, match="is not the database of an Affray world: it has a table 'cheeses'"):
        await Store.open(store_url)
    assert await tables_there(store_url) == {"cheeses"}


@pytest.mark.parametrize("before", [None, "0001"])
async def test_what_is_broken_off_leaves_nothing_behind(
    store_url: str, monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    if before:
        await upgraded(store_url, before)
    tables = await tables_there(store_url)
    with monkeypatch.context() as patched:
        broken = {**migrations.VERSIONS, migrations.NEWEST: (*migrations.VERSIONS[migrations.NEWEST], "SELEKT")}
        patched.setattr(migrations, "VERSIONS", broken)
        with pytest.raises(Invalid, match=r"cannot be opened: .*syntax error"):
            await Store.open(store_url)
    assert await tables_there(store_url) == tables
    assert await version(store_url) == before
    await (await Store.open(store_url)).close()
    assert await version(store_url) == migrations.NEWEST


@pytest.mark.parametrize("exclusive", [True, False])
async def test_a_process_that_made_the_tables_without_a_lock_leaves_none(store_url: str, exclusive: bool) -> None:
    first = await Store.open(store_url, exclusive=False)
    second = await Store.open(store_url, exclusive=exclusive)
    await second.commit(add_account("Ahalish"))
    assert await first.account("ahalish")
    await first.close()
    await second.close()


async def test_a_statement_that_fails_is_told_from_data_that_does_not_fit(store_url: str) -> None:
    with pytest.raises(Unavailable, match="syntax error"):
        await outside(store_url, "SELEKT")
