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
    over_bounds,
    statistics,
)
from dpbandits.audit.findings import EXCEEDED, KEPT
from dpbandits.bandits import Bernoulli
from dpbandits.studies.experiment import Policy, Series
from dpbandits.studies.model import Arena

GAPS = {"wide": 0.4, "narrow": 0.1}
YARDSTICK = "kl-ucb"  # without an epsilon
ALGORITHMS = {  # figures show the look of the algorithm
    "pure-a": "dp_se",
    "pure-b": "adap_ucb",
    "broken": "dp_ucb",
    "sums": "dist_dp_se",
    "local": "ldp_ucb",
    "unpromised": "dp_imed",
    YARDSTICK: "kl_ucb",
}


def member(id, algorithm):
    """A policy of the arena, with one series."""
    label = id.replace("-", " ").capitalize()
    swept = {} if id == YARDSTICK else {"epsilon": 0.1}
    sweep = {name: [value] for name, value in swept.items()}
    series = (Series(id, label, algorithm, swept, id),)
    return Policy(
        id=id, label=label, series=series, sweep=sweep, runs=4, knows_horizon=id == "sums"
    )


MEMBERS = {id: member(id, algorithm) for id, algorithm in ALGORITHMS.items()}
PROMISES = dict.fromkeys(MEMBERS, Promise(PURE, 0.0, 0.1, promise=KEPT)) | {
    "broken": Promise(PURE, 0.0, 0.2, promise=EXCEEDED),
    "sums": Promise(AGGREGATOR, 0.0, 0.1, promise=KEPT),
    "local": Promise(LOCAL, 0.0, 0.1, promise=KEPT),
    **dict.fromkeys(("unpromised", YARDSTICK), Promise(NONE)),
}
ARENA = Arena(
    epsilons=[0.1, 1],
    instances={name: name.capitalize() for name in GAPS},
    yardstick=YARDSTICK,
    members=MEMBERS,
)
RUNS = np.array([8.0, 12.0] * 10)  # their mean is 10, with an error of 0.459


def cell(policy, instance, finals, halves=None, epsilon=0.1, horizon=200):
    """The rows of a policy whose runs end at `finals`; at half the game they are at `halves`.

    The default of `halves` is half of `finals`.
    """
    finals = np.asarray(finals, dtype=float)
    runs = np.column_stack([finals / 2 if halves is None else halves, finals])
    rows = statistics(runs, (horizon // 2, horizon), GAPS[instance])
    arms = Bernoulli([0.5 + GAPS[instance], 0.5]).arms
    rows["epsilon"] = math.nan if policy == YARDSTICK else epsilon
    return over_bounds(rows, arms).assign(
        policy=policy,
        instance=instance,
        family=instance,
        smallest_gap=GAPS[instance],
        arms=2,
        label=MEMBERS[policy].label,
        source="a summary" if policy == "pure-a" else "authors' text",
        python="UCB()",
        mechanism=f"{policy}()",
        game="all" if horizon == 200 else "long",
        horizon=horizon,
        knows_horizon=int(MEMBERS[policy].knows_horizon),
        **PROMISES[policy]._asdict(),
    )


def table(*cells):
    """The scores of these cells."""
    return compared(pd.concat(cells, ignore_index=True), YARDSTICK)


def steady(low, high=None):
    """Scores where all runs of a cell end alike, at epsilon = 0.1 and at 1.

    Each argument: policy -> its regrets in the wide and the narrow instance, None for no game.
    """
    return table(
        *(
            cell(policy, instance, [regret] * 4, epsilon=epsilon)
            for epsilon, regrets in ((0.1, low), (1, high or {}))
            for policy, both in regrets.items()
            for instance, regret in zip(GAPS, both, strict=True)
            if regret is not None
        )
    )
