"""Compiles drivers by Numba, and keeps what has been compiled on disk, by content."""

from __future__ import annotations

import gc
import hashlib
import itertools
import marshal
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core import bytecode, caching

from affray.kernel import chance, records, rules, search, weights
from affray.kernel.caching import cache_folder
from affray.kernel.native import chance as native_chance
from affray.kernel.native import forms, memory

try:
    import fcntl
except ImportError:  # Windows: several processes may compile the same there
    fcntl = None  # type: ignore[assignment]

# Numba tells functions of one name apart by numbers that start anew in every process. Two that were compiled in
# different processes and come out of the cache could bear the same number, and one would run in place of the other.
bytecode.FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))


def jit(driver: Callable[..., Any], *entries: Callable[..., Any]) -> Any:
    """Compile a driver that calls rules; `entries` are the rules it starts from.

    The compiled code is kept on disk under a name made of the content of every rule source and constant it
    can reach, so an edited rule never runs stale. Of several processes that need the same, one compiles.
    """
    forms.make_known()
    compiled = numba.njit(nogil=True, error_model="numpy", pipeline_class=forms.DriverCompiler)(driver)
    compiled._cache = cache = _ContentCache(driver, _content_key(driver, *entries))
    compile_or_load = compiled.compile

    def compile_once(signature: Any) -> Any:
        with cache.alone(signature), _uncollected():
            return compile_or_load(signature)

    compiled.compile = compile_once
    return compiled


@contextmanager
def _uncollected() -> Iterator[None]:
    """While this lasts, no garbage is collected: the compiler makes millions of objects and keeps nearly all."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _content_key(*entries: Callable[..., Any]) -> str:
    """A hash of all that the compiled code depends on."""
    functions, names = rules.reachable(*entries)
    digest = hashlib.sha256(f"{sys.version} numba {numba.__version__} numpy {np.__version__}".encode())
    files = {function.__code__.co_filename for function in functions}
    own = (str(module.__file__) for module in (chance, weights, rules, records, search, forms, memory, native_chance))
    for file in sorted({*files, *own}):
        if Path(file).exists():
            digest.update(Path(file).read_bytes())
    # Rules typed into a notebook or a shell have no file.
    digest.update(
        b"".join(sorted(marshal.dumps(f.__code__) for f in functions if not Path(f.__code__.co_filename).exists()))
    )
    digest.update("\n".join(names).encode())
    return digest.hexdigest()[:24]


class _Locator(caching._CacheLocator):
    """Tells Numba's cache to look in a folder named by content instead of beside the source."""

    def __init__(self, key: str) -> None:
        self._key = key

    def get_cache_path(self) -> str:
        return str(cache_folder() / self._key)

    def get_source_stamp(self) -> str:
        return self._key

    def get_disambiguator(self) -> str:
        return self._key[:8]


class _ContentCacheImpl(caching.CompileResultCacheImpl):
    def __init__(self, function: Callable[..., Any], key: str) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = _Locator(key)
        self._filename_base = f"{function.__name__}-{self._lineno}"
        self._locator.ensure_cache_path()


class _ContentCache(caching.FunctionCache):
    """Numba's function cache, keyed by content alone."""

    def __init__(self, function: Callable[..., Any], key: str) -> None:
        self._name = repr(function)
        self._py_func = function
        self._impl = _ContentCacheImpl(function, key)
        self._cache_path = self._impl.locator.get_cache_path()
        self._cache_file = caching.IndexDataCacheFile(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=key,
        )
        self._content = key
        self.enable()

    def _index_key(self, signature: Any, codegen: Any) -> Any:
        return signature, codegen.magic_tuple(), self._content

    @contextmanager
    def alone(self, signature: Any) -> Iterator[None]:
        """While this lasts, no other process compiles the same for the same types; it ends with the process."""
        if fcntl is None:
            yield
            return
        types_of_it = hashlib.sha256(str(signature).encode()).hexdigest()[:16]
        with Path(self._cache_path, f"{types_of_it}.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield
