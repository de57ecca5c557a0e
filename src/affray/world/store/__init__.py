"""The database of a world: its tables, the statements that change them, locks, backups and upgrades."""

from affray.errors import MissingExtra

try:
    import sqlalchemy as sqlalchemy
except ImportError:
    raise MissingExtra("a world", "server") from None

from affray.world.store.store import DEFAULT, Busy, Clash, Lost, Overtaken, Store

__all__ = ["DEFAULT", "Busy", "Clash", "Lost", "Overtaken", "Store"]
