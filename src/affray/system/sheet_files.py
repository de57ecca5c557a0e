"""Changes or adds one sheet in a TOML file and leaves the rest of the file unchanged, comments included."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affray.errors import Invalid
from affray.system.files import write_whole
from affray.system.schema import load_toml

if TYPE_CHECKING:
    from tomlkit.items import Item

_SHORT = 28  # the column up to which comments are aligned


def change_sheet(path: str | Path, id: str, changes: Mapping[str, object]) -> None:
    """Set some keys of the sheet `[id]`; a sheet or file that does not exist is created.

    The old file stays complete until the new one is. `Invalid` if `id` is not a table: then nothing is changed.
    """
    import tomlkit
    from tomlkit.items import Table

    file, text, before = _read(path)
    document = tomlkit.parse(text)
    sheet: Any = document.setdefault(id, tomlkit.table())
    if not isinstance(before.get(id, {}), Mapping):
        raise Invalid(f"{path}: {id} is not a sheet, which begins with [{id}]", given=id)
    body = sheet.value.body if isinstance(sheet, Table) else []
    below: list[Any] = []  # blank lines and comments, which belong to what follows
    while body and body[-1][0] is None:
        below.insert(0, body.pop())
    for key, value in changes.items():
        old = sheet.get(key)
        sheet[key] = _item(value)
        if old is not None:
            _keep_comment_in_place(old, sheet[key])
    body.extend(below)
    _write(file, tomlkit.dumps(document), {**before, id: {**before.get(id, {}), **changes}})


def add_sheet(path: str | Path, id: str, table: Mapping[str, object], comments: Mapping[str, str]) -> list[str]:
    """Add the sheet `[id]` at the end of the file, with comments beside its keys; returns the lines added.

    A file that does not exist is created. `Invalid` if there is such a sheet already: then nothing is changed.
    """
    import tomlkit

    file, text, before = _read(path)
    if id in before:
        raise Invalid(f"{path} already has a sheet {id}; choose another name", given=id)
    sheet = tomlkit.table()
    items = {key: _item(value) for key, value in table.items()}
    lengths = {key: len(f"{key} = {item.as_string()}") for key, item in items.items()}
    wide = max((length for key, length in lengths.items() if key in comments and length <= _SHORT), default=0)
    for key, item in items.items():
        if key in comments:
            item.comment(comments[key]).trivia.comment_ws = " " * (max(0, wide - lengths[key]) + 2)
        sheet.add(key, item)
    added = tomlkit.dumps({id: sheet})
    above = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    _write(file, text + above + added, {**before, id: dict(table)})
    return added.splitlines()


def _item(value: object) -> Item:
    """A value as TOML; a table takes one line."""
    import tomlkit

    if isinstance(value, Mapping):
        inline = tomlkit.inline_table()
        inline.update({key: _item(part) for key, part in value.items()})
        return inline
    return tomlkit.item(value)


def _keep_comment_in_place(old: Item, new: Item) -> None:
    """Keep the comment beside a value in its column, if there is room."""
    if new.trivia.comment and "\n" not in old.as_string():
        room = len(new.trivia.comment_ws) + len(old.as_string()) - len(new.as_string())
        new.trivia.comment_ws = " " * max(2, room)


def _read(path: str | Path) -> tuple[Path, str, dict[str, Any]]:
    """A file, its text and its content, which are empty if there is no file yet."""
    file = Path(path)
    return (file, file.read_text(encoding="utf-8-sig"), load_toml(file)) if file.exists() else (file, "", {})


def _write(file: Path, text: str, wanted: Mapping[str, object]) -> None:
    """Write a text, if its content is as wanted."""
    if tomllib.loads(text) != wanted:
        raise Invalid(f"{file} cannot be changed: its layout is not supported", given=str(file))
    write_whole(file, text)
