"""The database of a world: its tables, the statements that change them, locks, backups and upgrades."""

from affray.world.store.database import Overtaken
from affray.world.store.store import DEFAULT, Busy, Clash, Lost, Store

__all__ = ["DEFAULT", "Busy", "Clash", "Lost", "Overtaken", "Store"]
