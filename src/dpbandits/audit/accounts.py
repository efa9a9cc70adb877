"""The epsilon that a policy promises, and the one that the ledger adds up: one row per policy and experiment.

The algorithm's `privacy` gives the promise, the trust model and the definition of neighbouring inputs. A sweep over
numbers has one row per verdict, with the range of its epsilons; `ratio` (spent to promised) and verdict are those of
its worst series.
"""

import itertools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import pandas as pd

from dpbandits import environments
from dpbandits.audit.promises import promise_of
from dpbandits.studies.study import Experiment, Series

COLUMNS = [
    "experiment", "reading", "policy", "label", "epsilon", "delta", "trust", "neighbours", "spent", "ratio", "verdict",
]  # fmt: skip


def table(experiments: Iterable[Experiment]) -> pd.DataFrame:
    """The accounts of all policies of these experiments."""
    rows = []
    for experiment in (part for each in experiments for part in each.by_reading):
        number_of_arms = environments.make(experiment.environment).number_of_arms
        for policy in experiment.policies:
            accounts = {s.id: _account(s, experiment.design.horizon, number_of_arms) for s in policy.series}
            verdicts = {series: account["verdict"] for series, account in accounts.items()}
            for label, members in labelled(policy.series, verdicts):
                row = {
                    "experiment": experiment.id,
                    "reading": experiment.reading or "both",
                    "policy": policy.id,
                    "label": label,
                }
                rows.append(row | _combine([accounts[series.id] for series in members]))
    return pd.DataFrame(rows, columns=COLUMNS)


def _account(series: Series, horizon: int, number_of_arms: int) -> dict:
    """What a series promises and spends."""
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


def labelled(
    series: Iterable[Series], verdicts: Mapping[str, str] = MappingProxyType({})
) -> list[tuple[str, list[Series]]]:
    """A policy's series by mechanism, which the parameters that are not numbers tell apart, and by verdict; each group
    after its label. Equal labels are told apart by these parameters."""
    alike: dict[tuple, list[Series]] = {}
    for each in series:
        words = {k: str(v) for k, v in sorted(each.parameters.items()) if isinstance(v, str | bool)}
        alike.setdefault((tuple(words.items()), verdicts.get(each.id)), []).append(each)
    labels = [label_of(group) for group in alike.values()]
    if len(set(labels)) < len(labels):
        words_of = [dict(words) for words, _ in alike]
        differing = [name for name in words_of[0] if len({words.get(name) for words in words_of}) > 1]
        for i, words in enumerate(words_of):
            if which := ", ".join(words[name].replace("_", " ") for name in differing if name in words):
                labels[i] += f" ({which})"
    return list(zip(labels, alike.values(), strict=True))


def label_of(series: Sequence[Series]) -> str:
    """A common label of several series: their label, or the words that all their labels begin with."""
    labels = [each.label for each in series]
    if len(set(labels)) == 1:
        return labels[0]
    shared = itertools.takewhile(lambda letters: len(set(letters)) == 1, zip(*labels, strict=False))
    start = "".join(letters[0] for letters in shared)
    # Cut at the last bracket or comma; otherwise a part of the values would remain.
    return re.sub(r"[ ,(]*[(,][^(,]*$", "", start).rstrip(" =") + " …"
