"""What the ledgers book on the item that pays most, release by release: for other accountants of privacy.

A row is one kind of release of a series: `releases` of them, each of a sum over at most `items` items, of which one changes the sum by
`sensitivity`, with noise of this `scale`. The mechanism `any` is known by its loss alone, which is sensitivity over scale.
"""

from collections.abc import Iterable

import pandas as pd

from dpbandits import environments
from dpbandits.audit.promises import promise_of
from dpbandits.privacy.ledger import Account
from dpbandits.studies.study import Experiment

COLUMNS = [
    "experiment", "reading", "series", "epsilon", "delta", "spent", "mechanism", "sensitivity", "scale", "releases", "items",
]  # fmt: skip


def table(experiments: Iterable[Experiment]) -> pd.DataFrame:
    """The ledgers of all series that promise privacy; one without noise, or whose game ends before its first release, has no
    rows."""
    rows = []
    for experiment in (part for each in experiments for part in each.by_reading):
        number_of_arms = environments.make(experiment.environment).number_of_arms
        for series in experiment.series.values():
            account = promise_of(series.algorithm, series.parameters, experiment.design.horizon, number_of_arms)
            of = {"experiment": experiment.id, "reading": experiment.reading or "both", "series": series.name}
            rows += [of | entry for entry in entries(account)]
    return pd.DataFrame(rows, columns=COLUMNS)


def entries(account: Account | None) -> list[dict]:
    """The rows of one account: the releases of the item that pays most, those with equal noise together."""
    if account is None or account.ledger is None:
        return []
    kinds: dict[tuple, tuple[int, int]] = {}
    for each in account.ledger.worst(lambda each: each.rho if account.delta else each.times * each.loss):
        kind = each.law, each.sensitivity, each.scale
        releases, items = kinds.get(kind, (0, 0))
        kinds[kind] = releases + each.times, max(items, each.last - each.first + 1)
    promise = {"epsilon": float(account.epsilon), "delta": float(account.delta), "spent": account.spent}
    return [promise | dict(zip(COLUMNS[6:], kind + counts, strict=True)) for kind, counts in kinds.items()]
