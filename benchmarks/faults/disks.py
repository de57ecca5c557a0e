"""Disks that are full, fail or cannot be written, and files that are damaged or in use."""

from __future__ import annotations

import asyncio
import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmarks.crowd import ENVIRONMENT, QUICK_SERVER, Server
from benchmarks.faults.load import Load
from benchmarks.faults.logs import logged
from benchmarks.faults.outages import said_most
from benchmarks.faults.report import Row, progress

BETWEEN = 30  # moves from one failure to the next
SMALL = 16  # MiB of a disk that is soon full; SQLite itself needs a few beside what it stores
PAGE = 4096  # bytes of a page of SQLite


# --- disks ------------------------------------------------------------------------------------------------------------


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A disk of a few MiB, mounted below a folder; OSError where that is not allowed."""
    disk = folder / "disk"
    disk.mkdir()
    if os.geteuid() != 0 or shutil.which("mount") is None:
        raise PermissionError("only the superuser may mount a disk")
    _mount("-t", "tmpfs", "-o", f"size={SMALL}m", "tmpfs", str(disk))
    try:
        yield disk
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def _mount(*words: str) -> None:
    done = subprocess.run(["mount", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise PermissionError(done.stderr.strip())


async def full_disk(disk: Path, folder: Path, times: int) -> Row:
    """Fill the disk of a world until moves are refused, and make room again."""
    ballast = disk / "ballast"

    def fill(server: Server) -> None:
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(PAGE))

    return await _failing("disk full in mid-fight", disk, folder, times, fill, lambda server: ballast.unlink())


async def failing_disk(folder: Path, times: int) -> Row:
    """Let every write of a server fail, as on a disk that has become read-only or is broken, and work again."""
    free = resource.RLIM_INFINITY

    def limit(server: Server, size: int) -> None:
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, free))

    def fail(server: Server) -> None:
        limit(server, 0)

    return await _failing("every write fails in mid-fight", folder, folder, times, fail, lambda one: limit(one, free))


async def _failing(
    fault: str, disk: Path, folder: Path, times: int, fail: Callable[[Server], None], mend: Callable[[Server], None]
) -> Row:
    url = str(disk / "world.db")
    server = Server(url, folder / "port")
    load = Load(url, [server])
    with logged(server) as log:
        await load.open()
        reads = 0
        for number in range(times):
            await load.until(BETWEEN)
            fail(server)
            await load.until_refused(5)
            reads += await _reads(load)
            mend(server)
            await load.until(BETWEEN)
            progress(fault, number + 1, times)
        assert server.pid
        await load.close()
    told = f"{load.failures.total()} moves refused with a sentence, {reads} pages of the lobby and of fights shown"
    row = Row(fault, times, f"{told}; such as: {said_most(load)}", await load.findings())
    row.found.wrong += [f"the log has a traceback: {line}" for line in log if line.startswith("Traceback")]
    return row


async def _reads(load: Load) -> int:
    """Look at the lobby and at the fights while nothing can be written."""
    reads = 0
    for bout in load.bouts[-3:]:
        await bout.players[0].request(load.servers[0], "GET", "/lobby")
        await bout.players[1].request(load.servers[0], "GET", f"/combats/{bout.number}")
        reads += 2
    return reads


# --- files ------------------------------------------------------------------------------------------------------------


def refusal(url: str, *words: str) -> str:
    """What `affray serve` says when it cannot serve a world: one sentence, no traceback, and a status of failure."""
    command = [sys.executable, QUICK_SERVER, "serve", "--store", url, "--web", "127.0.0.1:0", *words]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=600, check=False)
    said = done.stderr.strip()
    assert done.returncode == 2, (done.returncode, said)
    assert "Traceback" not in said
    return " ".join(said.split())


async def read_only(disk: Path, folder: Path) -> Row:
    """Serve a world from a disk that cannot be written."""
    file = disk / "world.db"
    await _played(file, folder)
    _mount("-o", "remount,ro", str(disk))
    try:
        said = refusal(str(file))
    finally:
        _mount("-o", "remount,rw", str(disk))
    row = Row("world on a read-only disk", 1, said)
    row.found.wrong += [] if "Read-only file system" in said else ["the reason is not told"]
    return row


def _overwritten(data: bytes, at: int, length: int) -> bytes:
    return data[:at] + random.Random(at).randbytes(length) + data[at + length :]


Damage = dict[str, tuple[str, Callable[[bytes], bytes]]]
DAMAGE: Damage = {  # to which file, and how
    "the header overwritten": ("", lambda data: _overwritten(data, 0, 100)),
    "the file cut off": ("", lambda data: data[: len(data) // 2]),
    "the file cut off within a page": ("", lambda data: data[: len(data) // 2 + 77]),
    "a page in the middle overwritten": ("", lambda data: _overwritten(data, len(data) // PAGE // 2 * PAGE, PAGE)),
    "no database at all": ("", lambda data: b"Dear diary, today we fought a slime.\n" * 1000),
    "emptied, with a WAL": ("-wal", lambda data: data),
    "the header of the WAL overwritten": ("-wal", lambda data: _overwritten(data, 0, 32)),
    "the WAL overwritten in the middle": ("-wal", lambda data: _overwritten(data, len(data) // 2, 100)),
}


async def damaged_files(folder: Path) -> Row:
    """Damage the file of a world in several ways; each is refused with a sentence, and nothing is written to it."""
    file = folder / "world.db"
    await _played(file, folder)  # killed, so that the WAL is still there
    parts = {end: Path(f"{file}{end}").read_bytes() for end in ("", "-wal")}
    _at_rest(file)
    at_rest = file.read_bytes()
    row = Row("damaged file", len(DAMAGE), "")
    for number, (kind, (end, damage)) in enumerate(DAMAGE.items(), 1):
        for left in folder.glob("world.db*"):
            left.unlink()
        file.write_bytes(b"" if kind.startswith("emptied") else parts[""] if end else at_rest)
        Path(f"{file}{end}").write_bytes(damage(parts[end] if end else at_rest))
        before = file.read_bytes(), Path(f"{file}{end}").read_bytes()
        row.told = refusal(str(file))
        if (file.read_bytes(), Path(f"{file}{end}").read_bytes()) != before:
            row.found.wrong.append(f"{kind}: the file was changed")
        if str(file) not in row.told or "--import BACKUP" not in row.told:
            row.found.wrong.append(f"{kind}: {row.told}")
        progress("damaged file", number, len(DAMAGE), f", {kind}")
    return row


async def _played(file: Path, folder: Path) -> None:
    """A world in a file, whose server was killed in mid-fight."""
    server = Server(str(file), folder / "port")
    load = Load(str(file), [server])
    try:
        await load.open()
        await load.until(3 * BETWEEN)
        await load.close()
        server.kill()
    finally:
        server.clear_away()


def _at_rest(file: Path) -> None:
    """Let SQLite move everything from the WAL into the file, as closing a world does."""
    connection = sqlite3.connect(file)
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    connection.close()


async def two_servers(folder: Path, times: int) -> Row:
    """Start a second server on the file of a first one; kill the first one, and start another."""
    file = folder / "world.db"
    server = Server(str(file), folder / "port")
    load = Load(str(file), [server])
    row = Row("two processes on one SQLite file", times, "")
    try:
        await load.open()
        for number in range(times):
            await load.until(BETWEEN)
            row.told = await asyncio.to_thread(refusal, str(file))
            if f"process {server.pid}" not in row.told:
                row.found.wrong.append(row.told)
            server.kill()
            await server.open()
            progress(row.fault, number + 1, times)
        await load.close()
    finally:
        server.clear_away()
    row.found += await load.findings()
    return row
