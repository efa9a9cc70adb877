"""The promises and the ledgers of policies, as tables.

`table` has a row for each policy, `ledgers` one for each kind of release, for other accountants.
"""

import math
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pandas as pd

from dpbandits.privacy.ledger import Account
from dpbandits.studies.experiment import Experiment, Series

COLUMNS = [
    "experiment", "reading", "policy", "label", "epsilon", "delta", "trust", "neighbours", "spent",
    "ratio", "verdict",
]  # fmt: skip
LEDGERS = [
    "experiment", "reading", "series", "epsilon", "delta", "spent", "mechanism", "sensitivity",
    "scale", "releases", "items",
]  # fmt: skip


def table(experiments: Iterable[Experiment]) -> pd.DataFrame:
    """The accounts of all policies of these experiments.

    There is one row for each policy. A sweep over numbers has one for each verdict, with the range
    of its epsilons and the `ratio` (spent to promised) of its worst series.
    """
    rows = []
    for experiment, of, accounts in _accounts(experiments):
        for policy in experiment.policies.values():
            verdicts = {series.id: _verdict(accounts[series.id]) for series in policy.series}
            for label, members in labelled(policy.series, verdicts):
                row = {"policy": policy.id, "label": label, "verdict": verdicts[members[0].id]}
                rows.append(of | row | _together([accounts[series.id] for series in members]))
    return pd.DataFrame(rows, columns=COLUMNS)


def ledgers(experiments: Iterable[Experiment]) -> pd.DataFrame:
    """The ledgers of all series that promise privacy and release something.

    A row is one kind of release on the item that pays most. There are `releases` of them, each of a
    sum over at most `items` items. One item changes the sum by `sensitivity`, and the noise has
    this `scale`. The mechanism `any` is known by its loss alone, which is sensitivity over scale.
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
        of = {"experiment": experiment.id, "reading": experiment.reading or "both"}
        yield experiment, of, {id: experiment.account(id) for id in experiment.series}


def _verdict(account: Account | None) -> str:
    if account is None:
        return "no promise"
    if math.isinf(account.spent):
        return "not private"
    return "kept" if account.kept() else "exceeded"


def _together(accounts: list[Account | None]) -> dict:
    """The columns of series with one verdict: ranges of epsilon, else the worst series."""
    if None in accounts:
        return {}
    worst = max(accounts, key=lambda account: account.ratio)
    return {
        "epsilon": range_of([account.epsilon for account in accounts]),
        "delta": float(worst.delta),
        "trust": worst.trust,
        "neighbours": worst.neighbours,
        "spent": range_of([account.spent for account in accounts]),
        "ratio": worst.ratio,
    }


def range_of(values: Iterable[float]) -> str:
    """The smallest and the largest of these numbers."""
    least, most = (f"{extreme(values):.6g}" for extreme in (min, max))
    return least if least == most else f"{least} to {most}"


def entries(account: Account | None) -> list[dict]:
    """The releases of the item that pays most, grouped by their noise: rows of a ledger."""
    if account is None or account.ledger is None:
        return []
    worst = account.ledger.worst(lambda each: each.rho if account.delta else each.times * each.loss)
    releases = [(*each[2:], each.last - each.first + 1) for each in worst]
    kinds = pd.DataFrame(releases, columns=LEDGERS[6:]).groupby(LEDGERS[6:9], sort=False)
    rows = kinds.agg({"releases": "sum", "items": "max"}).reset_index()
    of = {"epsilon": float(account.epsilon), "delta": float(account.delta), "spent": account.spent}
    return rows.assign(**of).to_dict("records")


def labelled(
    series: Iterable[Series], verdicts: Mapping[str, str] | None = None
) -> list[tuple[str, list[Series]]]:
    """A policy's series by mechanism and by verdict, each group after its label.

    Parameters that are not numbers tell mechanisms apart, and equal labels, too.
    """
    alike = defaultdict(list)
    for each in series:
        words = frozenset(
            (name, str(value))
            for name, value in each.parameters.items()
            if isinstance(value, str | bool)
        )
        alike[words, verdicts and verdicts[each.id]].append(each)
    labels = [common_label(group) for group in alike.values()]
    if len(set(labels)) < len(labels):
        common = frozenset.intersection(*(words for words, _ in alike))
        for i, (words, _) in enumerate(alike):
            if which := ", ".join(value.replace("_", " ") for _, value in sorted(words - common)):
                labels[i] += f" ({which})"
    return list(zip(labels, alike.values(), strict=True))


def common_label(series: Sequence[Series]) -> str:
    """One label for several series: the same label, or the words with which all begin."""
    labels = [each.label for each in series]
    if len(set(labels)) == 1:
        return labels[0]
    # Cut at the last bracket or comma; otherwise a part of the values would remain.
    common = re.sub(r"[ ,(]*[(,][^(,]*$", "", os.path.commonprefix(labels))  # noqa: RUF071
    return common.rstrip(" =") + " …"
