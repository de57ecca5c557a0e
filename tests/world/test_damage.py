"""A damaged file is refused with a sentence that says what to do, and nothing is written to it."""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from affray.errors import Invalid
from affray.world.store import Store

PAGE = 4096
# A world that is killed, so that its newest changes are still in the WAL.
KILLED = """
import asyncio, os, signal, sys
from affray.world.store.statements import add_account, add_place
from affray.world.store import Store

async def fill():
    store = await Store.open(sys.argv[1])
    for n in range(40):
        await store.commit(add_account(f"name{n}"), add_place(f"place {n}", "x" * 2000))
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(fill())
"""
Damage = Callable[[bytes], bytes]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """The file of a world, and its WAL."""
    file = tmp_path_factory.mktemp("killed") / "world.db"
    subprocess.run([sys.executable, "-c", KILLED, str(file)], check=False, timeout=600)
    return file.read_bytes(), Path(f"{file}-wal").read_bytes()


def overwritten(at: int, length: int) -> Damage:
    """Noise over some bytes; counted from the end where `at` is negative."""

    def damage(data: bytes) -> bytes:
        begin = at % len(data)
        return data[:begin] + random.Random(at).randbytes(length) + data[begin + length :]

    return damage


async def accounts(file: Path) -> int:
    async with await Store.open(str(file)) as store:
        return len(await store.accounts())


def content(file: Path) -> tuple[bytes, bytes]:
    """What is in a file and in its WAL; looking at it may leave an empty WAL."""
    wal = Path(f"{file}-wal")
    return file.read_bytes(), wal.read_bytes() if wal.exists() else b""


async def refused(file: Path) -> str:
    """What is said of a damaged file, which must stay as it is."""
    before = content(file)
    with pytest.raises(Invalid) as said:
        await Store.open(str(file))
    assert content(file) == before
    assert str(file) in str(said.value)
    assert "affray serve --import BACKUP --store NEW" in str(said.value)
    return str(said.value)


@pytest.mark.parametrize(
    "damage",
    [
        overwritten(0, 100),
        overwritten(10 * PAGE, PAGE),
        lambda data: data[: len(data) // 2],
        lambda data: data[: len(data) // 2 + 77],
        lambda data: b"Dear diary, today we fought a slime.\n" * 1000,
    ],
    ids=["header", "page", "cut off", "cut off within a page", "no database"],
)
async def test_a_damaged_file_is_refused(killed: tuple[bytes, bytes], tmp_path: Path, damage: Damage) -> None:
    file = tmp_path / "world.db"
    for part, data in zip(("", "-wal"), killed, strict=True):
        Path(f"{file}{part}").write_bytes(data)
    assert await accounts(file) == 40  # and closing it has moved everything into the one file
    file.write_bytes(damage(file.read_bytes()))
    assert "is damaged (" in await refused(file)


@pytest.mark.parametrize(
    "damage",
    [overwritten(0, 32), overwritten(16, 8), overwritten(20 * PAGE, 100)],
    ids=["header", "salts", "middle"],
)
async def test_a_damaged_wal_is_refused(killed: tuple[bytes, bytes], tmp_path: Path, damage: Damage) -> None:
    """SQLite itself would drop the changes after the damage, which players were told of, and say nothing."""
    file = tmp_path / "world.db"
    file.write_bytes(killed[0])
    Path(f"{file}-wal").write_bytes(damage(killed[1]))
    assert f"{file}-wal, cannot be read" in await refused(file)


async def test_an_emptied_file_with_changes_beside_it_is_refused(killed: tuple[bytes, bytes], tmp_path: Path) -> None:
    file = tmp_path / "world.db"
    file.write_bytes(b"")
    Path(f"{file}-wal").write_bytes(killed[1])
    assert "it is empty, but has changes beside it" in await refused(file)


@pytest.mark.parametrize(
    "cut", [lambda data: data[:-PAGE], lambda data: data[: -PAGE // 2], overwritten(-PAGE // 2, 100)]
)
async def test_a_transaction_that_a_power_failure_has_cut_off_is_not_damage(
    killed: tuple[bytes, bytes], tmp_path: Path, cut: Damage
) -> None:
    """It was the last one, and not whole, so nobody was told of it."""
    file = tmp_path / "world.db"
    file.write_bytes(killed[0])
    Path(f"{file}-wal").write_bytes(cut(killed[1]))
    assert await accounts(file) == 39


async def test_damage_that_is_met_later_is_said(killed: tuple[bytes, bytes], tmp_path: Path) -> None:
    file = tmp_path / "world.db"
    for part, data in zip(("", "-wal"), killed, strict=True):
        Path(f"{file}{part}").write_bytes(data)
    assert await accounts(file) == 40
    spoiled = sqlite3.connect(file)
    spoiled.execute("UPDATE accounts SET name = CAST(x'80ff' AS TEXT) WHERE key = 'name7'")
    spoiled.commit()
    spoiled.close()
    with pytest.raises(Exception, match=r"cannot be read: the file is damaged; please restore a backup"):
        await accounts(file)
