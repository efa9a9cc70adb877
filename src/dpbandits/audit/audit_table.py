"""What an audit can find, and its rows in a table; separate from `audit`, whose import compiles the games."""

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TypeVar

from dpbandits.files import tables

WITHIN, ABOVE_PROMISE, ABOVE_LEDGER = "within", "above the promise", "above the ledger"
Key = TypeVar("Key", bound=Hashable)


def rows_by(key: Callable[[dict[str, str]], Key], table: str | Path) -> dict[Key, list[dict[str, str]]]:
    """The rows of a table of audits by a key of each row."""
    found: dict[Key, list[dict[str, str]]] = {}
    for row in tables.rows(table):
        found.setdefault(key(row), []).append(row)
    return found
