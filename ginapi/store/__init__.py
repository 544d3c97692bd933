"""The only place that knows SQL: tables, transactions and migrations, the same for SQLite and PostgreSQL."""
