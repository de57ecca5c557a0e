"""How the tables of a world came to be, step by step, and the bringing up to date of an old world."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Column, Connection, MetaData, String, Table, inspect, text

from affray.errors import Invalid, MissingExtra
from affray.world.store.tables import metadata

if TYPE_CHECKING:
    from alembic.config import Config

VERSION_TABLE = "affray_version"
NEWEST = "0003"
"""The last of the versions beside this file: a world that has it is left alone, and Alembic is not even imported."""

_version = Table(VERSION_TABLE, MetaData(), Column("version_num", String(32), primary_key=True))


def version_of(connection: Connection, shown: str) -> str | None:
    """Which version a database has; None when it is empty. One that holds something else is refused."""
    there = inspect(connection).get_table_names()
    if VERSION_TABLE in there:
        version: str | None = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar()
        return version
    if there:
        raise Invalid(
            f"{shown} is not the database of an Affray world: it has a table {there[0]!r} but no table with a version; "
            f"use an empty database",
            given=shown,
        )
    return None


def upgrade(connection: Connection, shown: str) -> None:
    """Bring a database to the newest version, inside the transaction that is open."""
    version = version_of(connection, shown)
    if version is None:
        make(connection)
    elif version != NEWEST:
        migrate(connection, version, shown)


def make(connection: Connection) -> None:
    """Make the tables of a new world, as all versions one after the other would leave them."""
    metadata.create_all(connection)
    _version.create(connection)
    connection.execute(_version.insert().values(version_num=NEWEST))


def migrate(connection: Connection, version: str, shown: str) -> None:
    """Take an older world through all versions that it lacks."""
    config = configured(connection)
    from alembic import command
    from alembic.script import ScriptDirectory

    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if version not in known:
        raise Invalid(
            f"the world {shown} was written by a newer Affray (its tables have version {version}, "
            f"this one supports up to {NEWEST})",
            given=version,
        )
    command.upgrade(config, NEWEST)


def configured(connection: Connection) -> Config:
    """What Alembic needs to know to find these versions, and the database."""
    try:
        from alembic.config import Config
    except ImportError:
        raise MissingExtra("upgrading a world", "server") from None
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config
