"""The words of the tables of accounts, audits and replays, for modules that need no games."""

import math
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from dpbandits.privacy.ledger import Account
from dpbandits.tables import read_tables

# Within: the bound is below the promise, and games without noise give a bound above it.
# No power: games without noise give no bound above it, so the bound says nothing. A reason follows.
# Above: the bound refutes the promise, or the ledger.
WITHIN, NO_POWER, ABOVE_PROMISE, ABOVE_LEDGER = (
    "within",
    "no power",
    "above the promise",
    "above the ledger",
)
ALARMS = (ABOVE_PROMISE, ABOVE_LEDGER)
NOT_AUDITED = "not audited"  # followed by the reason; such a row has no measured epsilon
MECHANISM = "study", "policy", "label", "reading", "mechanism"  # columns that say what is played
# Text columns. The others are numbers.
TEXTS = (*MECHANISM, "channel", "event", "pair", "finding", "promise")

# Of replays; any other finding is a fault of the ledger or of the code.
AS_BOOKED, NOTHING_RELEASED = "as booked", "no release depends on a reward"
NOT_PRIVATE, NOT_REPLAYED = "not private", "not replayed"  # followed by the reason
NO_FAULTS = (AS_BOOKED, NOTHING_RELEASED, NOT_PRIVATE, NOT_REPLAYED)
REPLAY_TEXTS = (*MECHANISM, "changes", "finding")

# Of promises, in all games that are played. Exceeded: a ledger, which is an upper bound, proves
# nothing. Not kept: a replay contradicts the ledger; in an arena an audit does, or the promise.
NO_PROMISE, KEPT, EXCEEDED, NOT_KEPT = "no promise", "kept", "exceeded", "not kept"
WORST_LAST = (NO_PROMISE, KEPT, EXCEEDED, NOT_KEPT, NOT_PRIVATE)
BROKEN = WORST_LAST[2:]


def in_tables(epsilon: float) -> float:
    """A number with the digits that tables have of it, so that they can be joined."""
    return float(f"{epsilon:.6g}")


def audits_of(audits: pd.DataFrame, mechanism: str, epsilon: float) -> pd.DataFrame:
    """The audits of a mechanism that promises this epsilon."""
    return audits[(audits["mechanism"] == mechanism) & (audits["epsilon"] == in_tables(epsilon))]


def alarms(audits: pd.DataFrame) -> pd.DataFrame:
    """The rows of a table of audits that contradict the promise or the ledger."""
    return audits[audits["finding"].isin(ALARMS)]


def worst(verdicts: Iterable[str]) -> str:
    """The worst of several verdicts on promises."""
    return max(verdicts, key=WORST_LAST.index)


def verdict(account: Account | None, promised: float | None = None, refuted: str = "") -> str:
    """The verdict on a promise: the account's own, or that of a league.

    `refuted`: the verdict of a replay or an audit. It overrules the ledger, because a promise is
    about all games, and the account is of one.
    """
    if account is None:
        return NO_PROMISE
    if math.isinf(account.spent):
        return NOT_PRIVATE
    return refuted or (KEPT if account.kept(promised) else EXCEEDED)


def faults(replays: pd.DataFrame) -> pd.DataFrame:
    """The rows of a table of replays in which the code contradicts the ledger."""
    return replays[~replays["finding"].str.startswith(NO_FAULTS)]


def refuted(replays: Iterable[str | Path]) -> dict[str, str]:
    """The mechanisms whose promises replays refute, each with the verdict.

    The code contradicts the ledger, or rewards decide actions without noise.
    """
    rows = read_tables(replays, REPLAY_TEXTS, ())
    not_private = rows[rows["finding"].str.startswith(NOT_PRIVATE)]
    result = dict.fromkeys(faults(rows)["mechanism"], NOT_KEPT)
    return result | dict.fromkeys(not_private["mechanism"], NOT_PRIVATE)
