"""Modules: where the WebAssembly of a system's rules is, and whether it was made from the present rules."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affray.kernel import rules
from affray.kernel.playing import player_out, unfolder
from affray.kernel.search import iterator
from affray.kernel.state import to_act
from affray.system.abilities import Exchange

if TYPE_CHECKING:
    from affray.system.contract import System

FOLDER = "compiled"
ENGINE = (
    "kernel/chance.py",
    "kernel/drivers.py",
    "kernel/exact.py",
    "kernel/native/chance.py",
    "kernel/native/forms.py",
    "kernel/native/memory.py",
    "kernel/playing.py",
    "kernel/records.py",
    "kernel/search.py",
    "kernel/state.py",
    "kernel/weights.py",
    "kernel/wasm/build.py",
    "lab/drivers.py",
    "lab/search_driver.py",
    "lab/settling.py",
    "lab/courses.py",
    "lab/stepping.py",
)
"""What every module is made of, beside the rules of its system."""


@cache
def find(system: System[Any, Any], slots: int) -> bytes | None:
    """The module of a system for a size class; None where there is none of the present rules, or nothing to run it."""
    if not is_there(system, slots):
        return None
    folder = _folder(system)
    assert folder is not None
    return (folder / name(system, slots)).read_bytes()


@cache
def is_there(system: System[Any, Any], slots: int) -> bool:
    """Whether there is a module of the present rules, and something to run it."""
    folder = _folder(system)
    runs = sys.platform == "emscripten" or find_spec("wasmtime") is not None
    return runs and folder is not None and folder.is_dir() and (folder / name(system, slots)).is_file()


def name(system: System[Any, Any], slots: int) -> str:
    """What a module is called: its system, its size class and the key of all that it is made of."""
    return f"{system.id}-{slots}-{key(system)}.wasm"


def folder_to_build(system: System[Any, Any]) -> Path:
    """Where the modules of a system are written to: a folder beside its rules."""
    return Path(str(_folder(system)))


def _folder(system: System[Any, Any]) -> Traversable | None:
    home = sys.modules.get(system.begin.__module__)
    if home is None or not getattr(home, "__file__", None):
        return None  # typed into a shell or a notebook
    if home.__package__:
        return files(home.__package__) / FOLDER
    return Path(str(home.__file__)).parent / FOLDER


@cache
def key(system: System[Any, Any]) -> str:
    """A hash of all that the modules of a system are made of: rules and constants, not comments and blank lines."""
    _, names = rules.reachable(*_entries(system))
    places = re.compile(r":[0-9]+")  # lines in the source, which comments move
    digest = hashlib.sha256("\n".join(sorted(places.sub("", name) for name in names)).encode())
    digest.update(repr((system.figure_names, bool(system.costs), system.state.__qualname__)).encode())
    sources = [(files("affray") / file).read_text(encoding="utf-8") for file in ENGINE]
    sources += [_source(home) for home in homes(system)]
    for source in sources:
        digest.update(stripped(source).encode())
    return digest.hexdigest()[:16]


def homes(system: System[Any, Any]) -> list[str]:
    """The Python modules, beside the engine's, whose sources a module of WebAssembly is made of."""
    functions, _ = rules.reachable(*_entries(system))
    outside = {function.__module__ for function in functions if not function.__module__.startswith("affray.kernel.")}
    return sorted({*outside, system.state.__module__})


def _entries(system: System[Any, Any]) -> Iterator[Callable[..., Any]]:
    yield from (to_act, system.begin, system.legal, system.most_moves, system.hide, system.imagine)
    yield from (player_out(system), unfolder(system), iterator(system))
    exchange = system.ability(Exchange)
    if exchange is not None and exchange.measure is not None:
        yield exchange.measure


def has_source(module: str) -> bool:
    """Whether a Python module has a source, which tells its rules from edited ones."""
    return bool(_source(module))


def _source(module: str) -> str:
    loader: Any = getattr(sys.modules[module], "__loader__", None)
    source: str | None = loader.get_source(module) if hasattr(loader, "get_source") else None
    return source or ""


_LEFT_OUT = re.compile(r'^[ \t]*(?:"""(?s:.*?)"""[ \t]*)?(?:#.*)?\n|[ \t]{2}#.*$', re.MULTILINE)


def stripped(source: str) -> str:
    """A source without comments, docstrings and blank lines."""
    return _LEFT_OUT.sub("", source)
