"""Gives the code blocks of docs/evennia.md, and edits the files of a game as those blocks show them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "evennia.md"
_BLOCK = re.compile(r"(?P<before>[^\n]*)\n\n```text\n(?P<text>.*?)```", re.DOTALL)


def blocks() -> dict[str, str]:
    """The blocks, by the sentence before each."""
    return {found["before"]: found["text"] for found in _BLOCK.finditer(PAGE.read_text(encoding="utf-8"))}


def block(begins: str) -> str:
    """The block that begins with some words."""
    (found,) = [text for text in blocks().values() if text.startswith(begins)]
    return found


def edit(file: str) -> None:
    """Change a file as the page shows it: lines that the file has are left alone, the others go behind the last one."""
    ((_, shown),) = [(before, text) for before, text in blocks().items() if f"`{file}`" in before]
    path = Path(file)
    path.write_text("\n".join(merged(path.read_text(encoding="utf-8").splitlines(), shown)) + "\n", encoding="utf-8")


def merged(lines: list[str], shown: str) -> list[str]:
    """The lines of a file with those of a block; of a class that is there only the first line is taken."""
    lines, at = list(lines), 0
    for line in shown.splitlines():
        opens = re.match(r"class \w+\(", line)
        same = [n for n in range(at, len(lines)) if (lines[n].startswith(opens[0]) if opens else lines[n] == line)]
        if same and line:
            at = same[0] + 1
            lines[at - 1] = line
        else:
            lines.insert(at, line)
            at += 1
    return lines


if __name__ == "__main__":
    what, which = sys.argv[1:]
    if what == "print":
        print(block(which))
    else:
        edit(which)
