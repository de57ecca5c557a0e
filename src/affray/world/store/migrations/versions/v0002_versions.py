"""Version 2: combats count their changes, and a place has one that has not ended, whatever two processes do."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
INDEX = "one_combat_in_a_place"


def upgrade() -> None:
    """Count from 0 on."""
    op.add_column("combats", sa.Column("version", sa.Integer, nullable=False, server_default="0"))
    unended = sa.text("phase <> 'ended'")
    op.create_index(INDEX, "combats", ["place"], unique=True, sqlite_where=unended, postgresql_where=unended)
