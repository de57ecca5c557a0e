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
    op.create_table("settings", sa.Column("key", sa.Text, primary_key=True), *_texts("value"))


def _texts(*names: str) -> list[sa.Column[str]]:
    return [sa.Column(name, sa.Text, nullable=False) for name in names]


def _people_and_places() -> None:
    op.create_table(
        "accounts",
        sa.Column("key", sa.Text, primary_key=True),
        *_texts("name", "role"),
        sa.Column("password", sa.Text),
        sa.Column("place", sa.Text),
        sa.Column("seen", sa.BigInteger),
    )
    op.create_table("places", sa.Column("key", sa.Text, primary_key=True), *_texts("name", "description"))
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
        *_texts("name", "type", "value"),
    )


def _combats() -> None:
    op.create_table(
        "combats",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        *_texts("name", "place", "system", "owner", "options", "roster"),
        sa.Column("log", sa.Text),
        sa.Column("saved", sa.Text),
        *_texts("phase"),
        sa.Column("ending", sa.Text),
    )
    op.create_table(
        "answers",
        sa.Column("combat", sa.Integer, sa.ForeignKey("combats.number", ondelete="CASCADE"), primary_key=True),
        sa.Column("at", sa.Integer, primary_key=True, autoincrement=False),
        *_texts("entry"),
    )
