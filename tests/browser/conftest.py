"""What the browser's tests share: a served world, a browser, and visitors whose pages complain of nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture(scope="session")
def pages() -> ModuleType:
    """The helpers of this folder, where there is a browser."""
    pytest.importorskip("playwright.sync_api", reason="Playwright is not installed (the dev extra)")
    pytest.importorskip("litestar", reason="Litestar is not installed (the server extra)")
    spec = spec_from_file_location("browser_pages", Path(__file__).with_name("pages.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["browser_pages"] = module
    spec.loader.exec_module(module)
    if module.CHROMIUM is None:
        pytest.skip("there is no chromium on this machine")
    return module


@pytest.fixture(scope="session")
def server(
    pages: ModuleType, tmp_path_factory: pytest.TempPathFactory, examples_environment: Mapping[str, str]
) -> Iterator[Any]:
    """A world that all tests visit; nothing may go wrong in it."""
    with pages.serving(
        tmp_path_factory.mktemp("served"), examples_environment, "--embed", "http://localhost:*"
    ) as server:
        yield server
        assert "Traceback" not in server.log(), server.log()


# For a module and not for the session: while Playwright runs, no other test of the process can run a loop of its own.
@pytest.fixture(scope="module")
def windows(pages: ModuleType) -> Iterator[Any]:
    with pages.chromium() as windows:
        yield windows


@pytest.fixture
def visit(pages: ModuleType, server: Any, windows: Any) -> Iterator[Callable[..., Any]]:
    """`visit("Ann")` comes with an account of her own, `visit()` as a guest."""
    visitors = []

    def come(name: str = "", *, at: str = server.address, **how: Any) -> Any:
        visitor = pages.Visitor(windows, at, **how)
        visitors.append(visitor)
        visitor.go()
        if name:
            visitor.register(pages.fresh(name))
        return visitor

    yield come
    for visitor in visitors:
        visitor.close()
    assert [problem for visitor in visitors for problem in visitor.problems] == []
