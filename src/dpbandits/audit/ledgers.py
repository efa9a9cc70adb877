"""What the ledgers book on the item that pays most, release by release: for other accountants of privacy.

A row is one kind of release of a series: `releases` of them, each of a sum over at most `items` items, of which one changes the sum by
`sensitivity`, with noise of this `scale`. The mechanism `any` is known by its loss alone, which is sensitivity over scale.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from dpbandits import simulation
from dpbandits.audit.promises import promise_of
from dpbandits.privacy.ledger import Account
from dpbandits.studies.study import Experiment

COLUMNS = [
    "experiment", "reading", "series", "epsilon", "delta", "spent", "mechanism", "sensitivity", "scale", "releases", "items",
]  # fmt: skip


def table(experiments: Iterable[Experiment]) -> pd.DataFrame:
    """The ledgers of all series that promise privacy; one without noise, or whose game ends before its first release, has no
    rows."""
    known: dict[tuple, list[dict]] = {}
    rows = []
    for experiment in experiments:
        number_of_arms = simulation.make_environment(experiment.environment).number_of_arms
        horizon = experiment.design.horizon
        for series in experiment.series.values():
            key = series.algorithm, tuple(sorted(series.parameters.items())), horizon, number_of_arms
            if key not in known:
                known[key] = _entries(promise_of(series.algorithm, series.parameters, horizon, number_of_arms))
            of = {"experiment": experiment.base, "reading": experiment.reading or "both", "series": series.id}
            rows += [of | entry for entry in known[key]]
    return pd.DataFrame(rows, columns=COLUMNS)


def _entries(account: Account | None) -> list[dict]:
    if account is None or account.ledger is None or not account.ledger.releases:
        return []
    worst = account.ledger.worst_item(np.square if account.delta else np.positive)
    promise = {"epsilon": float(account.epsilon), "delta": float(account.delta), "spent": account.spent}
    return [promise | spending._asdict() for spending in account.ledger.spendings(worst)]
