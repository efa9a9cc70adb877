"""Linear policies (mishra2015, section 5): a policy scores articles, and a driver plays.

`context` defines the context z_a(t) of article a and the number of models:

    shared_product  one model; z = the entrywise product of user and article (the text's theta_t,
                    A_t have no arm index)
    shared_article  one model; z = the article's vector, the same for every user
    disjoint_user   one model per article; z = the user's vector (LinUCB of Li, Chu, Langford &
                    Schapire 2010)

The paper delays the feedback by 0, 100 and 1000 events, and does not say how. Here the feedback of
kept events is collected, and the policy learns from it after every `delay` of them.

The policy plays the article with the largest score. z[:, s] is the context of the article at place
s of the pool. Places are unsigned: a negative one would be counted from the end, which takes twice
as long. There are as many as fill vectors of a processor, and the last ones are empty.
"""

import math
from typing import Annotated, Literal, NamedTuple

import numpy as np
from annotated_types import Ge

from dpbandits.bandits.events import UNLEARNED, record_checkpoints
from dpbandits.drivers.ridge import (
    DIMENSION,
    SUMS,
    Ridge,
    RidgeOptions,
    fresh_ridge,
    learn,
    private_options,
    solve,
    tree_leaves,
)
from dpbandits.kernels import step
from dpbandits.parameters import Positive, Words
from dpbandits.policy import LogPolicy
from dpbandits.privacy.games import AuditGames, Setting
from dpbandits.privacy.ledger import Account
from dpbandits.privacy.tree import tree_ledger, tree_node_scale

Context = Literal["shared_product", "shared_article", "disjoint_user"]
VECTOR = 8  # numbers at most
Delay = Annotated[int, Ge(0), Words("a delay of at least 0 events")]


class Pool(NamedTuple):
    """The articles that can be shown."""

    size: np.ndarray  # of one element: their number
    model: np.ndarray
    vectors: np.ndarray
    z: np.ndarray  # their contexts for the current user
    scores: np.ndarray


class Pending(NamedTuple):
    """The feedback that the policy has not learned from."""

    z: np.ndarray
    click: np.ndarray
    model: np.ndarray
    size: np.ndarray  # of one element: how much there is


class Models(NamedTuple):
    """The models of a policy, and what they learn from."""

    ridge: Ridge
    options: RidgeOptions
    pending: Pending
    per_article: bool  # else one model for all
    with_user: bool  # whether contexts depend on the user


class LinearPolicy(LogPolicy):
    """A policy that scores the articles of a pool by a linear model, and shows the best.

    A subclass defines `score_articles`, which is compiled. In it `self` has the parameters that are
    numbers, the `constants` and the `state`.
    """

    needs = ("score_articles",)

    lam: Positive = 1.0
    context: Context = "shared_product"
    delay: Delay = 0

    def score_articles(self, rng, ridge, m, first, end, pool):
        """Fill `pool.scores` at the places first..end-1 by model m.

        The model is theta[m] and R = root[m] of `ridge`.
        """
        raise NotImplementedError

    def options(self, horizon: int, number_of_arms: int) -> RidgeOptions:
        """Return how sums are released: by default without noise."""
        return RidgeOptions(self.lam)

    def audit_games(self):
        """A log of sixteen kept visits, from which a policy learns without long delay.

        It is for replays. Games as short as those of audits show nothing.
        """
        log = Setting(3, 48, changes={"delay": min(self.delay, 2)})
        return AuditGames((log,), legal_rewards_only=True)

    def play(self, run):
        """Play all blocks of the log.

        A log with smaller pools than expected keeps more events. When the trees of a model are
        full, it learns no more (`options.room`): its released sums stay, and so does the promise.
        """
        options, articles = self.options(run.horizon, run.K), run.log.articles
        per_article = self.context == "disjoint_user"
        with_user = self.context != "shared_article"
        ridge = fresh_ridge(articles.shape[1] if per_article else 1, options.room)
        places = max(self.delay, 1)
        pending = Pending(
            np.zeros((places, DIMENSION)), np.zeros(places), *np.zeros((2, places), np.int64)
        )
        models = Models(ridge, options, pending, per_article, with_user)
        policy = self.compiled(run.horizon, run.K)
        for events in run.blocks():
            pool = empty_pool(events.pools.shape[1])
            game = (run.rng, run.releases), articles, events, run.journal
            self.refuse_nan(play_events(*game, models, pool, policy))


class PrivateLinearPolicy(LinearPolicy):
    """A linear policy whose sums are released by trees with eps0 each, 27 eps0 in total."""

    eps0: Positive

    def options(self, horizon, number_of_arms):
        return private_options(self.lam, horizon, number_of_arms, self.eps0)

    def privacy(self, horizon, number_of_arms):
        """Each of a visit's 27 numbers is one leaf of one tree, so a visit costs 27 eps0.

        If only its click differs, the 21 of z z' do not change. With one model per article, a visit
        is still in the trees of one model only. Not covered:

        - the visitor's own article. It depends on the visitor's vector without any mechanism, so
          the guarantee for a visitor is about the articles shown to all other visitors (joint
          differential privacy).
        - the log. Whether an event is kept depends on the policy's choice for this visitor. A
          changed visit may be kept where it was discarded, and then all later visits move on by one
          leaf; the ledger compares streams of kept visits in which one is replaced. The number of
          kept events and the click rates are published without noise.
        """
        leaves = tree_leaves(horizon, number_of_arms)
        ledger = tree_ledger(leaves, tree_node_scale(leaves, self.eps0), trees=SUMS)
        what = f"one visit (joint DP; one click: {DIMENSION * self.eps0:.6g})"
        return Account(SUMS * self.eps0, 0.0, ledger, neighbours=what)


def empty_pool(places: int) -> Pool:
    """A pool with room for this many articles, and places up to a multiple of VECTOR."""
    places = math.ceil(places / VECTOR) * VECTOR
    vectors, z = np.zeros((2, DIMENSION, places))
    return Pool(np.zeros(1, np.int64), np.zeros(places, np.int64), vectors, z, np.zeros(places))


@step
def play_events(randomness, articles, events, journal, models, pool, policy):
    """Play one block of events; `randomness`: of the run's choices, and its releases."""
    rng, releases = randomness
    ridge, options, pending, per_article, with_user = models
    checkpoint, loaded = 0, -1
    for i in range(events.t.size):
        if events.t[i] > checkpoint:
            checkpoint = record_checkpoints(journal, events.t[i])
        if events.pool[i] != loaded:
            loaded = events.pool[i]
            load_pool(pool, articles, events.pools[loaded], per_article)
        update_models(ridge, options, pool)
        if with_user:
            build_contexts(pool, events.users[i], per_article)
        if per_article:
            for s in range(pool.size[0]):
                policy.score_articles(
                    rng, ridge, pool.model[s], np.uint64(s), np.uint64(s + 1), pool
                )
        else:
            policy.score_articles(
                rng, ridge, np.int64(0), np.uint64(0), np.uint64(pool.scores.size), pool
            )
        a = choose(rng, pool)
        if a < 0:
            return events.t[i], events.pools[loaded, ~a]
        is_kept, click = journal.play(events, i, a)
        if is_kept:
            collect(releases, ridge, options, pending, pool, a, click, journal.totals)
    return 0, 0


@step
def load_pool(pool, articles, row, per_article):
    """Load the articles of a new pool, their vectors as columns."""
    n = 0
    while n < row.size and row[n] >= 0:
        pool.model[n] = row[n] if per_article else 0
        for j in range(DIMENSION):
            pool.vectors[j, n] = pool.z[j, n] = articles[j, row[n]]
        n += 1
    pool.size[0] = n


@step
def update_models(ridge, options, pool):
    """Solve those models of the pool's articles that are older than their sums."""
    for s in range(pool.size[0] if ridge.theta.shape[0] > 1 else 1):
        if ridge.stale[pool.model[s]]:
            solve(ridge, options, pool.model[s])


@step
def build_contexts(pool, user, per_article):
    """Build the context z_a of every article of the pool for this user."""
    for j in range(DIMENSION):
        for s in range(pool.z.shape[1]):
            pool.z[j, s] = user[j] if per_article else user[j] * pool.vectors[j, s]


@step
def choose(rng, pool):
    """Return the place of the largest score; ~s, which is negative, if that at place s is NaN.

    The scan starts at a random place, so that a tie does not always go to the first.
    """
    n, score = pool.size[0], pool.scores
    s = int(rng.random() * n)
    best, largest = s, score[s]
    for _ in range(n - 1):
        s += 1
        if s == n:
            s = 0
        # Selections, no branches: a processor cannot predict which article is larger.
        larger = score[s] > largest
        best = s if larger else best
        largest = score[s] if larger else largest
    return ~best if np.isnan(largest) else best


@step
def collect(releases, ridge, options, pending, pool, a, click, totals):
    """Keep the feedback on article a. If that makes a whole batch, learn from it."""
    k = pending.size[0]
    for j in range(DIMENSION):
        pending.z[k, j] = pool.z[j, a]
    pending.click[k], pending.model[k] = click, pool.model[a]
    pending.size[0] = (k + 1) % pending.click.size
    if pending.size[0] == 0:
        for k in range(pending.click.size):
            if ridge.count[pending.model[k]] < options.room:
                learn(releases, ridge, options, pending.model[k], pending.z[k], pending.click[k])
            else:
                totals[UNLEARNED] += 1
