"""Umpi: the referee box for the table."""

__version__ = "0.1.0"
