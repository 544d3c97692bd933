"""Accounts over HTTP: names, passwords, tokens, and how one is closed."""
