"""Full garbage collections of a server wait for quiet moments."""

from __future__ import annotations

import asyncio
import gc

import pytest

from affray.server import garbage


async def collected(monkeypatch: pytest.MonkeyPatch, looks: int, quiet: float, seldom: float, latest: float) -> int:
    """How often all objects were looked through while it was looked so many times whether it is quiet."""
    full: list[None] = []
    seen = asyncio.Event()
    left = looks

    async def sleep(seconds: float) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            seen.set()
            await asyncio.Event().wait()

    monkeypatch.setattr(gc, "collect", lambda: full.append(None))
    monkeypatch.setattr(garbage.asyncio, "sleep", sleep)
    for name, value in (("QUIET", quiet), ("SELDOM", seldom), ("AT_LATEST", latest)):
        monkeypatch.setattr(garbage, name, value)
    task = asyncio.create_task(garbage.collect_when_quiet())
    await seen.wait()
    task.cancel()
    return len(full)


@pytest.mark.parametrize(
    ("quiet", "seldom", "latest", "times"),
    [
        (1e6, -1.0, 1e6, 3),  # always quiet, and always time for it
        (-1.0, -1.0, 1e6, 0),  # never quiet
        (-1.0, -1.0, -1.0, 3),  # never quiet, but it has waited long enough
        (1e6, 1e6, 1e6, 0),  # quiet, but it has just been done
    ],
)
def test_when_all_objects_are_looked_through(
    monkeypatch: pytest.MonkeyPatch, quiet: float, seldom: float, latest: float, times: int
) -> None:
    assert asyncio.run(collected(monkeypatch, 3, quiet, seldom, latest)) == times
