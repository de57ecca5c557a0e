"""Runs code that a reader has typed into a page, as the Python prompt would."""

from __future__ import annotations

import ast
import io
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

PROMPTS = (">>> ", "... ", ">>>", "...")
TYPED = "<page>"
_names: dict[str, Any] = {"__name__": "__main__"}


def run(source: str) -> str:
    """What the code prints, with the value of every expression; what it defines is there for the next one."""
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            for statement in ast.parse(bare(source), TYPED).body:
                is_shown = isinstance(statement, ast.Expr)
                tree = ast.Interactive([statement]) if is_shown else ast.Module([statement], [])
                exec(compile(tree, TYPED, "single" if is_shown else "exec"), _names)
        except BaseException as error:  # also SystemExit: the worker goes on
            print("".join(traceback.format_exception_only(error)), end="", file=sys.stderr)
    return printed.getvalue()


def bare(source: str) -> str:
    """The code of an example, without prompts and without what was printed."""
    lines = source.splitlines()
    if not any(line.startswith(">>>") for line in lines):
        return source
    return "\n".join(_without_prompt(line) for line in lines if line.startswith(PROMPTS)) + "\n"


def _without_prompt(line: str) -> str:
    return line[4:] if line[3:4] in ("", " ") else line[3:]
