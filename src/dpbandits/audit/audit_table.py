"""The verdicts of an audit, and a reader of its table, for those who need no games: the arena, figures and the report."""

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TypeVar

from dpbandits.files import tables

# The promise is not contradicted by games that find noise that is missing; by games that would not find that; it is
# refuted (or, at the release, its proof); the ledger is; the tape is, so that the noise is not where it is said to be.
WITHIN, NO_POWER, ABOVE_PROMISE = "within", "no power", "above the promise"
ABOVE_LEDGER, NOT_AS_DECLARED = "above the ledger", "not as declared"
ALARMS = (ABOVE_PROMISE, ABOVE_LEDGER, NOT_AS_DECLARED)
FAULTS = ("removed", "halved", "reused")  # columns: the bound that is counted with this fault in the noise
NOT_AUDITED = "not audited"  # followed by the reason; such a row has no measured epsilon
Key = TypeVar("Key", bound=Hashable)


def rows_by(key: Callable[[dict[str, str]], Key], table: str | Path) -> dict[Key, list[dict[str, str]]]:
    """The rows of a table of audits by a key of each row; without those of policies that could not be audited."""
    found: dict[Key, list[dict[str, str]]] = {}
    for row in tables.rows(table):
        if row["audited"]:
            found.setdefault(key(row), []).append(row)
    return found


def reasons_by(key: Callable[[dict[str, str]], Key], table: str | Path) -> dict[Key, str]:
    """Why there are no games of a policy, by the same key."""
    return {key(row): row["finding"] for row in tables.rows(table) if not row["audited"]}
