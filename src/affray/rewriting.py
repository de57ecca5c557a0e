"""Changes one sheet in a TOML file and leaves every other line of it alone."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

from affray.errors import Invalid
from affray.schema import load_toml


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
            section[number] = line
            return
    last = max(number for number, before in enumerate(section) if before.strip() and not before.startswith("#"))
    section.insert(last + 1, line)


def _toml(value: object) -> str:
    """A text, number, flag or list as TOML writes it: as JSON does."""
    return json.dumps(value, ensure_ascii=False)


def _says(text: str, wanted: Mapping[str, object]) -> bool:
    try:
        return tomllib.loads(text) == wanted
    except tomllib.TOMLDecodeError:
        return False


def _write(file: Path, text: str) -> None:
    beside = file.with_name(file.name + ".part")
    try:
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, file)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise Invalid(f"{file} cannot be written: {reason}", given=str(file)) from None
