"""Runs every code block of the README and of the documentation, so that what they show is true."""

import doctest
import io
import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
import tomllib
import traceback
import types
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest

from affray.lab import odds
from affray.system import registry
from affray.terminal import main

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
each_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))

# These build, or fetch and enter, the very environment that this test runs in; .ci/run tries `make` itself.
# Only when they stand alone, lest a chained command escape.
NOT_RUN = re.compile(r"(make|pip install|git clone|cd)( [^&;|]*)?")

# A command of Affray by itself, or what is typed into it.
AFFRAY = re.compile(r"(?:(?P<typed>(?:printf|echo) [^|;&<>]+) \| )?affray (?P<words>.*?)(?: < /dev/null)?", re.DOTALL)
TERMINAL = {"COLUMNS": "80", "NO_COLOR": "1", "PYTHONUTF8": "1"}

PLAIN_TEXT = {"text", "mermaid"}
SECONDS_PER_COMMAND = 1800  # one that takes longer hangs

FENCE = re.compile(r" *(?P<fence>`{3,}|~{3,}) *(?P<language>[\w+-]*)")
MACHINE_PATH = re.compile(r"(?<![\w.:/-])(/(home|root|Users|tmp|work|workspace|builds|mnt)/|[A-Z]:\\)")


class Block(NamedTuple):
    """One fenced code block; `line` is the number of its opening fence."""

    document: Path
    line: int
    language: str
    text: str

    def fail(self, what: str, line: int | None = None) -> NoReturn:
        where = f"{self.document.relative_to(ROOT)}:{line or self.line}"
        raise pytest.fail.Exception(f"{where}: {what}", pytrace=False) from None


def blocks(document: Path) -> Iterator[Block]:
    """The fenced blocks of a Markdown file, also those indented below a tab, a list or a note."""
    lines = enumerate(document.read_text(encoding="utf-8").splitlines(), 1)
    for number, line in lines:
        if not (opening := FENCE.match(line)):
            if "```" in line or "~~~" in line:
                Block(document, number, "", "").fail("a fence needs a line of its own, indented by nothing but spaces")
            continue
        closing = re.compile(rf" *{opening['fence']}{opening['fence'][0]}* *")
        inside = []
        for _, text in lines:
            if closing.fullmatch(text):
                break
            inside.append(text)
        else:
            Block(document, number, "", "").fail("this code block is never closed")
        yield Block(document, number, opening["language"], textwrap.dedent("\n".join(inside)) + "\n")


def run_python(block: Block, namespace: dict[str, object]) -> None:
    # Blank lines in front make a traceback name the line of the document.
    source = "\n" * block.line + block.text
    try:
        exec(compile(source, str(block.document), "exec", dont_inherit=True), namespace)
    except SyntaxError as error:
        block.fail(f"this is no Python: {error.msg}", error.lineno)
    except (Exception, SystemExit) as error:
        steps = traceback.extract_tb(error.__traceback__)
        line = next(step.lineno for step in reversed(steps) if step.filename == str(block.document))
        block.fail(f"this Python failed:\n{traceback.format_exc()}", line)


def run_doctest(block: Block, namespace: dict[str, object]) -> None:
    name = str(block.document.relative_to(ROOT))
    try:
        test = doctest.DocTestParser().get_doctest(block.text, namespace, name, name, block.line)
    except ValueError as error:
        block.fail(f"these examples cannot be read: {error}")
    if not test.examples:
        block.fail("a pycon block needs a line that starts with >>>")
    test.globs = namespace  # not the copy that DocTest makes: later blocks build on this one
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    if runner.run(test, out=report.append, clear_globs=False).failed:
        block.fail("these examples go differently:\n" + "".join(report))


def run_console(block: Block, folder: Path) -> None:
    # Each piece is a command, with lines continued by a backslash, and the output below it.
    before, *pieces = re.split(r"^\$ ((?:.*\\\n)*.*)\n", block.text, flags=re.MULTILINE)
    if before.strip() or not pieces:
        block.fail("a console block starts with a command: a line that begins with `$ `")
    line = block.line + 1
    for command, shown in zip(pieces[::2], pieces[1::2], strict=True):
        if not NOT_RUN.fullmatch(command):
            run_command(block, line, command, shown, folder)
        line += command.count("\n") + 1 + shown.count("\n")


def run_command(block: Block, line: int, command: str, shown: str, folder: Path) -> None:
    code, told = run_affray(command) or run_shell(block, line, command, folder)
    if code:
        block.fail(f"`{command}` ended with {code}:\n{told}", line)
    want, got = (re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE).strip("\n") + "\n" for text in (shown, told))
    if shown.strip() and not doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS):
        block.fail(f"`{command}` should print\n\n{want}\nbut printed\n\n{got}", line)


def run_affray(command: str) -> tuple[int, str] | None:
    """The code and the output of a command of Affray, run in this process; None if it needs a shell.

    Tests of processes show that `affray` starts; nothing here needs so many of them.
    """
    simple = AFFRAY.fullmatch(command.replace("\\\n", " "))
    if simple is None or re.search(r"[;&|<>$`*~]", re.sub(r"'[^']*'|\"[^\"$`]*\"", "", simple["words"])):
        return None
    typed = subprocess.run(
        ["bash", "-c", simple["typed"] or ":"], stdout=subprocess.PIPE, check=True, encoding="utf-8"
    ).stdout
    told = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(told), redirect_stderr(told):
        patch.setattr(sys, "stdin", io.StringIO(typed))
        for name, value in TERMINAL.items():
            patch.setenv(name, value)
        odds.forget()  # as a new process would begin
        code = main(shlex.split(simple["words"]))
    return code, told.getvalue()


def run_shell(block: Block, line: int, command: str, folder: Path) -> tuple[int, str]:
    """The code and the output of any other command."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    try:
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            env=os.environ | TERMINAL | {"PATH": path},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,  # a terminal shows both
            timeout=SECONDS_PER_COMMAND,
            encoding="utf-8",
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        block.fail(f"`{command}` did not end within {SECONDS_PER_COMMAND} seconds", line)
    return done.returncode, done.stdout


def run(block: Block, namespace: dict[str, object], folder: Path) -> None:
    match block.language:
        case "python" if not block.text.lstrip().startswith(">>>"):
            run_python(block, namespace)
        case "python" | "pycon":
            run_doctest(block, namespace)
        case "console":
            run_console(block, folder)
        case "toml" | "json":
            try:
                (tomllib if block.language == "toml" else json).loads(block.text)
            except ValueError as error:  # both libraries' errors are ValueErrors
                block.fail(f"this is no {block.language}: {error}")
        case other if other not in PLAIN_TEXT:
            block.fail(f"nothing here can check a block of language {other!r}; plain text is marked `text`")


@each_document
def test_every_code_block_holds(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # A real module, so that classes defined in a block can look up their own annotations.
    page = types.ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", page)
    monkeypatch.setattr(registry, "_registered", {})  # a system that a page registers is known to that page alone
    for block in blocks(document):
        run(block, vars(page), tmp_path)


@each_document
def test_no_path_of_some_machine_is_mentioned(document: Path) -> None:
    lines = enumerate(document.read_text(encoding="utf-8").splitlines(), 1)
    found = [f"{document.relative_to(ROOT)}:{number}: {line}" for number, line in lines if MACHINE_PATH.search(line)]
    assert not found, "a path of one machine:\n" + "\n".join(found)
