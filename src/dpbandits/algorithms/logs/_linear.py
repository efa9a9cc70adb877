"""Linear policies: a rule scores the articles, and one driver plays the log.

A rule is a named tuple of the policy's parameters with the method

    score(rng, n, z, model, theta, root, sign, per_article, score)

which fills `score` for the n articles of the pool. z[:, s] is the context of article s and m = model[s] its model, whose
estimate is theta[m]; A^-1 = R' sign(D) R with R = root[m] and the signs sign[m]. With `per_article` every article has a
model of its own, otherwise all have model 0. The policy plays the largest score (`choose`).
"""

from typing import NamedTuple

import numpy as np

from dpbandits.algorithms.logs._contextual import (
    Context,
    Delay,
    DelayMode,
    DelayUnit,
    PendingFeedback,
    Pool,
    Setting,
    build_contexts,
    choose,
    is_rejected,
    keep_event,
    learn_from_feedback,
    load_pool,
    make_setting,
    observe_click,
    record_checkpoints,
    tree_leaves,
)
from dpbandits.algorithms.logs._ridge import DIMENSION, Repair, Rules, fresh_ridge, private_rules
from dpbandits.environments.logs._clicks import click_rate
from dpbandits.kernels.compiled import methods, step
from dpbandits.parameters import Positive
from dpbandits.privacy.tree import tree_levels

# Columns that a processor computes at once, at most. Contexts and scores have a multiple of these: to compute the columns that
# are in no pool takes less time than a few by themselves.
TOGETHER = 8


class LinearRule:
    """The method of a rule."""

    def score(self, rng, n, z, model, theta, root, sign, per_article, score):
        """Every rule defines this."""
        raise NotImplementedError


methods(LinearRule)


def openly(
    *,
    lam: Positive = 1.0,
    context: Context = "shared_product",
    delay: Delay = 0,
    delay_mode: DelayMode = "batch",
    delay_unit: DelayUnit = "kept",
) -> tuple[Rules, Setting]:
    """How `play_blocks` plays without privacy."""
    return Rules(lam, 0.0, 0.0, False), make_setting(context, delay, delay_mode, delay_unit)


def privately(
    horizon: int,
    number_of_arms: int,
    eps0: float,
    *,
    lam: Positive = 1.0,
    context: Context = "shared_product",
    repair: Repair = "shift",
    delay: Delay = 0,
    delay_mode: DelayMode = "batch",
    delay_unit: DelayUnit = "kept",
) -> tuple[Rules, Setting]:
    """How `play_blocks` plays if it reads only sums that trees release, each eps0-private."""
    rules = private_rules(lam, eps0, tree_leaves(horizon, number_of_arms), repair)
    return rules, make_setting(context, delay, delay_mode, delay_unit)


def play_blocks(rng, log, journal, rules: Rules, setting: Setting, rule: NamedTuple) -> None:
    """Play all blocks of the log with a policy's rule.

    A log with smaller pools keeps more events. When the trees of a model are full, it learns no more (`rules.room`): its
    released sums stay, and so does the promise.
    """
    models = log.articles.shape[1] if setting.per_article else 1
    ridge = fresh_ridge(models, tree_levels(rules.room) if rules.node_scale > 0 else 1)
    capacity = max(setting.delay, 1) + 1
    pending = PendingFeedback(
        np.zeros((capacity, DIMENSION)),
        np.zeros(capacity),
        *(np.zeros(capacity, np.int64) for _ in range(2)),
        np.zeros(2, np.int64),
    )
    pool = None
    for events in log.blocks():
        if pool is None or pool.model.size < events.pools.shape[1]:
            pool = _empty_pool(events.pools.shape[1])
        play_events(rng, log.articles, events, journal.diary, ridge, rules, setting, pending, pool, rule)


def _empty_pool(size: int) -> Pool:
    columns = -(-size // TOGETHER) * TOGETHER
    return Pool(np.zeros(1, np.int64), np.zeros(size, np.int64), *np.zeros((2, DIMENSION, columns)), np.zeros(columns))


@step
def play_events(rng, articles, events, diary, ridge, rules, setting, pending, pool, rule):
    """Play one block of events."""
    z, vectors, model, score = pool.z, pool.vectors, pool.model, pool.scores
    theta, root, sign = ridge.theta, ridge.root, ridge.sign
    displayed, clicked, totals = events.displayed, events.clicked, diary.totals
    replay, checkpoint, loaded, n, changed = displayed.size > 0, 0, -1, 0, True
    for i in range(events.t.size):
        t = events.t[i]
        if t > checkpoint:
            checkpoint = record_checkpoints(diary, t)
        if events.pool[i] != loaded:
            loaded, changed = events.pool[i], True
            n = load_pool(pool, articles, events.pools[loaded], setting)
        if changed or setting.logged:  # otherwise nothing has changed since the last event
            learn_from_feedback(rng, ridge, rules, setting, pending, diary, pool, t)
            changed = False
        if setting.with_user:
            build_contexts(vectors, events.users[i], setting.per_article, z)
        rule.score(rng, n, z, model, theta, root, sign, setting.per_article, score)
        a = choose(rng, n, score)
        if replay and is_rejected(displayed, clicked, totals, i, a):
            continue
        if replay:
            click = float(clicked[i])
        else:
            p = click_rate(events.rates, i, a, t, events.users[i], events.pools[loaded, a])
            click = observe_click(p, events.at_random, events.chance, totals, i)
        keep_event(totals, pending, z, model[a], click, t, setting.logged, a)
        changed = True
