"""The promises and the ledgers of policies, as tables.

`table` has a row for each series, `ledgers` one for each kind of release, for other accountants.
"""

import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pandas as pd

from dpbandits.audit import findings
from dpbandits.privacy.ledger import Account, Release
from dpbandits.studies.experiment import Experiment, Series
from dpbandits.studies.things import BOTH

COLUMNS = [
    "experiment", "reading", "policy", "label", "mechanism", "epsilon", "delta", "trust",
    "neighbours", "spent", "ratio", "verdict",
]  # fmt: skip
NUMBERS = "epsilon", "delta", "spent", "ratio"
TEXTS = tuple(name for name in COLUMNS if name not in NUMBERS)
LEDGERS = [
    "experiment", "reading", "series", "epsilon", "delta", "spent", "law", "sensitivity",
    "scale", "releases", "items",
]  # fmt: skip


def table(experiments: Iterable[Experiment], replays: Iterable[str | Path] = ()) -> pd.DataFrame:
    """The accounts of all series of these experiments, one row for each mechanism and epsilon.

    `replays`: the files of tables that may refute promises.
    """
    rows, refuted = [], findings.refuted(replays)
    for experiment, of, accounts in _accounts(experiments):
        for id, series in experiment.series.items():
            mechanism = series.as_policy.mechanism
            verdict = findings.verdict(accounts[id], refuted=refuted.get(mechanism, ""))
            about = {"policy": series.policy, "label": label_of(series), "mechanism": mechanism}
            rows.append(of | about | _numbers(accounts[id]) | {"verdict": verdict})
    return pd.DataFrame(rows, columns=COLUMNS).drop_duplicates(ignore_index=True)


def ledgers(experiments: Iterable[Experiment]) -> pd.DataFrame:
    """The ledgers of all series that promise privacy and release something.

    A row is one kind of release on the item that pays most. There are `releases` of them, each of a
    sum over at most `items` items. One item changes the sum by `sensitivity`, and the noise has
    this `scale`. The law `any` is known by its loss alone, which is sensitivity over scale.
    """
    rows = []
    for experiment, of, accounts in _accounts(experiments):
        for id, series in experiment.series.items():
            rows += [of | {"series": series.name} | entry for entry in entries(accounts[id])]
    return pd.DataFrame(rows, columns=LEDGERS)


def _accounts(
    experiments: Iterable[Experiment],
) -> Iterator[tuple[Experiment, dict, dict[str, Account | None]]]:
    """Each experiment in each reading, with its first two columns and its accounts."""
    for experiment in (part for each in experiments for part in each.by_reading):
        of = {"experiment": experiment.id, "reading": experiment.reading or BOTH}
        yield experiment, of, {id: experiment.account(id) for id in experiment.series}


def _numbers(account: Account | None) -> dict:
    """The columns of a promise."""
    if account is None:
        return {}
    return {
        "epsilon": findings.in_tables(account.epsilon),
        "delta": float(account.delta),
        "trust": account.trust,
        "neighbours": account.neighbours,
        "spent": account.spent,
        "ratio": account.ratio,
    }


def label_of(series: Series) -> str:
    """The label without epsilon, which tables have in a column of its own; else the policy's id."""
    value = re.escape(f"{series.parameters.get('epsilon') or math.nan:g}")
    label = re.sub(rf" \({value}\)|,? ?ε ?= ?{value}(?![.\d])", "", series.label)
    return label.lstrip(", ") or series.policy


def entries(account: Account | None) -> list[dict]:
    """The releases of the item that pays most, grouped by their noise: rows of a ledger."""
    if account is None or account.ledger is None:
        return []
    worst = account.ledger.worst(lambda each: each.rho if account.delta else each.times * each.loss)
    releases = pd.DataFrame(worst, columns=Release._fields)
    releases["items"] = releases["last"] - releases["first"] + 1
    kinds = releases.groupby(["law", "sensitivity", "scale"], sort=False)
    rows = kinds.agg(releases=("times", "sum"), items=("items", "max")).reset_index()
    of = {"epsilon": float(account.epsilon), "delta": float(account.delta), "spent": account.spent}
    return rows.assign(**of).to_dict("records")
