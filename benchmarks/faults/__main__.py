"""Runs faults, prints a row of counts for each, and fails where anything was lost or wrong."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import uuid
from collections.abc import Callable, Coroutine, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks.faults import backups, descriptors, disks, kills, outages, services
from benchmarks.faults.report import Row, table

Fault = Callable[["Place"], Coroutine[Any, Any, Row]]


class Place:
    """Where faults are made: a folder, and servers of PostgreSQL and Redis that are started when they are needed."""

    def __init__(self, folder: Path, open_now: ExitStack, kills: int, times: int, server: str | None) -> None:
        self.folder, self.kills, self.times = folder, kills, times
        self._open_now, self._server = open_now, server
        self._postgres: services.Postgres | None = None

    def file(self) -> str:
        """The address of a new SQLite file."""
        return str(self.folder / f"{uuid.uuid4().hex}.db")

    def postgres(self) -> services.Postgres:
        """A PostgreSQL server that may be stopped."""
        if self._postgres is None:
            self._postgres = self._open_now.enter_context(services.postgres())
        return self._postgres

    async def database(self) -> str:
        """The address of a new PostgreSQL database; on the server that was named, if one was."""
        name = f"affray_{uuid.uuid4().hex}"
        if self._server is None:
            return await asyncio.to_thread(self.postgres().new_database, name)
        await services.create_database(self._server, name)
        self._open_now.callback(lambda: asyncio.run(services.drop_database(self._server or "", name)))
        return f"{self._server.rpartition('/')[0]}/{name}"

    def redis(self) -> services.Redis:
        """A Redis server that may be stopped."""
        return self._open_now.enter_context(services.redis())

    def disk(self) -> Path:
        """A small disk."""
        return self._open_now.enter_context(disks.small_disk(self.folder))


async def kills_sqlite(place: Place) -> Row:
    urls = [place.file() for _ in range(kills.lanes(place.kills))]
    return await kills.kills("SQLite", urls, place.folder, place.kills)


async def kills_postgres(place: Place) -> Row:
    urls = [await place.database() for _ in range(kills.lanes(place.kills))]
    return await kills.kills("PostgreSQL", urls, place.folder, place.kills)


async def crowd_sqlite(place: Place) -> Row:
    return await kills.crowd_kills("SQLite", place.file(), place.folder, place.times)


async def crowd_postgres(place: Place) -> Row:
    return await kills.crowd_kills("PostgreSQL", await place.database(), place.folder, place.times)


async def crowd_two(place: Place) -> Row:
    peers = ("--peers", place.redis().url)
    url = await place.database()
    return await kills.crowd_kills("PostgreSQL, two servers", url, place.folder, place.times, *peers, processes=2)


async def postgres_stops(place: Place) -> Row:
    postgres = place.postgres()
    url = await asyncio.to_thread(postgres.new_database, "stopping")
    return await outages.postgres_restarts(postgres, url, place.folder, place.times)


async def postgres_peers(place: Place) -> Row:
    postgres = place.postgres()
    url = await asyncio.to_thread(postgres.new_database, "shared")
    return await outages.postgres_restarts(postgres, url, place.folder, place.times, peers=url)


async def redis_stops(place: Place) -> Row:
    return await outages.redis_restarts(place.redis(), await place.database(), place.folder, place.times)


async def disk_full(place: Place) -> Row:
    return await disks.full_disk(place.disk(), place.folder, place.times)


async def disk_fails(place: Place) -> Row:
    return await disks.failing_disk(place.folder, place.times)


async def read_only(place: Place) -> Row:
    return await disks.read_only(place.disk(), place.folder)


async def damaged(place: Place) -> Row:
    return await disks.damaged_files(place.folder)


async def two_servers(place: Place) -> Row:
    return await disks.two_servers(place.folder, place.times)


async def few_descriptors(place: Place) -> Row:
    return await descriptors.few_descriptors(place.folder, place.times)


async def backup_sqlite(place: Place) -> Row:
    into = [place.file() if number % 2 else await place.database() for number in range(place.times)]
    return await backups.backups("SQLite", place.file(), into, place.folder)


async def backup_postgres(place: Place) -> Row:
    into = [place.file() if number % 2 else await place.database() for number in range(place.times)]
    return await backups.backups("PostgreSQL", await place.database(), into, place.folder)


async def release_sqlite(place: Place) -> Row:
    return await backups.upgrade("SQLite", place.file())


async def release_postgres(place: Place) -> Row:
    return await backups.upgrade("PostgreSQL", await place.database())


FAULTS: Sequence[Fault] = (
    kills_sqlite,
    kills_postgres,
    crowd_sqlite,
    crowd_postgres,
    crowd_two,
    postgres_stops,
    postgres_peers,
    redis_stops,
    disk_full,
    disk_fails,
    read_only,
    damaged,
    two_servers,
    few_descriptors,
    backup_sqlite,
    backup_postgres,
    release_sqlite,
    release_postgres,
)
NAMES = {fault.__name__.replace("_", "-"): fault for fault in FAULTS}  # type: ignore[attr-defined]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which faults (default all): {', '.join(NAMES)}")
    parser.add_argument("--kills", type=int, default=1000, help="how often servers are killed on each store (1000)")
    parser.add_argument("--times", type=int, default=10, help="how often every other fault happens (10)")
    parser.add_argument("--store", metavar="URL", help="a PostgreSQL server to use where it need not be stopped")
    args = parser.parse_args()
    if unknown := set(args.names) - set(NAMES):
        parser.error(f"there is no fault {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    rows: list[Row] = []
    for name in args.names or NAMES:
        with ExitStack() as open_now:
            folder = Path(open_now.enter_context(tempfile.TemporaryDirectory(prefix="affray-faults-")))
            place = Place(folder, open_now, args.kills, args.times, args.store)
            try:
                rows.append(asyncio.run(NAMES[name](place)))
            except (services.Missing, PermissionError) as problem:
                print(f"{name} is left out: {problem}", file=sys.stderr)
    print(table(rows))
    return 0 if all(row.is_good for row in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())
