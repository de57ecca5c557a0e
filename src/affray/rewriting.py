"""Changes or adds one sheet in a TOML file and leaves every other line of it alone."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from affray.errors import Invalid
from affray.schema import load_toml

_SHORT = 28  # columns up to which a line waits for the others' comments


def change_sheet(path: str | Path, id: str, changes: Mapping[str, object]) -> None:
    """Set some keys of the sheet `[id]`, which is added where there is none; a file that is not there is made.

    The old file stays whole until the new one is. `Invalid` where the sheet is not written plainly, as `[id]` with
    one key a line: then nothing is changed.
    """
    file = Path(path)
    before = load_toml(file) if file.exists() else {}
    text = file.read_text(encoding="utf-8-sig") if file.exists() else ""
    sheet = before.get(id, {})
    wanted = {**before, id: {**(sheet if isinstance(sheet, Mapping) else {}), **changes}}
    changed = _changed(text, id, changes)
    if not _says(changed, wanted):
        problem = f"{path}: the sheet {id} cannot be changed, allowed is one that begins with [{id}], one key a line"
        raise Invalid(problem, given=id)
    _write(file, changed)


def add_sheet(path: str | Path, id: str, table: Mapping[str, object], comments: Mapping[str, str]) -> list[str]:
    """Add the sheet `[id]` below whatever the file holds, with a comment beside a key; returns the lines added.

    A file that is not there is made. `Invalid` where there is such a sheet already: then nothing is changed.
    """
    file = Path(path)
    before = load_toml(file) if file.exists() else {}
    if id in before:
        raise Invalid(f"{path} has a sheet {id} already, allowed is another name", given=id)
    text = file.read_text(encoding="utf-8-sig") if file.exists() else ""
    added = [f"[{id}]", *_aligned([(f"{key} = {_toml(value)}", comments.get(key, "")) for key, value in table.items()])]
    above = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    whole = text + above + "\n".join(added) + "\n"
    if not _says(whole, {**before, id: dict(table)}):
        raise Invalid(f"{path}: no sheet can be added below its last line", given=id)
    _write(file, whole)
    return added


def _aligned(lines: Sequence[tuple[str, str]]) -> list[str]:
    """Lines with their comments under each other, as far as the lines are short."""
    wide = max((len(line) for line, comment in lines if comment and len(line) <= _SHORT), default=0)
    return [f"{line:{wide}}  # {comment}" if comment else line for line, comment in lines]


def _changed(text: str, id: str, changes: Mapping[str, object]) -> str:
    """The text with the keys set: where they stand, or below the sheet's last one."""
    lines = text.splitlines()
    heading = re.compile(rf"\s*\[\s*{re.escape(id)}\s*\]\s*(#.*)?")
    start = next((number for number, line in enumerate(lines) if heading.fullmatch(line)), None)
    if start is None:
        lines += [*([""] if lines else []), f"[{id}]"]
        start = len(lines) - 1
    end = next((n for n in range(start + 1, len(lines)) if lines[n].lstrip().startswith("[")), len(lines))
    section = lines[start:end]
    for key, value in changes.items():
        _set(section, key, f"{key} = {_toml(value)}")
    return "\n".join([*lines[:start], *section, *lines[end:]]) + "\n"


def _set(section: list[str], key: str, line: str) -> None:
    present = re.compile(rf"\s*{re.escape(key)}\s*=.*")
    for number, before in enumerate(section):
        if present.fullmatch(before):
            section[number] = _beside(line, before)
            return
    last = max(number for number, before in enumerate(section) if before.strip() and not before.startswith("#"))
    section.insert(last + 1, line)


def _beside(line: str, before: str) -> str:
    """The line with the comment that stood beside the one before it, in the same place if there is room."""
    for found in re.finditer("#", before):
        if _is_toml(before[: found.start()]):  # and so no sign within a text
            return f"{line + '  ':{found.start()}}{before[found.start() :]}"
    return line


def _toml(value: object) -> str:
    """A text, number, flag or list as TOML writes it: as JSON does; only a table is written in another way."""
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(str(key))} = {_toml(of)}' for key, of in value.items())} }}" if value else "{}"
    return json.dumps(value, ensure_ascii=False)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _says(text: str, wanted: Mapping[str, object]) -> bool:
    return _is_toml(text) and tomllib.loads(text) == wanted


def _write(file: Path, text: str) -> None:
    beside = file.with_name(file.name + ".part")
    try:
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, file)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise Invalid(f"{file} cannot be written: {reason}", given=str(file)) from None
