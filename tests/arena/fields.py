"""Small arenas by hand: two instances, two epsilons, and runs whose regrets a test writes down."""

import math

import numpy as np

from dpbandits.arena.cells import AGGREGATOR, LOCAL, NONE, PURE, Cell, Field, Promise
from dpbandits.studies.study import Arena, Member

MEANS = {"wide": [0.9, 0.5], "narrow": [0.6, 0.5]}
T = np.array([100, 200])
MEMBERS = {
    "pure-a": Member("Pure A", "episodes", True),
    "pure-b": Member("Pure B", "trees", True),
    "broken": Member("Broken", "trees", True),
    "rescaled": Member("Rescaled", "trees", True, printed="rescaled-printed"),
    "rescaled-printed": Member("Rescaled, as printed", "trees", True, as_printed_of="rescaled"),
    "sums": Member("Sums", "aggregated", True, knows_horizon=True),
    "local": Member("Local", "reports", True),
    "kl-ucb": Member("KL-UCB", "baselines", False),
    "mine": Member("Mine", "guests", True, guest=True),
}
PROMISES = dict.fromkeys(MEMBERS, Promise(PURE, 0.0, 0.1, True)) | {
    "broken": Promise(PURE, 0.0, 0.2, False),
    "rescaled-printed": Promise(PURE, 0.0, 0.02, True),
    "sums": Promise(AGGREGATOR, 0.0, 0.1, True),
    "local": Promise(LOCAL, 0.0, 0.1, True),
    "kl-ucb": Promise(NONE),
}


def cell(policy, instance, epsilon, finals, game=0, halves=None, is_binary=True):
    """A cell whose runs end at `finals`; at half the game they are at `halves`, or at half of these."""
    finals = np.asarray(finals, dtype=float)
    halves = finals / 2 if halves is None else np.asarray(halves, dtype=float)
    t = np.array([game // 2, game]) if game else T
    runs = np.column_stack([halves, finals])
    return Cell(instance, policy, epsilon, game, np.array(MEANS[instance]), t, runs, PROMISES[policy], is_binary)


ARENA = Arena(
    id="arena", file="config/arena.yaml", about="", epsilons=(0.1, 1), instances={"wide": "Wide", "narrow": "Narrow"},
    yardstick="kl-ucb", members=MEMBERS, left_out={("local", "narrow"): "too dear"},
)  # fmt: skip


def field(cells):
    return Field(ARENA, tuple(cells))


def steady(values):
    """A field in which every run of a cell ends alike: (policy, instance, epsilon) -> regret."""
    return field(
        [cell(policy, instance, epsilon, [regret] * 4) for (policy, instance, epsilon), regret in values.items()]
    )


NO_EPSILON = math.nan
