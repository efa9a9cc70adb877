"""The linear policies on a log: their twin, their ridge regression, and what they spend."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain import contextual
from plain.contextual import raised
from playing import NEWS, a_log, click_rates, for_twin

from dpbandits.bandits.events import EventLog, new_log_run
from dpbandits.bandits.logs.news_log import LoggedEvents
from dpbandits.drivers import ridge as ridges
from dpbandits.errors import InputError
from dpbandits.policies import POLICIES, LinUCB, PrivateLinTS, PrivateLinUCB
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream

PRIVATE = PrivateLinUCB(eps0=1.0), PrivateLinTS(eps0=1.0)


def real_log_of(horizon):
    """All events of a log with pools of three and four out of nine articles."""
    law, rng = NEWS | {"live": 4, "articles": 9}, np.random.default_rng(3)
    articles, quality = contextual.memberships(rng, 0.6, 9), 0.25 * rng.standard_normal(9)
    t, users, pool, pools, displayed, clicked = contextual.all_events(
        rng, law, horizon, quality, articles
    )
    pools[1], displayed[pool == 1] = [*pools[1, :3], -1], np.minimum(displayed[pool == 1], 2)

    blocks = [
        LoggedEvents(t[part], users[part], pool[part], pools, displayed[part], clicked[part])
        for part in (slice(horizon // 2), slice(horizon // 2, None))
    ]
    return SimpleNamespace(
        articles=np.ascontiguousarray(articles.T), pool_size=4, blocks=lambda: blocks
    )


def played(policy, rng, log, horizon, t):
    """The run of a policy on a log, and its curves at these checkpoints."""
    run = new_log_run(log, Releases(rng), horizon, t)
    policy.play(run)
    return run, EventLog.curves(None, run, t)


def test_a_score_that_is_nan_names_policy_event_and_article():
    log, t = real_log_of(700), np.arange(1, 701)
    log.articles[0, 2] = np.nan
    with pytest.raises(InputError, match=r"^LinUCB\(\): the index .* of arm 2 is NaN in round \d"):
        played(LinUCB(), stream(2), log, 700, t)


CASES = [
    {},
    {"context": "shared_article", "delay": 7},
    {"context": "disjoint_user", "delay": 5},
    {"eps0": 20.0, "delay": 9},
    {"eps0": 300.0, "context": "disjoint_user"},
    {"eps0": 0.01, "delay": 40},
]


@pytest.mark.parametrize("policy", ["ucb", "ts"])
@pytest.mark.parametrize("is_real", [False, True])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_same_events_kept_as_by_the_twin(policy, is_real, case):
    """And the same curves, for any checkpoints."""
    horizon = 700 if is_real else 2400
    # A quarter of the events is kept.
    log = real_log_of(horizon) if is_real else a_log("test", horizon=horizon, live=4, articles=9)
    t, few = np.arange(1, horizon + 1), [6, horizon // 3, -1]
    width = {"alpha": 0.4} if policy == "ucb" else {"v": 0.4}
    name = ("private_" if "eps0" in case else "") + f"lin_{policy}"
    ours = POLICIES.make(name, {"lam": 0.7} | width | case)
    _, curves = played(ours, stream(2, "twin"), log, horizon, t)
    _, of_few = played(ours, stream(2, "twin"), log, horizon, t[few])
    blocks = [
        SimpleNamespace(**e._asdict(), p=None if is_real else click_rates(e)) for e in log.blocks()
    ]
    levels = math.ceil(1.25 * horizon / 4).bit_length()
    kept = contextual.play(
        for_twin(stream(2, "twin")), blocks, log.articles, policy, 0.4, lam=0.7, levels=levels,
        **case,
    )  # fmt: skip
    assert len(kept) > 60
    for key, values in of_few.items():
        np.testing.assert_array_equal(values, curves[key][few])
    times, _, clicks = np.array(kept).T
    so_far = np.searchsorted(times, t, side="right")
    assert curves["kept"].tolist() == so_far.tolist()
    assert curves["clicks"].tolist() == np.cumsum([0, *clicks])[so_far].tolist()
    if is_real:
        every = np.concatenate([events.at_random for events in log.blocks()])
        assert curves["random_ctr"].tolist() == pytest.approx((np.cumsum(every) / t).tolist())
        assert curves["ctr_ratio"][-1] == pytest.approx(clicks.sum() / len(kept) / every.mean())
    else:
        p = {when: row for events in blocks for when, row in zip(events.t, events.p, strict=True)}
        expected, at_random = sum(p[when][a] for when, a, _ in kept), np.mean([*p.values()], axis=1)
        assert curves["ctr_ratio"][-1] == pytest.approx(expected / at_random.sum(), rel=1e-9)


@pytest.mark.parametrize("policy", PRIVATE)
def test_a_log_that_keeps_more_than_the_trees_have_leaves_is_played_to_its_end(policy):
    """Pools of 2 where 20 are expected: 250 leaves, about 2000 kept events.

    The policy does not learn from later ones.
    """
    log, t = a_log("test", horizon=4000, live=2, articles=9), np.array([4000])
    for expected_pool, room in ((20, 250), (2, 2500)):
        _, curves = played(policy, stream(1), log._replace(pool_size=expected_pool), 4000, t)
        kept = curves["kept"][0]
        assert 1800 < kept < 2200
        assert curves["unlearned"][0] * kept == pytest.approx(max(kept - room, 0))


@pytest.mark.parametrize("policy", PRIVATE)
def test_what_a_visit_costs(policy):
    """No leaf is in more than 22 nodes of a tree, and the first one is in 22, of 27 trees."""
    account = policy.privacy(45_811_883, 20)
    assert (account.epsilon, account.spent) == pytest.approx((27, 27))
    assert (account.kept(), account.neighbours) == (True, "one visit (joint DP; one click: 6)")


@given(st.lists(st.floats(-5, 5), min_size=27, max_size=27), st.floats(0, 12))
@settings(max_examples=300, deadline=None)
def test_solve_raises_eigenvalues(entries, shift):
    """For any noisy sums theta and root are those of the repaired matrix."""
    released, ridge, A = np.round(entries, 2), ridges.fresh_ridge(1, 1), np.empty((6, 6))
    ridge.released[0] = released
    ridges.fill(A, released, 0.7 + shift)
    ridges.solve(ridge, ridges.RidgeOptions(0.7, 1.0, shift), 0)
    repaired, root = raised(A, 0.7), np.tril(ridge.root[0])
    np.testing.assert_allclose(root.T @ root @ repaired, np.eye(6), atol=1e-9)
    np.testing.assert_allclose(
        ridge.theta[0], np.linalg.solve(repaired, released[21:]), rtol=1e-7, atol=1e-9
    )


def test_exact_sums_are_not_repaired():
    """A pivot that rounding leaves below lam counts as lam, and no eigenvalue is raised."""
    ridge, options = ridges.fresh_ridge(1, 1), ridges.RidgeOptions(0.7)
    ridge.released[0, :21] = -0.1 * np.eye(6)[np.tril_indices(6)]
    ridges.solve(ridge, options, 0)
    assert ridge.root[0].diagonal() == pytest.approx(0.7**-0.5)
