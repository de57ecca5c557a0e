"""Version 3: combats say which game around fights is played, if it is not simply a fight."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """All that are stored are fights."""
    op.add_column("combats", sa.Column("game", sa.Text, nullable=False, server_default=""))
