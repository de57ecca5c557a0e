"""What Alembic runs to reach a world: the connection comes from the store, inside its transaction."""

from __future__ import annotations

from alembic import context

from affray.world.store.migrations import VERSION_TABLE
from affray.world.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
