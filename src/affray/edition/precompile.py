"""Compiles the modules that are imported at the start, with the Python that will run them: the page starts sooner."""

from __future__ import annotations

import ast
import importlib._bootstrap_external as external
import importlib.util
import io
import sys
import zipfile
from collections.abc import Container

from affray.lab.modules import ENGINE, homes, stripped
from affray.system.registry import find, names

# Parts of the standard library that nothing here imports; some are large.
UNUSED = (
    "_pydatetime.py",
    "_pydecimal.py",
    "_pyio.py",
    "_pyrepl/",
    "argparse.py",
    "asyncio/__main__.py",
    "asyncio/proactor_events.py",
    "asyncio/tools.py",
    "asyncio/windows_",
    "bdb.py",
    "cProfile.py",
    "cmd.py",
    "colorsys.py",
    "compileall.py",
    "concurrent/futures/interpreter.py",
    "concurrent/interpreters/",
    "configparser.py",
    "ctypes/_aix.py",
    "ctypes/macholib/",
    "ctypes/wintypes.py",
    "doctest.py",
    "email/mime/",
    "ensurepip/",
    "filecmp.py",
    "fileinput.py",
    "ftplib.py",
    "getopt.py",
    "getpass.py",
    "gettext.py",
    "graphlib.py",
    "html/parser.py",
    "http/cookiejar.py",
    "http/cookies.py",
    "http/server.py",
    "idlelib/",
    "imaplib.py",
    "json/tool.py",
    "logging/config.py",
    "logging/handlers.py",
    "mailbox.py",
    "mimetypes.py",
    "modulefinder.py",
    "multiprocessing/dummy/",
    "multiprocessing/forkserver.py",
    "multiprocessing/heap.py",
    "multiprocessing/managers.py",
    "multiprocessing/pool.py",
    "multiprocessing/popen_forkserver.py",
    "multiprocessing/popen_spawn_win32.py",
    "multiprocessing/shared_memory.py",
    "multiprocessing/sharedctypes.py",
    "netrc.py",
    "optparse.py",
    "pdb.py",
    "pickletools.py",
    "plistlib.py",
    "poplib.py",
    "profile.py",
    "pstats.py",
    "pty.py",
    "py_compile.py",
    "pyclbr.py",
    "pydoc",
    "rlcompleter.py",
    "sched.py",
    "shelve.py",
    "smtplib.py",
    "socketserver.py",
    "sqlite3/__main__.py",
    "symtable.py",
    "sysconfig/__main__.py",
    "tabnanny.py",
    "tarfile.py",
    "timeit.py",
    "tkinter/",
    "trace.py",
    "turtle",
    "unittest/",
    "urllib/robotparser.py",
    "venv/",
    "wave.py",
    "wsgiref/",
    "xml/",
    "xmlrpc/",
    "zipapp.py",
)
ENCODINGS = ("__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "utf_8", "utf_8_sig")
"""The encodings that are kept: what Affray reads and writes is UTF-8, and zip files name theirs by a number."""


def imported() -> set[str]:
    """The Python modules that answering a page takes, found by importing them."""

    for name in names():
        find(name).catalogue()
    return set(sys.modules)


def keys_need() -> set[str]:
    """The Python modules whose sources must stay, because the keys of compiled rules are made of them."""
    engine = {_module(f"affray/{file}") for file in ENGINE}
    return engine | {home for name in names() for home in homes(find(name))}


def compiled(archive: bytes, wanted: Container[str], sources: Container[str], *, library: bool) -> bytes:
    """The archive with the wanted sources compiled, most of them in place of the source."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as source, zipfile.ZipFile(made, "w") as packed:
        for entry in sorted(source.infolist(), key=lambda entry: entry.filename):
            name, content = entry.filename, source.read(entry)
            if name.endswith("/") or (library and _is_unused(name)) or _module(name) == __name__:  # its work ends here
                continue
            is_wanted = name.endswith(".py") and _module(name) in wanted
            is_needed = _module(name) in sources
            if is_needed:
                _add(packed, name, stripped(content.decode()).encode())  # from which the same keys are made
            elif not is_wanted:
                is_own = name.endswith(".py") and not library
                _add(packed, name, _without_docstrings(content) if is_own else content)
            if is_wanted:
                folder, _, file = name.rpartition("/")
                beside = f"{folder}/{importlib.util.cache_from_source(file)}"
                _add(packed, beside if is_needed else f"{name}c", _bytecode(content, name, 2 if library else 0))
    return made.getvalue()


def _without_docstrings(source: bytes) -> bytes:
    """A source that does the same, without docstrings and comments."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        match node:
            case ast.Module() | ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef() if ast.get_docstring(node):
                node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree).encode()


def _is_unused(name: str) -> bool:
    folder, _, file = name.rpartition("/")
    return name.startswith(UNUSED) or (folder == "encodings" and file.partition(".")[0] not in ENCODINGS)


def _module(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _bytecode(source: bytes, name: str, optimize: int) -> bytes:
    """A compiled source that is taken as it is, whatever the time of the source beside it."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=optimize)
    made: bytes = external._code_to_hash_pyc(code, importlib.util.source_hash(source), False)  # type: ignore[attr-defined]
    return made


def _add(packed: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # so that the same sources give the same bytes
    packed.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)
