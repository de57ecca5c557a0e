"""Looks for damage in the file of a world before anything is written to it, so that nothing is made worse."""

from __future__ import annotations

import sqlite3
import struct
from contextlib import closing
from pathlib import Path

from affray.errors import Invalid
from affray.world.store.database import is_damage

# What follows is laid down in https://www.sqlite.org/walformat.html
WAL_HEADER, FRAME_HEADER = 32, 24  # bytes
WAL_MAGIC = 0x377F0683  # one less where the machine that wrote it puts low bytes first
LAST_FRAME_AT = 16  # in the index of the WAL: the number of the last frame that counts


def check(file: Path) -> None:
    """Refuse a file that SQLite cannot read, and one whose newest transactions it would drop without a word.

    It is read as a whole, a quarter of a second for a million moves. Nothing is written: not even what a killed
    process has left in the WAL is moved into the file.
    """
    real = file.resolve()
    wal = real.with_name(real.name + "-wal")
    if not real.stat().st_size:
        if wal.exists() and wal.stat().st_size:
            raise damaged(file, "it is empty, but has changes beside it")
        return
    with closing(sqlite3.connect(f"{real.as_uri()}?mode=ro", uri=True)) as connection:
        try:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.Error as problem:
            if is_damage(problem):
                raise damaged(file, str(problem)) from None
            return  # whatever else there is, opening it will say
        if found != "ok":
            raise damaged(file, " ".join(found.split()))
        if wal.exists():
            _check_wal(file, wal.read_bytes(), real.with_name(real.name + "-shm"))


def _check_wal(file: Path, wal: bytes, index: Path) -> None:
    """Refuse a WAL with whole transactions that SQLite leaves out because something before them is damaged.

    Transactions are put on the disk one by one. So a power failure may leave one that is not whole: the last, of which
    nobody was told.
    """
    if len(wal) <= WAL_HEADER:
        return
    if not _has_whole_header(wal):
        raise damaged(file, f"its newest changes, in {file}-wal, cannot be read")
    _, _, page, _, *salts = struct.unpack_from(">6I", wal)
    (counted,) = struct.unpack_from("=I", index.read_bytes(), LAST_FRAME_AT)
    frame = FRAME_HEADER + page
    left_out = range(WAL_HEADER + counted * frame, len(wal) - frame + 1, frame)
    headers = [struct.unpack_from(">4I", wal, at) for at in left_out]
    dropped = sum(1 for _, commits, *salt in headers if commits and salt == salts)
    if dropped > 1:
        raise damaged(file, f"its last {dropped} changes, in {file}-wal, cannot be read")


def _has_whole_header(wal: bytes) -> bool:
    magic, *_, first, second = struct.unpack_from(">8I", wal)
    words = struct.unpack_from(">6I" if magic & 1 else "<6I", wal)
    a = b = 0
    for one, two in zip(words[::2], words[1::2], strict=True):
        a = (a + one + b) & 0xFFFFFFFF
        b = (b + two + a) & 0xFFFFFFFF
    return magic | 1 == WAL_MAGIC and (a, b) == (first, second)


def damaged(file: Path, what: str) -> Invalid:
    """The error for a damaged file."""
    way_out = "affray serve --import BACKUP --store NEW"
    problem = f"the world {file} is damaged ({what}) and was left as it is; a backup makes it anew: {way_out}"
    return Invalid(problem, given=str(file))
