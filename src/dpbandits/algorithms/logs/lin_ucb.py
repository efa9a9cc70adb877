"""LinUCB, the non-private policy of mishra2015's Figure 2 (its section 5; after Li, Chu, Langford & Schapire 2010).

Play argmax_a z_a' theta + alpha sqrt(z_a' A^-1 z_a), with theta by ridge regression: the Mahalanobis distance that the
text writes with A_t is that of A_t^-1. The paper does not give alpha.
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
    alpha: Positive = 0.1,
    lam: Positive = 1.0,
    context: Context = "shared_product",
    delay: Delay = 0,
    delay_mode: DelayMode = "batch",
    delay_unit: DelayUnit = "kept",
):
    """Play one run."""
    setting = make_setting(context, delay, delay_mode, delay_unit)
    play_blocks(lin_ucb, rng, log, journal, Rules(lam, 0.0, 0.0, False, False), setting, alpha)


def nanoseconds(horizon, number_of_arms, **_):
    """One logged event in twenty is kept, and a kept event takes twenty times as long."""
    return 65 * horizon


def privacy(horizon, number_of_arms, **_) -> Account:
    """No privacy guarantee."""
    return Account(math.inf, 0.0, None)


@kernel
def lin_ucb(rng, articles, events, diary, ridge, rules, setting, pending, pool, alpha):
    """Play one block of events. With A^-1 = R' sign(D) R, the width z' A^-1 z is a signed sum of squares of R z."""
    z, vectors, model, score = pool.z, pool.vectors, pool.model, np.empty(pool.model.size)
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
            build_contexts(n, vectors, events.users[i], setting.per_article, z)
        if setting.per_article:
            for s in range(n):
                m = model[s]
                score_columns(s, s + 1, z, theta[m], root[m], sign[m], alpha, score)
        else:
            score_columns(0, n, z, theta[0], root[0], sign[0], alpha, score)
        a = choose(rng, n, score)
        if replay and is_rejected(displayed, clicked, totals, i, a):
            continue
        click = float(clicked[i]) if replay else observe_click(events.p, events.chance, totals, i, a, n)
        keep_event(totals, pending, z, model[a], click, t, setting.logged, a)
        changed = True


@kernel
def score_columns(first, end, z, theta, root, sign, alpha, score):
    """Score the columns first..end-1 of z by z' theta + alpha sqrt(z' A^-1 z)."""
    for s in range(first, end):
        mean, width = 0.0, 0.0
        for i in range(DIMENSION):
            part = 0.0
            for j in range(i + 1):
                part += root[i, j] * z[j, s]
            mean += theta[i] * z[i, s]
            width += sign[i] * part * part
        score[s] = mean + alpha * math.sqrt(max(width, 0.0))
