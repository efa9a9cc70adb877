"""The findings of an audit, and a reader of its table, for those who need no games: the arena, the report, the verification."""

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

from dpbandits.files import read_table

# The bound is not above the promise, and games without noise are found; these would not be found either, so that the bound says
# nothing; the promise is refuted; the ledger is.
WITHIN, NO_POWER, ABOVE_PROMISE, ABOVE_LEDGER = "within", "no power", "above the promise", "above the ledger"
ALARMS = (ABOVE_PROMISE, ABOVE_LEDGER)
NOT_AUDITED = "not audited"  # followed by the reason; such a row has no measured epsilon
Row = dict[str, Any]


def rows_by(key: Callable[[Row], Hashable], table: str | Path) -> dict[Hashable, list[Row]]:
    """The rows of a table of audits by a key of each row; without those of policies that could not be audited."""
    found: dict[Hashable, list[Row]] = {}
    for row in read_table(table, numbers=()).to_dict("records"):
        if row["measured"]:
            found.setdefault(key(row), []).append(row)
    return found


def reasons_by(key: Callable[[Row], Hashable], table: str | Path) -> dict[Hashable, str]:
    """Why there are no games of a policy, by the same key."""
    return {key(row): row["finding"] for row in read_table(table, numbers=()).to_dict("records") if not row["measured"]}
