"""The parts that all contextual policies share (mishra2015, section 5): contexts, delayed feedback, event rejection.

`context` defines the context z_a(t) of article a and the number of models:

    shared_product  one model; z = the entrywise product of user and article (the text's theta_t, A_t have no arm index)
    shared_article  one model; z = the article's vector, the same for every user
    disjoint_user   one model per article; z = the user's vector (LinUCB of Li, Chu, Langford & Schapire 2010)

The paper delays the feedback by 0, 100 and 1000 events, and does not say which events (`delay_unit`: kept ones or
logged ones) nor how (`delay_mode`: with `batch`, feedback is collected and applied after every `delay` events; with
`lag`, each event's feedback arrives `delay` events later).
"""

import math
from typing import Annotated, Literal, NamedTuple

import numpy as np
from annotated_types import Ge, doc

from dpbandits.algorithms.logs._ridge import DIMENSION, learn, solve
from dpbandits.environments.logs._events import (
    ARBITRARY,
    CLICKS,
    EXPECTED,
    INDEFINITE,
    KEPT,
    RANDOM,
    UNLEARNED,
    UPDATES,
)
from dpbandits.kernels.compiled import step
from dpbandits.kernels.sampling import uniform

Context = Literal["shared_product", "shared_article", "disjoint_user"]
DelayMode = Literal["batch", "lag"]
DelayUnit = Literal["kept", "logged"]
Delay = Annotated[int, Ge(0), doc("a delay of at least 0 events")]


class Setting(NamedTuple):
    """How contexts are built and feedback is delayed."""

    per_article: bool
    with_user: bool
    delay: int
    lag: bool
    logged: bool


class PendingFeedback(NamedTuple):
    """A ring buffer of delayed feedback: contexts, clicks, models, event times; `ends`: removed, added."""

    z: np.ndarray
    click: np.ndarray
    model: np.ndarray
    clock: np.ndarray
    ends: np.ndarray


class Pool(NamedTuple):
    """The articles that can be shown: their number, models and vectors; their contexts z for the current user, and
    their scores."""

    size: np.ndarray
    model: np.ndarray
    vectors: np.ndarray
    z: np.ndarray
    scores: np.ndarray


def make_setting(context: Context, delay: int, delay_mode: DelayMode, delay_unit: DelayUnit) -> Setting:
    """Translate the values of a paper file."""
    per_article = context == "disjoint_user"
    return Setting(per_article, context != "shared_article", delay, delay_mode == "lag", delay_unit == "logged")


def tree_leaves(horizon: int, number_of_arms: int) -> int:
    """The leaves of a tree: a quarter more than the expected number of kept events in a log of this length."""
    return math.ceil(1.25 * horizon / number_of_arms)


# The steps of a kernel. Those done at every event take plain arrays: passing a tuple of arrays is slow.


@step
def record_checkpoints(diary, t):
    """Record the totals for every checkpoint before event t, and return the next checkpoint."""
    k = diary.next[0]
    while k < diary.checkpoints.size and diary.checkpoints[k] < t:
        for row in range(diary.totals.size):
            diary.kept[row, k] = diary.totals[row]
        k += 1
    diary.next[0] = k
    return diary.checkpoints[k] if k < diary.checkpoints.size else diary.checkpoints[-1] + t


@step
def load_pool(pool, articles, row, setting):
    """Load the articles of a new pool, their vectors as columns, and return how many there are."""
    n = 0
    while n < row.size and row[n] >= 0:
        pool.model[n] = row[n] if setting.per_article else 0
        for j in range(DIMENSION):
            pool.vectors[j, n] = pool.z[j, n] = articles[j, row[n]]
        n += 1
    pool.size[0] = n
    return n


@step
def learn_from_feedback(rng, ridge, rules, setting, pending, diary, pool, t):
    """Learn from all feedback whose delay ends before event t, then update the models of the pool's articles."""
    left, entered = pending.ends
    now = t if setting.logged else int(diary.totals[KEPT]) + 1
    if setting.delay == 0:
        until = now - 1
    elif setting.lag:
        until = now - 1 - setting.delay
    else:
        until = (now - 1) // setting.delay * setting.delay
    while left < entered and pending.clock[left % pending.clock.size] <= until:
        k = left % pending.clock.size
        if ridge.count[pending.model[k]] < rules.room:
            learn(rng, ridge, rules, pending.model[k], pending.z[k], pending.click[k])
        else:
            diary.totals[UNLEARNED] += 1
        left += 1
    pending.ends[0] = left
    for s in range(pool.size[0] if setting.per_article else 1):
        if ridge.stale[pool.model[s]]:
            diary.totals[INDEFINITE] += solve(ridge, rules, pool.model[s])
            diary.totals[UPDATES] += 1


@step
def build_contexts(vectors, user, per_article, z):
    """Build the context z_a of every article of the pool for this user."""
    for j in range(DIMENSION):
        for s in range(z.shape[1]):
            z[j, s] = user[j] if per_article else user[j] * vectors[j, s]


@step
def choose(rng, n, score):
    """The position of the largest score. The scan starts at a random position, so that ties have equal chances."""
    s = int(uniform(rng) * n)
    best, largest = s, score[s]
    for _ in range(n - 1):
        s += 1
        if s == n:
            s = 0
        larger = score[s] > largest
        best = s if larger else best  # selections, no branches: which article is larger cannot be predicted
        largest = score[s] if larger else largest
    return best


@step
def is_rejected(displayed, clicked, totals, i, a):
    """Whether a replay rejects event i because the policy chooses a; random choices count its click in any case."""
    totals[ARBITRARY] += 1
    totals[RANDOM] += clicked[i]
    if displayed[i] == a:
        totals[EXPECTED] += clicked[i]
    return displayed[i] != a


@step
def observe_click(p, at_random, chance, totals, i):
    """The click in a direct block, where every event is kept, on an article that is clicked with probability p."""
    totals[ARBITRARY] += 1
    totals[RANDOM] += at_random[i]
    totals[EXPECTED] += p
    return 1.0 if chance[i] < p else 0.0


@step
def keep_event(totals, pending, z, m, click, t, logged, a):
    """Count a kept event and add its feedback to the pending feedback."""
    totals[KEPT] += 1
    totals[CLICKS] += click
    k = pending.ends[1] % pending.clock.size
    for j in range(DIMENSION):
        pending.z[k, j] = z[j, a]
    pending.click[k], pending.model[k] = click, m
    pending.clock[k] = t if logged else int(totals[KEPT])
    pending.ends[1] += 1
