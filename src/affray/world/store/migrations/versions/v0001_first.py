"""Version 1: accounts, places and their exits, attributes, combats and their answers, settings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the first tables."""
    _people_and_places()
    _combats()
    op.create_table(
        "settings",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )


def _people_and_places() -> None:
    op.create_table(
        "accounts",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("password", sa.Text),
        sa.Column("place", sa.Text),
        sa.Column("seen", sa.BigInteger),
    )
    op.create_table(
        "places",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("description", sa.Text, nullable=False),
    )
    op.create_table(
        "exits",
        sa.Column("place", sa.Text, sa.ForeignKey("places.key", ondelete="CASCADE"), primary_key=True),
        sa.Column("direction", sa.Text, primary_key=True),
        sa.Column("leads_to", sa.Text, sa.ForeignKey("places.key", ondelete="CASCADE"), nullable=False),
    )
    op.create_table(
        "attributes",
        sa.Column("account", sa.Text, sa.ForeignKey("accounts.key", ondelete="CASCADE"), primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
    )


def _combats() -> None:
    op.create_table(
        "combats",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("system", sa.Text, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("roster", sa.Text, nullable=False),
        sa.Column("log", sa.Text),
        sa.Column("saved", sa.Text),
        sa.Column("phase", sa.Text, nullable=False),
        sa.Column("ending", sa.Text),
    )
    op.create_table(
        "answers",
        sa.Column("combat", sa.Integer, sa.ForeignKey("combats.number", ondelete="CASCADE"), primary_key=True),
        sa.Column("at", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("entry", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Back to nothing."""
    for table in ("settings", "answers", "combats", "attributes", "exits", "places", "accounts"):
        op.drop_table(table)
