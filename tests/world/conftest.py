"""Gives each test a store of its own on each database; runs tests that are coroutines."""

from __future__ import annotations

import asyncio
import inspect
import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

POSTGRES = os.environ.get("AFFRAY_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/test")
MUST_ANSWER = "AFFRAY_TEST_POSTGRES" in os.environ


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """An `async def test_...` runs in an event loop of its own."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    wanted = inspect.signature(pyfuncitem.obj).parameters
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in wanted}))
    return True


async def in_postgres(statement: str) -> None:
    """Have the server do something, from outside of any world."""
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
def sqlite_url(tmp_path: Path) -> str:
    """An address at which a SQLite world can be made."""
    return f"sqlite:///{tmp_path / 'world.db'}"


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """The address of an empty PostgreSQL database."""
    name = f"affray_{uuid.uuid4().hex}"
    asyncio.run(in_postgres(f"CREATE DATABASE {name}"))
    yield POSTGRES.rpartition("/")[0] + f"/{name}"
    asyncio.run(in_postgres(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture(params=["sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest) -> str:
    """An address at which no world is yet, on each database."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url
