"""What several layers' tests share: the compiler, PostgreSQL, the documents beside the checkout, a toy system."""

from __future__ import annotations

import asyncio
import gc
import math
import os
import sys
import uuid
from collections.abc import Awaitable, Callable, Iterator, Mapping
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import settings

from affray import plugins
from affray.system import registry

# Nothing that is collected, tens of thousands of objects, is garbage before the end.
gc.disable()

# No test depends on how fast the machine is.
settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

ROOT = Path(__file__).parents[1]
EXAMPLES = {
    "AFFRAY_SYSTEMS": "coins=coins:system d20=affray_d20:system",
    "PYTHONPATH": os.pathsep.join([str(ROOT / "examples" / "coins"), str(ROOT / "examples" / "d20" / "src")]),
}
"""What makes the systems of `examples/` known, to this process and to those that it starts."""
POSTGRES = os.environ.get("AFFRAY_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/test")
MUST_ANSWER = "AFFRAY_TEST_POSTGRES" in os.environ


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What starts servers or browsers, needs a database server or compiles rules is marked, to be left out."""
    here = Path(__file__).parent
    paths = {item.path for item in items}
    serving = {p for p in paths if p.is_relative_to(here / "server") or p.is_relative_to(here / "browser")}
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        values = item.callspec.params.values() if hasattr(item, "callspec") else ()
        if (
            item.path in serving
            or not {"browser", "postgres_url"}.isdisjoint(fixtures)
            or "postgres" in (value for value in values if isinstance(value, str))
        ):
            item.add_marker("server")
        if "native" in fixtures:
            item.add_marker("long")


def pytest_collection_finish() -> None:
    """From here on the collector of garbage leaves all tests alone, and looks at the rest less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    gc.enable()


async def _in_postgres(statement: str) -> None:
    asyncpg = pytest.importorskip("asyncpg", reason="asyncpg is not installed (the postgres extra)")
    try:
        connection = await asyncpg.connect(POSTGRES, timeout=5)
    except (OSError, TimeoutError, asyncpg.PostgresError) as problem:
        if MUST_ANSWER:
            raise
        pytest.skip(f"no PostgreSQL answers at {POSTGRES}: {problem}")
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


@pytest.fixture
def in_postgres() -> Callable[[str], Awaitable[None]]:
    """Has the server do something, from outside of any world."""
    return _in_postgres


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """The address of an empty PostgreSQL database."""
    name = f"affray_{uuid.uuid4().hex}"
    asyncio.run(_in_postgres(f"CREATE DATABASE {name}"))
    yield POSTGRES.rpartition("/")[0] + f"/{name}"
    asyncio.run(_in_postgres(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(autouse=True)
def nothing_found_out_yet() -> None:
    """No test has the odds that another has asked for."""
    if "affray.lab.odds" in sys.modules:
        sys.modules["affray.lab.odds"].forget()


@pytest.fixture(autouse=True)
def computers_move_without_a_clock() -> None:
    """How many moves computer fighters make at once does not depend on how fast the machine is."""
    if "affray.world.combats.autoplay" in sys.modules:
        sys.modules["affray.world.combats.autoplay"].SECONDS_AT_ONCE = math.inf  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def native() -> ModuleType:
    """The compiler of rules, where the lab extra is installed."""
    pytest.importorskip("numba", reason="Numba is not installed (the lab extra)")
    from affray.kernel import native

    return native


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of the five documents and their rulings, which is not part of the checkout."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not (folder / "sources").is_dir():
        pytest.skip("the documents are not beside this checkout")
    return folder


@pytest.fixture
def examples(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The systems of `examples/` are found like any other."""
    for name, value in EXAMPLES.items():
        monkeypatch.setenv(name, value)
    for folder in EXAMPLES["PYTHONPATH"].split(os.pathsep):
        monkeypatch.syspath_prepend(folder)
    plugins.systems.cache_clear()
    yield
    plugins.systems.cache_clear()
    registry._loaded.cache_clear()
    for name in [name for name in sys.modules if name == "coins" or name.startswith("affray_d20")]:
        del sys.modules[name]


@pytest.fixture(scope="session")
def examples_environment() -> Mapping[str, str]:
    """The environment in which a new process knows the systems of `examples/`."""
    return EXAMPLES


@pytest.fixture(scope="session")
def toy() -> ModuleType:
    """A small combat system with hidden cards, secret bids and dice at the start."""
    spec = spec_from_file_location("toy", Path(__file__).with_name("toy.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["toy"] = module
    spec.loader.exec_module(module)
    return module
