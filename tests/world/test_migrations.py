"""Making and migrating a world: both give the tables of the code, and a world is never left half changed."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, text

from affray.errors import Invalid, MissingExtra
from affray.world.store import Store, migrations
from affray.world.store.database import address, connect
from affray.world.store.statements import add_account
from affray.world.store.tables import metadata


async def outside(url: str, do: Any) -> Any:
    """Do something with a database behind the world's back."""
    database = await connect(address(url))
    try:
        return await database.transact(do)
    finally:
        await database.close()


def difference(connection: Connection) -> list[Any]:
    context = MigrationContext.configure(
        connection, opts={"version_table": migrations.VERSION_TABLE, "compare_type": True}
    )
    return list(compare_metadata(context, metadata))


def tables_there(connection: Connection) -> set[str]:
    return set(inspect(connection).get_table_names())


def set_version(version: str) -> Any:
    statement = text(f"UPDATE {migrations.VERSION_TABLE} SET version_num = :version").bindparams(version=version)
    return lambda connection: connection.execute(statement)


def migrated_to(version: str) -> Any:
    """Takes an empty database through the migrations up to a version."""
    return lambda connection: command.upgrade(migrations.configured(connection), version)


OF_THE_NEWEST_VERSION = pytest.mark.parametrize("come_about", [migrations.make, migrated_to(migrations.NEWEST)])


@OF_THE_NEWEST_VERSION
async def test_a_world_made_or_migrated_from_nothing_has_the_tables_of_the_code(
    store_url: str, come_about: Any
) -> None:
    await outside(store_url, come_about)
    await (await Store.open(store_url)).close()
    assert await outside(store_url, difference) == []
    assert await outside(store_url, tables_there) == {*metadata.tables, migrations.VERSION_TABLE}


@OF_THE_NEWEST_VERSION
async def test_rules_between_tables_are_made_and_migrated_too(store_url: str, come_about: Any) -> None:
    await outside(store_url, come_about)

    def foreign(connection: Connection) -> set[tuple[str, str, str, str]]:
        found = inspect(connection)
        return {
            (table, key["constrained_columns"][0], key["referred_table"], key["options"].get("ondelete", ""))
            for table in metadata.tables
            for key in found.get_foreign_keys(table)
        }

    assert await outside(store_url, foreign) == {
        (table.name, key.parent.name, key.column.table.name, key.ondelete)
        for table in metadata.tables.values()
        for key in table.foreign_keys
    }


async def test_the_newest_version_is_the_last_of_one_line() -> None:
    def heads(connection: Connection) -> list[str]:
        return list(ScriptDirectory.from_config(migrations.configured(connection)).get_heads())

    assert await outside("sqlite://", heads) == [migrations.NEWEST]


async def test_a_world_of_a_newer_affray_is_refused(store_url: str) -> None:
    await (await Store.open(store_url)).close()
    await outside(store_url, set_version("9999"))
    with pytest.raises(Invalid, match=r"was written by a newer Affray \(its tables have version 9999"):
        await Store.open(store_url)
    await outside(store_url, set_version(migrations.NEWEST))
    await (await Store.open(store_url)).close()


async def test_a_database_of_something_else_is_left_alone(store_url: str) -> None:
    await outside(store_url, lambda connection: connection.execute(text("CREATE TABLE cheeses (name TEXT)")))
    with pytest.raises(Invalid, match="is not the database of an Affray world: it has a table 'cheeses'"):
        await Store.open(store_url)
    assert await outside(store_url, tables_there) == {"cheeses"}


@pytest.mark.parametrize(
    ("broken", "name", "before"), [(migrations, "make", None), (command, "upgrade", "0001")], ids=["make", "migrate"]
)
async def test_what_is_broken_off_leaves_nothing_behind(
    store_url: str, monkeypatch: pytest.MonkeyPatch, broken: Any, name: str, before: str | None
) -> None:
    if before:
        await outside(store_url, migrated_to(before))
    tables, whole = await outside(store_url, tables_there), getattr(broken, name)

    def broken_off(*args: Any) -> None:
        whole(*args)
        raise RuntimeError("the light went out")

    with monkeypatch.context() as patched:
        patched.setattr(broken, name, broken_off)
        with pytest.raises(RuntimeError, match="the light went out"):
            await Store.open(store_url)
    assert await outside(store_url, tables_there) == tables
    assert await outside(store_url, lambda connection: migrations.version_of(connection, store_url)) == before
    await (await Store.open(store_url)).close()
    assert await outside(store_url, difference) == []


async def test_without_alembic_an_old_world_is_left_as_it_is(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    await outside(sqlite_url, migrated_to("0001"))
    for module in ("alembic", "alembic.config"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtra, match=r"pip install 'affray\[server\]'"):
        await Store.open(sqlite_url)
    assert await outside(sqlite_url, lambda connection: migrations.version_of(connection, sqlite_url)) == "0001"


@pytest.mark.parametrize("exclusive", [True, False])
async def test_a_process_that_made_the_tables_without_a_lock_leaves_none(store_url: str, exclusive: bool) -> None:
    first = await Store.open(store_url, exclusive=False)
    second = await Store.open(store_url, exclusive=exclusive)
    await second.commit(add_account("Ahalish"))
    assert await first.account("ahalish")
    await first.close()
    await second.close()


OPEN = """
import asyncio, sys
from affray.world.store import Store

async def visit():
    await (await Store.open(sys.argv[1])).close()

asyncio.run(visit())
print("alembic" in sys.modules)
"""


def test_alembic_is_imported_only_when_there_is_something_to_migrate(sqlite_url: str) -> None:
    migrated = sqlite_url.replace("world.db", "old.db")
    asyncio.run(outside(migrated, migrated_to("0001")))
    for url, imported in ((sqlite_url, "False"), (migrated, "True"), (migrated, "False")):
        arguments = [sys.executable, "-c", OPEN, url]
        run = subprocess.run(arguments, capture_output=True, text=True, timeout=600, check=True)
        assert run.stdout.strip() == imported


async def test_what_an_older_world_has_stored_are_fights(store_url: str) -> None:
    await outside(store_url, migrated_to("0002"))
    columns = "number, name, place, system, owner, options, roster, phase"
    row = "7, 'brawl', 'tavern', 'grapple', 'ann', '{}', '{}', 'setup'"
    await outside(
        store_url, lambda connection: connection.execute(text(f"INSERT INTO combats ({columns}) VALUES ({row})"))
    )
    async with await Store.open(store_url) as store:
        (combat,) = await store.open_combats()
        assert (combat.number, combat.system, combat.game) == (7, "grapple", "")
