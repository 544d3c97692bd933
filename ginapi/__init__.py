"""Gin rummy as a service: tables that are opened, played and scored over plain HTTP."""

__version__ = "0.1.0"
