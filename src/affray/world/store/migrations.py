"""How the tables of a world came to be, version by version: a new world takes them all, an older one those it lacks."""

from __future__ import annotations

from affray.errors import Invalid
from affray.world.store.database import Database, Statement

VERSION_TABLE = "affray_version"
# Both databases understand these statements. A time is in seconds since 1970, which both keep alike.
VERSIONS: dict[str, tuple[str, ...]] = {
    "0001": (
        """CREATE TABLE accounts (
            key TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL,
            password TEXT, place TEXT, seen BIGINT
        )""",
        "CREATE TABLE places (key TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, description TEXT NOT NULL)",
        """CREATE TABLE exits (
            place TEXT NOT NULL REFERENCES places (key) ON DELETE CASCADE, direction TEXT NOT NULL,
            leads_to TEXT NOT NULL REFERENCES places (key) ON DELETE CASCADE, PRIMARY KEY (place, direction)
        )""",
        """CREATE TABLE attributes (
            account TEXT NOT NULL REFERENCES accounts (key) ON DELETE CASCADE, key TEXT NOT NULL,
            name TEXT NOT NULL, type TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (account, key)
        )""",
        """CREATE TABLE combats (
            number INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL, place TEXT NOT NULL, system TEXT NOT NULL,
            owner TEXT NOT NULL, options TEXT NOT NULL, roster TEXT NOT NULL, log TEXT, saved TEXT,
            phase TEXT NOT NULL, ending TEXT
        )""",
        """CREATE TABLE answers (
            combat INTEGER NOT NULL REFERENCES combats (number) ON DELETE CASCADE, at INTEGER NOT NULL,
            entry TEXT NOT NULL, PRIMARY KEY (combat, at)
        )""",
        "CREATE TABLE settings (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)",
    ),
    # A combat counts its changes, and a place has one that has not ended, whatever two processes do.
    "0002": (
        "ALTER TABLE combats ADD COLUMN version INTEGER DEFAULT 0 NOT NULL",
        "CREATE UNIQUE INDEX one_combat_in_a_place ON combats (place) WHERE phase <> 'ended'",
    ),
    # A combat says which game around fights is played; all that were stored before are fights.
    "0003": ("ALTER TABLE combats ADD COLUMN game TEXT DEFAULT '' NOT NULL",),
    # A combat can be listed without running its log.
    "0004": (
        "ALTER TABLE combats ADD COLUMN round INTEGER",
        "ALTER TABLE combats ADD COLUMN awaited TEXT",
    ),
    # An account keeps parties and encounters.
    "0005": (
        """CREATE TABLE kept (
            account TEXT NOT NULL REFERENCES accounts (key) ON DELETE CASCADE, kind TEXT NOT NULL, key TEXT NOT NULL,
            name TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY (account, kind, key)
        )""",
    ),
    # An account is notified through the browsers that have subscribed.
    "0006": (
        """CREATE TABLE subscriptions (
            endpoint TEXT NOT NULL PRIMARY KEY, account TEXT NOT NULL REFERENCES accounts (key) ON DELETE CASCADE,
            p256dh TEXT NOT NULL, auth TEXT NOT NULL
        )""",
    ),
    # An account says since when it is there, whether others may see its profile and whether it wants ratings; what
    # came of its fights is kept when their logs are not.
    "0007": (
        "ALTER TABLE accounts ADD COLUMN created BIGINT",
        "ALTER TABLE accounts ADD COLUMN private INTEGER DEFAULT 0 NOT NULL",
        "ALTER TABLE accounts ADD COLUMN rated INTEGER DEFAULT 0 NOT NULL",
        """CREATE TABLE results (
            combat INTEGER NOT NULL, account TEXT NOT NULL, system TEXT NOT NULL, name TEXT NOT NULL,
            fighter TEXT NOT NULL, team TEXT NOT NULL, outcome TEXT NOT NULL, decided BIGINT,
            counts INTEGER NOT NULL, PRIMARY KEY (combat, account)
        )""",
        "CREATE INDEX results_of_an_account ON results (account, combat)",
        "CREATE INDEX results_that_count ON results (system, decided) WHERE counts = 1",
    ),
}
NEWEST = max(VERSIONS)
_TABLES = {
    False: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
    True: "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename",
}


async def version_of(database: Database) -> str | None:
    """Which version a database has; None when it is empty. One that holds something else is refused."""
    (rows,) = await database.run([Statement(_TABLES[database.is_postgres])])
    there = [str(row[0]) for row in rows]
    if VERSION_TABLE in there:
        (versions,) = await database.run([Statement(f"SELECT version_num FROM {VERSION_TABLE}")])
        return str(versions[0][0])
    if there:
        raise Invalid(
            f"{database.address} is not the database of an Affray world: it has a table {there[0]!r} but no table with "
            f"a version; use an empty database",
            given=str(database.address),
        )
    return None


async def upgrade(database: Database, to: str = NEWEST) -> None:
    """Bring a database to a version, in one transaction."""
    version = await version_of(database)
    if version is not None and version not in VERSIONS:
        raise Invalid(
            f"the world {database.address} was written by a newer Affray (its tables have version {version}, "
            f"this one supports up to {NEWEST})",
            given=version,
        )
    missing = [name for name in VERSIONS if (version or "") < name <= to]
    if missing:
        steps = [Statement(sql) for name in missing for sql in VERSIONS[name]]
        await database.run([*steps, *_numbered(version, to)])


def _numbered(before: str | None, now: str) -> list[Statement]:
    if before is not None:
        return [Statement(f"UPDATE {VERSION_TABLE} SET version_num = ?", (now,))]
    return [
        Statement(f"CREATE TABLE {VERSION_TABLE} (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"),
        Statement(f"INSERT INTO {VERSION_TABLE} VALUES (?)", (now,)),
    ]
