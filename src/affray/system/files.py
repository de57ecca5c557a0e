"""Writes files safely: the old file stays complete until the new one is."""

from __future__ import annotations

import os
from errno import EISDIR
from pathlib import Path

from affray.errors import Invalid


def write_whole(path: str | Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a file, with `private` for its owner alone; `Invalid` says why it cannot be written."""
    target = Path(path)
    data = content if isinstance(content, bytes) else content.encode("utf-8", errors="xmlcharrefreplace")
    try:
        beside = target.with_name(target.name + ".part")
        with open(beside, "wb", opener=_for_its_owner if private else None) as file:
            file.write(data)
        os.replace(beside, target)
    except (OSError, ValueError) as error:
        raise Invalid(f"{_quoted(target)} cannot be written: {reason(error)}", given=str(target)) from None


def check_writable(path: str | Path) -> None:
    """Find out in advance whether a file can be written; `Invalid` says why not."""
    beside = Path(path).with_name(Path(path).name + ".part")
    try:
        beside.touch()
        beside.unlink()
        if Path(path).is_dir():
            raise IsADirectoryError(EISDIR, "it is a folder")
    except (OSError, ValueError) as error:
        raise Invalid(f"{_quoted(Path(path))} cannot be written: {reason(error)}", given=str(path)) from None


def reason(error: Exception) -> str:
    """Why a file could not be read or written, without its name and number."""
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def _quoted(path: Path) -> str:
    """The name of a file as an error message has it."""
    name = str(path)
    return name if name.isprintable() else repr(name)


def _for_its_owner(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
