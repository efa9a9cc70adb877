"""The epsilon that a policy promises, and the one that the ledger adds up: one row per policy and experiment.

The algorithm's `privacy` gives the promise, the trust model and the definition of neighbouring inputs. A sweep over
numbers has one row per verdict, with the range of its epsilons; `ratio` (spent to promised) and verdict are those of
its worst series.
"""

import inspect
import itertools
import math
import re
from collections.abc import Iterable, Sequence

import pandas as pd

from dpbandits import simulation
from dpbandits.audit.promises import privacy_of, promise_of
from dpbandits.studies.study import Experiment, Series

COLUMNS = [
    "experiment", "reading", "policy", "label", "epsilon", "delta", "trust", "neighbours", "spent", "ratio", "verdict",
]  # fmt: skip


def table(experiments: Iterable[Experiment]) -> pd.DataFrame:
    """The accounts of all policies of these experiments; equal mechanisms are computed once."""
    known: dict[tuple, dict] = {}
    rows = []
    for experiment in experiments:
        number_of_arms = simulation.make_environment(experiment.environment).number_of_arms
        for policy in experiment.policies:
            alike: dict[tuple, list[tuple[Series, dict]]] = {}
            for series in policy.series:
                key = _key(series, experiment.design.horizon, number_of_arms)
                if key not in known:
                    known[key] = _account(series, experiment.design.horizon, number_of_arms)
                alike.setdefault((*words_of(series), known[key]["verdict"]), []).append((series, known[key]))
            groups = [[series for series, _ in members] for members in alike.values()]
            for label, members in zip(distinct_labels(groups), alike.values(), strict=True):
                rows.append(
                    {
                        "experiment": experiment.base,
                        "reading": experiment.reading or "both",
                        "policy": policy.id,
                        "label": label,
                        **_combine([account for _, account in members]),
                    }
                )
    return pd.DataFrame(rows, columns=COLUMNS)


def _key(series: Series, horizon: int, number_of_arms: int) -> tuple:
    """The values that an account depends on; of the parameters, those that `privacy` names (`**_` takes the others)."""
    privacy = privacy_of(series.algorithm)
    asked = inspect.signature(privacy).parameters if privacy else {}
    ignoring = "_" in asked or not asked
    used = {name: value for name, value in series.parameters.items() if name in asked or not ignoring}
    return series.algorithm, tuple(sorted(used.items())), horizon, number_of_arms


def _account(series: Series, horizon: int, number_of_arms: int) -> dict:
    """A series' promised and spent epsilon as plain values: the ledger of a long game is too large to keep."""
    account = promise_of(series.algorithm, series.parameters, horizon, number_of_arms)
    if account is None:
        return {"epsilon": None, "verdict": "no promise"}
    spent = account.spent
    return {
        "epsilon": float(account.epsilon),
        "delta": float(account.delta),
        "trust": account.trust,
        "neighbours": account.neighbours,
        "spent": spent,
        "ratio": spent / account.epsilon,
        "verdict": "kept" if account.kept else ("exceeded" if math.isfinite(spent) else "not private"),
    }


def _combine(accounts: list[dict]) -> dict:
    """Combine the accounts of several series: the ranges of their epsilons, and the rest of the worst of them."""
    private = [account for account in accounts if account["epsilon"] is not None]
    if not private:
        return {"verdict": accounts[0]["verdict"]}
    worst = max(private, key=lambda account: account["ratio"])
    return {**worst, **{key: _range([account[key] for account in private]) for key in ("epsilon", "spent")}}


def _range(values: list[float]) -> str:
    least, most = (f"{extreme(values):.6g}" for extreme in (min, max))
    return least if least == most else f"{least} to {most}"


def words_of(series: Series) -> tuple:
    """The parameters that are not numbers: series that differ in them are different mechanisms."""
    return tuple(sorted((k, str(v)) for k, v in series.parameters.items() if isinstance(v, str | bool)))


def distinct_labels(groups: Sequence[Sequence[Series]]) -> list[str]:
    """The label of each group of a policy's series; equal ones are told apart by the words of their parameters."""
    labels = [label_of(group) for group in groups]
    if len(set(labels)) == len(labels):
        return labels
    words = [dict(words_of(group[0])) for group in groups]
    differing = [name for name in words[0] if len({each.get(name) for each in words}) > 1]
    differences = [", ".join(each[name].replace("_", " ") for name in differing if name in each) for each in words]
    return [f"{label} ({which})" if which else label for label, which in zip(labels, differences, strict=True)]


def label_of(series: Sequence[Series]) -> str:
    """A common label of several series: their label, or the words that all their labels begin with."""
    labels = [each.label for each in series]
    if len(set(labels)) == 1:
        return labels[0]
    shared = itertools.takewhile(lambda letters: len(set(letters)) == 1, zip(*labels, strict=False))
    start = "".join(letters[0] for letters in shared)
    # Cut at the last bracket or comma; otherwise a part of the values would remain.
    return re.sub(r"[ ,(]*[(,][^(,]*$", "", start).rstrip(" =") + " …"
