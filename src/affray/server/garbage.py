"""Python's garbage collection in a server: in small steps, because a full one would stop all fights for a while."""

from __future__ import annotations

import asyncio
import gc
import time

YOUNG, MIDDLE = 40_000, 2
"""New objects before they are looked through, and how often that happens before those that were kept are, too."""

NEVER = 1_000_000_000
LOOK_EVERY = 10.0  # seconds
QUIET = 0.05  # of a processor
SELDOM, AT_LATEST = 600.0, 3600.0  # seconds between two full collections: in a quiet moment, and without one


def collect_in_steps() -> None:
    """Look only through objects that are new: nearly all others are fights, which are freed without such a search."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)


async def collect_when_quiet() -> None:
    """Look through all objects now and then, in moments in which hardly anything happens."""
    last = time.monotonic()
    while True:
        used = time.process_time()
        await asyncio.sleep(LOOK_EVERY)
        since, is_quiet = time.monotonic() - last, time.process_time() - used < QUIET * LOOK_EVERY
        if since > AT_LATEST or (since > SELDOM and is_quiet):
            gc.collect()
            last = time.monotonic()
