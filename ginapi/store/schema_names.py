"""What tables, constraints and indexes of the database belong to, and how they are named."""

from sqlalchemy import MetaData

# Every constraint has a name that does not depend on the database, so that a later migration can drop it.
metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    }
)
