"""How much is kept of combats that have ended: the last ones. Older ones are archived if wanted, and removed."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affray.errors import Refused
from affray.fight import saving
from affray.system.files import check_writable
from affray.world.combats import games
from affray.world.combats.combats import load
from affray.world.store import Store, statements

if TYPE_CHECKING:
    from affray.world.world import World

log = logging.getLogger(__name__)

EVERY = 600.0  # seconds
AT_ONCE = 100
"""How many are removed at once, so that moves need not wait long for the store."""


@dataclass(frozen=True)
class History:
    """How many combats that have ended are kept, and the folder to which the logs of older ones go."""

    kept: int = 10_000
    archive: Path | None = None

    def check(self) -> None:
        """Refuse a folder that cannot be written; one that is not there is made."""
        if self.archive is not None:
            with suppress(OSError):
                self.archive.mkdir(parents=True, exist_ok=True)
            check_writable(_file(self.archive, 0))

    async def go_on(self, world: World) -> None:
        """Trim it at intervals as long as the world is open."""
        while True:
            try:
                if removed := await self.trim(world.store):
                    log.info("%s combats that had ended have been removed", removed)
            except (Refused, OSError) as problem:
                log.error("combats that have ended could not be removed: %s", problem)
            await asyncio.sleep(EVERY)

    async def trim(self, store: Store) -> int:
        """Archive and remove what is too old; returns how many have been removed."""
        surplus = await store.ended_before(self.kept)
        removed = 0
        for first in range(0, len(surplus), AT_ONCE):
            numbers = surplus[first : first + AT_ONCE]
            if self.archive is not None:
                numbers = [number for number in numbers if await self._is_archived(store, number, self.archive)]
            await store.commit(*(statements.remove_combat(number) for number in numbers))
            removed += len(numbers)
        return removed

    async def _is_archived(self, store: Store, number: int, folder: Path) -> bool:
        """Write the log of a combat, as players may have it, so that `affray replay` and `affray verify` take it.

        One that cannot be run stays where it is.
        """
        row = await store.combat(number)
        if row is None or row.log is None:  # it was never started, or another process has removed it
            return row is not None
        try:
            table = games.exported((await load(store, row)).running(), ended=True)
        except Refused as problem:
            log.warning("combat %s (%s) is not archived: %s", number, row.name, problem)
            return False
        await asyncio.to_thread(_write, table, _file(folder, number))
        return True


def _file(folder: Path, number: int) -> Path:
    return folder / f"combat-{number}.json"


def _write(table: Mapping[str, Any], path: Path) -> None:
    """Have the file on the disk before the combat is removed from the store."""
    saving.write(table, path)
    with path.open("rb") as file:
        os.fsync(file.fileno())
