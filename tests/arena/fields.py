"""Small tables of scores by hand: two instances, two epsilons, runs with known regrets."""

import math

import numpy as np
import pandas as pd

from dpbandits.arena.scores import (
    AGGREGATOR,
    LOCAL,
    NONE,
    PURE,
    Promise,
    compared,
    statistics,
)
from dpbandits.audit.findings import EXCEEDED, KEPT
from dpbandits.studies.experiment import Policy, Series
from dpbandits.studies.model import Arena

GAPS = {"wide": 0.4, "narrow": 0.1}


def member(id, label, algorithm, parameters, **knows):
    """A policy of the arena, with one series; figures show the look of its algorithm."""
    series = Series(id, label, algorithm, parameters, id, 0)
    knows = {"knows_horizon": False} | knows
    return Policy(id=id, series=(series,), runs=4, label=label, **knows)


ALGORITHMS = {
    "pure-a": "dp_se",
    "pure-b": "adap_ucb",
    "broken": "dp_ucb",
    "sums": "dist_dp_se",
    "local": "ldp_ucb",
    "unpromised": "dp_imed",
}
MEMBERS = {
    id: member(
        id,
        id.replace("-", " ").capitalize(),
        algorithm,
        {"epsilon": 0.1},
        sweep={"epsilon": [0.1]},
        knows_horizon=id == "sums",
    )
    for id, algorithm in ALGORITHMS.items()
}
MEMBERS["kl-ucb"] = member("kl-ucb", "KL-UCB", "kl_ucb", {})
PROMISES = dict.fromkeys(MEMBERS, Promise(PURE, 0.0, 0.1, promise=KEPT)) | {
    "broken": Promise(PURE, 0.0, 0.2, promise=EXCEEDED),
    "sums": Promise(AGGREGATOR, 0.0, 0.1, promise=KEPT),
    "local": Promise(LOCAL, 0.0, 0.1, promise=KEPT),
    "unpromised": Promise(NONE),
    "kl-ucb": Promise(NONE),
}
ARENA = Arena(
    epsilons=[0.1, 1],
    instances={"wide": "Wide", "narrow": "Narrow"},
    yardstick="kl-ucb",
    members=MEMBERS,
)
NO_EPSILON = math.nan


def cell(policy, instance, epsilon, finals, halves=None, horizon=200):
    """The rows of a policy whose runs end at `finals`; at half the game they are at `halves`.

    The default of `halves` is half of `finals`.
    """
    finals = np.asarray(finals, dtype=float)
    runs = np.column_stack([finals / 2 if halves is None else halves, finals])
    about = {
        "policy": policy,
        "instance": instance,
        "smallest_gap": GAPS[instance],
        "arms": 2,
        "epsilon": epsilon,
        "label": MEMBERS[policy].label,
        "source": "a summary" if policy == "pure-a" else "authors' text",
        "python": f"UCB(epsilon={epsilon})",
        "mechanism": f"{policy}()",
        "game": "all" if horizon == 200 else "long",
        "horizon": horizon,
        "knows_horizon": int(MEMBERS[policy].knows_horizon),
        **PROMISES[policy]._asdict(),
    }
    return statistics(runs, (horizon // 2, horizon), GAPS[instance]).assign(**about)


def table(*cells):
    """The scores of these cells."""
    return compared(pd.concat(cells, ignore_index=True), "kl-ucb")


def steady(values):
    """Scores where every run of a cell ends alike: (policy, instance, epsilon) -> regret."""
    return table(*(cell(*place, [regret] * 4) for place, regret in values.items()))
