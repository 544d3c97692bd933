"""What alembic runs for each command: on the connection that `ginapi.store.migrate` hands over, in its transaction."""

from alembic import context

from ginapi.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite alters a table by copying it
)
with context.begin_transaction():
    context.run_migrations()
