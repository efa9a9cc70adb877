"""Linear Thompson sampling, the other non-private policy of mishra2015's Figure 2 (its section 5).

After Agrawal & Goyal, "Thompson sampling for contextual bandits with linear payoffs": Gaussian prior and likelihood. Draw
theta~ from N(theta, v^2 A^-1) and play argmax_a z_a' theta~; one draw an event where there is one model, and one a model
where each article has its own. v is not given.
"""

import math

import numpy as np

from dpbandits.algorithms.logs._contextual import (
    Context,
    Delay,
    DelayMode,
    DelayUnit,
    choose,
    click_of,
    gather,
    hear,
    keep,
    look,
    refused,
    run,
    setting,
    turn_to,
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
    """One run."""
    how = setting(context, delay, delay_mode, delay_unit)
    run(lin_ts, rng, log, journal, Rules(lam, 0.0, 0.0, False, False), how, math.inf, v)


def nanoseconds(horizon, number_of_arms, **_):
    """Of the logged events one in twenty is kept, and costs twenty times as much."""
    return 65 * horizon


def privacy(horizon, number_of_arms, **_) -> Account:
    """Nothing is promised."""
    return Account(math.inf, 0.0, None)


@kernel
def lin_ts(rng, articles, events, diary, ridge, rules, how, waiting, pool, v):
    """One block of events."""
    z, vectors, model, score = pool.z, pool.vectors, pool.model, np.empty(pool.model.size)
    theta, root, sign, drawn = ridge.theta, ridge.root, ridge.sign, np.empty(DIMENSION)
    displayed, clicked, totals = events.displayed, events.clicked, diary.totals
    replay, checkpoint, known, n, changed = displayed.size > 0, 0, -1, 0, True
    for i in range(events.t.size):
        t = events.t[i]
        if t > checkpoint:
            checkpoint = turn_to(diary, t)
        if events.pool[i] != known:
            known, changed = events.pool[i], True
            n = gather(pool, articles, events.pools[known], how)
        if changed or how.logged:  # else nothing new has happened since
            hear(rng, ridge, rules, how, waiting, diary, pool, t)
            changed = False
        if how.with_user:
            look(n, vectors, events.users[i], how.per_article, z)
        for s in range(n):
            if s == 0 or how.per_article:
                draw(rng, theta[model[s]], root[model[s]], sign[model[s]], v, drawn)
            score[s] = 0.0
            for j in range(DIMENSION):
                score[s] += drawn[j] * z[j, s]
        a = choose(rng, n, score)
        if replay and refused(displayed, clicked, totals, i, a):
            continue
        click = float(clicked[i]) if replay else click_of(events.p, events.chance, totals, i, a, n)
        keep(totals, waiting, z, model[a], click, t, how.logged, a)
        changed = True


@kernel
def draw(rng, theta, root, sign, v, drawn):
    """theta + v R' xi has the covariance v^2 R' R = v^2 A^-1."""
    for j in range(DIMENSION):
        drawn[j] = theta[j]
    for i in range(DIMENSION):
        xi = v * rng.standard_normal()
        if sign[i] > 0:
            for j in range(i + 1):
                drawn[j] += xi * root[i, j]
