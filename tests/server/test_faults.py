"""Every fault of `python -m benchmarks.faults`, a few times each: nothing that was acknowledged is lost."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

import pytest

for needed in ("argon2", "asyncpg", "litestar", "websockets", "httpx"):
    pytest.importorskip(needed, reason="the server and postgres extras are not installed")
if not sys.platform.startswith("linux"):
    pytest.skip("limits of running processes and small disks are those of Linux", allow_module_level=True)

from benchmarks.faults import backups, descriptors, disks, outages, services  # noqa: E402 - they need them too
from benchmarks.faults.report import Row  # noqa: E402


@pytest.fixture(scope="module")
def postgres():
    """A PostgreSQL server that may be stopped."""
    try:
        with services.postgres() as server:
            yield server
    except services.Missing as problem:
        pytest.skip(str(problem))


@pytest.fixture
def redis():
    """A Redis server that may be stopped."""
    pytest.importorskip("redis", reason="redis is not installed (the redis extra)")
    try:
        with services.redis() as server:
            yield server
    except services.Missing as problem:
        pytest.skip(str(problem))


@pytest.fixture
def disk(tmp_path):
    """A disk of a few MiB."""
    if os.geteuid() != 0:
        pytest.skip("only the superuser may mount a disk")
    try:
        with disks.small_disk(tmp_path) as mounted:
            yield mounted
    except PermissionError as problem:
        pytest.skip(str(problem))


def is_good(row: Row) -> bool:
    assert not row.found.wrong, row.found.wrong
    assert row.found.lost == 0
    return True


def test_postgres_stops_and_crashes_in_mid_fight(tmp_path: Path, postgres) -> None:
    url = postgres.new_database("alone")
    row = asyncio.run(outages.postgres_restarts(postgres, url, tmp_path, times=2))
    assert is_good(row)
    assert "moves refused with a sentence" in row.told


def test_postgres_stops_between_two_servers_that_tell_each_other_over_it(tmp_path: Path, postgres) -> None:
    url = postgres.new_database("shared")
    assert is_good(asyncio.run(outages.postgres_restarts(postgres, url, tmp_path, times=1, peers=url)))


def test_redis_stops_between_two_servers(tmp_path: Path, postgres_url: str, redis) -> None:
    assert is_good(asyncio.run(outages.redis_restarts(redis, postgres_url, tmp_path, times=1)))


def test_a_disk_is_full_in_mid_fight(tmp_path: Path, disk: Path) -> None:
    row = asyncio.run(disks.full_disk(disk, tmp_path, times=1))
    assert is_good(row)
    assert "database or disk is full" in row.told


def test_every_write_fails_in_mid_fight(tmp_path: Path) -> None:
    row = asyncio.run(disks.failing_disk(tmp_path, times=1))
    assert is_good(row)
    assert "disk I/O error" in row.told


def test_a_disk_that_cannot_be_written_is_said(tmp_path: Path, disk: Path) -> None:
    assert is_good(asyncio.run(disks.read_only(disk, tmp_path)))


def test_a_damaged_file_is_said_by_the_command(tmp_path: Path) -> None:
    file = tmp_path / "world.db"
    file.write_bytes(b"Dear diary, today we fought a slime.\n" * 1000)
    assert f"affray: the world {file} is damaged (file is not a database)" in disks.refusal(str(file))


def test_two_servers_on_one_file(tmp_path: Path) -> None:
    assert is_good(asyncio.run(disks.two_servers(tmp_path, times=1)))


def test_too_few_file_descriptors(tmp_path: Path) -> None:
    assert is_good(asyncio.run(descriptors.few_descriptors(tmp_path, times=1)))


def test_a_backup_under_load(tmp_path: Path, postgres_url: str) -> None:
    into = [str(tmp_path / "copy.db"), postgres_url]
    assert is_good(asyncio.run(backups.backups("SQLite", str(tmp_path / "world.db"), into, tmp_path)))


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_a_world_of_the_last_release(store: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    url = str(tmp_path / "world.db") if store == "sqlite" else request.getfixturevalue("postgres_url")
    row = asyncio.run(backups.upgrade(store, url))
    assert is_good(row)
    assert row.told.startswith("13 fights with ")
    assert row.told.endswith("6 went on, 5 went back to what was saved")
