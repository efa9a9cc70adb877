"""Linear Thompson sampling, the other non-private policy of mishra2015's Figure 2 (its section 5).

After Agrawal & Goyal, "Thompson sampling for contextual bandits with linear payoffs": Gaussian prior and likelihood.
Draw theta~ from N(theta, v^2 A^-1) and play argmax_a z_a' theta~; one draw per event for a single model, one draw per
model and event where each article has its own model. The paper does not give v.
"""

import math

import numpy as np

from dpbandits.algorithms.logs._contextual import (
    Context,
    Delay,
    DelayMode,
    DelayUnit,
    build_contexts,
    choose,
    is_rejected,
    keep_event,
    learn_from_feedback,
    load_pool,
    make_setting,
    observe_click,
    play_blocks,
    record_checkpoints,
)
from dpbandits.algorithms.logs._ridge import DIMENSION, Rules
from dpbandits.compiled import kernel
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account


def play(
    rng,
    log,
    horizon,
    journal,
    *,
    v: Positive = 0.1,
    lam: Positive = 1.0,
    context: Context = "shared_product",
    delay: Delay = 0,
    delay_mode: DelayMode = "batch",
    delay_unit: DelayUnit = "kept",
):
    """Play one run."""
    setting = make_setting(context, delay, delay_mode, delay_unit)
    play_blocks(lin_ts, rng, log, journal, Rules(lam, 0.0, 0.0, False, False), setting, v)


def nanoseconds(horizon, number_of_arms, **_):
    """One logged event in twenty is kept, and a kept event takes twenty times as long."""
    return 65 * horizon


def privacy(horizon, number_of_arms, **_) -> Account:
    """No privacy guarantee."""
    return Account(math.inf, 0.0, None)


@kernel
def lin_ts(rng, articles, events, diary, ridge, rules, setting, pending, pool, v):
    """Play one block of events."""
    z, vectors, model, score = pool.z, pool.vectors, pool.model, np.empty(pool.model.size)
    theta, root, sign, drawn = ridge.theta, ridge.root, ridge.sign, np.empty(DIMENSION)
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
            build_contexts(n, vectors, events.users[i], setting.per_article, z)
        for s in range(n):
            if s == 0 or setting.per_article:
                draw(rng, theta[model[s]], root[model[s]], sign[model[s]], v, drawn)
            score[s] = 0.0
            for j in range(DIMENSION):
                score[s] += drawn[j] * z[j, s]
        a = choose(rng, n, score)
        if replay and is_rejected(displayed, clicked, totals, i, a):
            continue
        click = float(clicked[i]) if replay else observe_click(events.p, events.chance, totals, i, a, n)
        keep_event(totals, pending, z, model[a], click, t, setting.logged, a)
        changed = True


@kernel
def draw(rng, theta, root, sign, v, drawn):
    """Draw theta + v R' xi, whose covariance is v^2 R' R = v^2 A^-1."""
    for j in range(DIMENSION):
        drawn[j] = theta[j]
    for i in range(DIMENSION):
        xi = v * rng.standard_normal()
        if sign[i] > 0:
            for j in range(i + 1):
                drawn[j] += xi * root[i, j]
