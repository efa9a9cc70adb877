"""The games that audit an algorithm: how many arms and rounds, what is released, which rewards, and which one is changed.

An audit needs short games, since its games are many. `actions` are games whose published actions are compared; in
`releases` the noisy sums are, on a single arm where the algorithm allows it, so that all rewards are in one stream.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dpbandits.algorithms.arms import dp_se, dp_ucb_int, private_thompson, private_thompson_gap
from dpbandits.audit import tape
from dpbandits.environments.logs._events import DIMENSION
from dpbandits.privacy.tree import tree_levels

GRID = (0.1, 0.2, 1.0, 2.0)


@dataclass(frozen=True)
class Setting:
    """Games of one length: which rewards the arms pay, and whose reward is changed."""

    arms: int
    horizon: int
    backgrounds: tuple[str, ...] = ("zeros", "ones", "tie")
    canaries: tuple[int, ...] = (1, 2, 3)
    gap: float = 0.0  # of the background "gap": by how much arm 0 pays more than the others
    told: int = 64  # the last rounds whose actions are told apart one by one
    played: int = 0  # rounds that are simulated one by one, if not all
    changes: Mapping[str, Any] = field(default_factory=dict)  # of the policy's parameters

    def words(self, background: str, canary: int) -> str:
        """A pair of inputs, in words."""
        return f"{self.arms} arms; {self.horizon} rounds; {background}; reward {canary} changed"

    def rewards(self, background: str, canary: int) -> tuple[np.ndarray, np.ndarray]:
        """The tables of two neighbouring games, which differ in one row."""
        rows = np.arange(max(2 * self.horizon * self.arms + self.horizon, *self.canaries, 1))
        table = np.zeros((rows.size, self.arms))
        if background == "ones":
            table[:] = 1.0
        elif background == "tie":
            table[:] = (rows % 2)[:, None]
        elif background == "gap":
            table[:] = (np.floor((rows + 1) * (1 - self.gap)) - np.floor(rows * (1 - self.gap)))[:, None]
            table[:, 0] = 1.0
        neighbour = table.copy()
        neighbour[canary - 1] = 1 - neighbour[canary - 1]
        return table, neighbour

    def checkpoints(self) -> np.ndarray:
        """The first and the last rounds."""
        return np.union1d(
            np.arange(1, min(self.told, self.horizon) + 1),
            np.arange(max(self.horizon - self.told, 0) + 1, self.horizon + 1),
        )


@dataclass(frozen=True)
class LogSetting(Setting):
    """A short news log. Every visitor's vector has ones only, so that the context is the article's; one visit is changed
    to a vector of zeros and no click, so that all 27 sums change as much as the ledger supposes."""

    backgrounds: tuple[str, ...] = ("no clicks", "clicks")
    canaries: tuple[int, ...] = (1,)

    def words(self, background: str, canary: int) -> str:
        """A pair of inputs, in words."""
        return f"{self.arms} articles; {self.horizon} visits; {background}; visit {canary} changed"

    def rewards(self, background: str, canary: int) -> tuple[np.ndarray, np.ndarray]:
        """The visits of two neighbouring logs: the visitor's vector, and whether he clicks on whatever he is shown."""
        table = np.ones((self.horizon, DIMENSION + 1))
        table[:, DIMENSION] = float(background == "clicks")
        table[canary - 1, DIMENSION] = 1.0
        neighbour = table.copy()
        neighbour[canary - 1] = 0.0
        return table, neighbour

    def articles(self) -> np.ndarray:
        """The articles' vectors: ones for a single one, otherwise different ones."""
        vectors = np.ones((DIMENSION, self.arms))
        for a in range(self.arms if self.arms > 1 else 0):
            vectors[1:, a] = np.arange(DIMENSION - 1) % self.arms == a
        return vectors


@dataclass(frozen=True)
class Design:
    """The games of one mechanism at one epsilon; without a setting it does not have the tap."""

    kind: int = tape.NOTHING
    actions: tuple[Setting, ...] = ()
    releases: tuple[Setting, ...] = ()


SHORT = Setting(arms=2, horizon=8, canaries=(1, 2, 3, 8))
FIRST_REWARD = Setting(arms=2, horizon=3, backgrounds=("zeros",), canaries=(1, 2))  # the shortest game that shows it
NOISY_MAX = Setting(arms=10, horizon=11, canaries=(1, 10))  # the arm of round 11 is that with the largest noisy reward
STREAM = Setting(arms=1, horizon=7, backgrounds=("zeros", "ones"), canaries=(1, 3, 4, 7))


def design(algorithm: str, epsilon: float, parameters: Mapping[str, Any]) -> Design:
    """The games for an algorithm with these parameters; an unknown algorithm is audited by its actions alone."""
    return DESIGNS[algorithm](epsilon, parameters) if algorithm in DESIGNS else Design(actions=(SHORT,))


def _episodes(epsilon: float, parameters: Mapping[str, Any]) -> Design:
    bare = not parameters.get("init_noise", True) or parameters.get("variant") == "as_drawn"
    if bare:
        return Design(tape.FIRST_BARE, (FIRST_REWARD, NOISY_MAX, SHORT), (STREAM,))
    return Design(tape.BATCH_MEAN, (NOISY_MAX, SHORT), (STREAM,))


def _elimination(epsilon: float, parameters: Mapping[str, Any]) -> Design:
    T = 1024
    while 2 * dp_se.epoch_length(2, 1, epsilon, 1 / T) + 8 > T:
        T += 256
    R = dp_se.epoch_length(2, 1, epsilon, 1 / T)
    at_border = Setting(  # of dropping an arm after the first epoch
        2, T, ("gap", "zeros"), (1, R, R + 1), gap=dp_se.threshold(2, 1, R, epsilon, 1 / T), told=8, played=32
    )
    return Design(tape.BATCH_MEAN, (at_border,), (at_border,))


def _interval(epsilon: float, parameters: Mapping[str, Any]) -> Design:
    v = parameters.get("v", 1.1)
    inside = dp_ucb_int.input_epsilon(epsilon, parameters["delta"], v)
    first = dp_ucb_int.first_update(parameters.get("schedule", "series_y"), inside, v)
    redrawn = parameters.get("redraw_noise", False)
    T = 2 * first + (64 if redrawn else 8)
    stays = {} if redrawn else {"may_stay_in_round_robin": True}
    actions = Setting(2, T, ("zeros", "tie"), (1, T - 8), told=8, changes=stays)
    stream = Setting(2 if redrawn else 1, T, ("zeros",), (1,), told=8, changes=stays)
    return Design(tape.REDRAWN if redrawn else tape.ALL_SO_FAR, (actions,), (stream,))


def _thompson(epsilon: float, parameters: Mapping[str, Any]) -> Design:
    actions = after_first_pulls(epsilon, parameters, 2, 8)
    actions = replace(actions, canaries=(1, 2, 3, actions.horizon))
    stream = after_first_pulls(epsilon, parameters, 1, 7)
    return Design(tape.LEAVES, (actions,), (replace(stream, backgrounds=("zeros", "ones"), canaries=(1,)),))


def after_first_pulls(epsilon: float, parameters: Mapping[str, Any], arms: int, rounds: int) -> Setting:
    """Games of private Thompson sampling with this many rounds after its first pulls of every arm."""
    budget = parameters.get("budget", "split"), parameters.get("ts_budget", "half")
    eps0 = private_thompson.epsilon_per_tree(epsilon, arms, *budget)
    T, forced = rounds, math.inf
    while forced + rounds != T:  # the first pulls are more in a longer game, whose trees have more levels
        T = rounds if forced == math.inf else forced + rounds
        forced = arms * math.ceil(parameters.get("explore_c", 6.0) * tree_levels(T) / eps0)
    return Setting(arms, T, told=rounds, played=4 * rounds)


def _gap(epsilon: float, parameters: Mapping[str, Any]) -> Design:
    m = private_thompson_gap.batch_length(1, epsilon, 64, 1.0)
    return Design(tape.BATCH_MEAN, (SHORT,), (Setting(1, 64, ("zeros",), (1, m), told=8, played=16),))


def _nash(epsilon: float, parameters: Mapping[str, Any]) -> Design:
    kind = tape.EPISODES_AND_MEANS if parameters.get("private_mean") == "at_end" else tape.EPISODES
    streams = tuple(Setting(1, T, ("zeros",), (1, 2), told=1, played=16) for T in (72, 1024))
    if parameters.get("cap") != "none":
        return Design(kind, (Setting(2, 16, canaries=(1, 5, 7)),), streams)
    # Without a cap, Phase I ends by its threshold, which short games reach with a smaller constant.
    actions = Setting(2, 6, ("ones", "zeros"), (1, 2), changes=short_phase1(epsilon, parameters, 6))
    return Design(kind, (actions,), streams if parameters.get("private_mean") == "in_test" else ())


def _news(epsilon: float, parameters: Mapping[str, Any]) -> Design:
    """A model's trees have leaves for a share of the visits that belongs to the number of articles: for seven of eleven
    visits with two articles, whose worst leaf is in three nodes, and for as many as there are with one."""
    sooner = {"delay": min(parameters.get("delay", 0), 2)}
    actions = LogSetting(2, 11, canaries=(1, 4), played=100, changes=sooner)
    return Design(tape.VISIT, (actions,), (LogSetting(1, 5, ("no clicks",), played=100, changes=sooner),))


def short_phase1(epsilon: float, parameters: Mapping[str, Any], T: int) -> dict[str, float]:
    """The multiplier with which the threshold of GDP-NCB is 1.5."""
    c, L = parameters.get("c", 3.0), math.log(T)
    return {"multiplier": 1.5 / (c**2 * L + L**2 / epsilon)}


def _arms(kind: int) -> Callable[[float, Mapping[str, Any]], Design]:
    return lambda epsilon, parameters: Design(kind, (SHORT,), (STREAM,))


DESIGNS: dict[str, Callable[[float, Mapping[str, Any]], Design]] = {
    "adap_ucb": _episodes,
    "adap_klucb": _episodes,
    "adap_ucb_baseline": _episodes,
    "klucb_keeping_all": lambda epsilon, parameters: Design(tape.BATCH_SUM, (NOISY_MAX, SHORT), (STREAM,)),
    "dp_se": _elimination,
    "private_ucb": _arms(tape.TREE),
    "private_ucb_tuned": _arms(tape.TREE),
    "dp_ucb_bound": _arms(tape.HYBRID),
    "dp_ucb": _arms(tape.HYBRID_OF_ALL),
    "dp_ucb_int": _interval,
    "private_thompson": _thompson,
    "private_thompson_gap": _gap,
    "gdp_ncb": _nash,
    "private_lin_ucb": _news,
    "private_lin_ts": _news,
    "dp_exp3_lap": lambda epsilon, parameters: Design(tape.GAIN, (SHORT,), (Setting(2, 8, ("zeros", "ones"), (1, 8)),)),
}
