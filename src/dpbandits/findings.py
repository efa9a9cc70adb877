"""What an audit can find, and its rows in a table. Apart from `audit`, whose import compiles the games."""

import csv
import io
from collections.abc import Callable, Hashable
from typing import TypeVar

WITHIN, ABOVE_PROMISE, ABOVE_LEDGER = "within", "above the promise", "above the ledger"
Key = TypeVar("Key", bound=Hashable)


def rows_by(key: Callable[[dict[str, str]], Key], table: str) -> dict[Key, list[dict[str, str]]]:
    """The rows of a table of audits, given as text, by a key of each row."""
    found: dict[Key, list[dict[str, str]]] = {}
    for row in csv.DictReader(io.StringIO(table)):
        found.setdefault(key(row), []).append(row)
    return found
