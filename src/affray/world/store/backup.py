"""Backups of a world, all in one file: to keep it safe, to move it, or to go from SQLite to PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from affray.errors import Invalid
from affray.fight import saving
from affray.world.store import Store
from affray.world.store.statements import CHANNEL, delete, insert
from affray.world.store.tables import TABLES

FORMAT, VERSION = "affray-world", 1


async def backup(url: str, path: Path) -> str:
    """Write everything that a world has stored, all of one moment, also while it is open in another process.

    Passwords' hashes and the secrets of dice and sessions are in it, so it is for its owner alone.
    """
    async with await Store.open(url, exclusive=False, create=False) as store:
        tables = await store.everything()
    saving.write({"format": FORMAT, "version": VERSION, "tables": tables}, path, private=True)
    return counted(tables)


async def restore(url: str, path: Path) -> str:
    """Make a world of a backup where there is none yet."""
    table = saving.read(path, FORMAT, VERSION)
    tables = table.get("tables")
    if isinstance(tables, dict):
        tables = {"kept": [], "subscriptions": [], "results": [], **tables}  # backups of earlier versions know of none
    if not isinstance(tables, dict) or set(tables) != set(TABLES):
        raise Invalid(f"{path} does not have the tables of a world", given=str(path))
    async with await Store.open(url) as store:
        if any((await store.everything()).values()):
            raise Invalid(f"there is already a world at {store.url}; a backup needs a new one", given=store.url)
        await store.commit(
            *(insert(table, row) for table in TABLES for row in tables[table]),
            delete("settings", key=CHANNEL),  # it is another world now
        )
    return counted(tables)


def counted(tables: Mapping[str, Sequence[Any]]) -> str:
    """How many rows of each kind there are, in words."""
    named = {"accounts": "account", "places": "place", "combats": "combat", "answers": "move"}
    counts = {name: len(tables[table]) for table, name in named.items()}
    return ", ".join(f"{count} {name}{'s' * (count != 1)}" for name, count in counts.items()) + "."
