"""The synthetic news log: its probabilities, and the distribution of games on kept events."""

import math

import numpy as np
import pytest
from plain import contextual as plain
from playing import NEWS, a_log, click_rates
from scipy import stats

from dpbandits.bandits import make
from dpbandits.bandits.logs.news import Log, draw_log
from dpbandits.bandits.logs.news_log import LoggedEvents
from dpbandits.errors import InputError
from dpbandits.policies import LinUCB
from dpbandits.random import stream

# The pool is renewed 251 times in a log of any length, and policies learn within the first few
# thousand kept events, so a twentieth of 2,000,000 events shows a difference of distributions, too.
EVENTS, RUNS = 100_000, 100


def drawn_articles():
    """The same articles from the package and, with their quality, for plain code."""
    quality = NEWS["quality_sd"] * np.random.default_rng(7).standard_normal(NEWS["articles"])
    return make(NEWS).draw_articles(np.random.default_rng(7)), quality


def final(name, run, log):
    """(kept events, clicks, ratio of click rates) of a run."""
    rng, t = stream(1, "law", name, run), np.array([EVENTS])
    curves = make(NEWS).play_run(LinUCB(), log, rng, EVENTS, t)
    return [curves[quantity][0] for quantity in ("kept", "clicks", "ctr_ratio")]


@pytest.mark.slow
def test_the_kept_events_have_the_distribution_of_a_replay():
    """On the same articles: different ones would hide a difference in the spread."""
    (articles, quality), law = drawn_articles(), make(NEWS).law
    ours, theirs = [], []
    for run in range(RUNS):
        kept = draw_log(stream(1, "kept", run), law, articles, EVENTS)
        rng = np.random.default_rng([8, run])
        events = plain.all_events(rng, NEWS, EVENTS, quality, articles.vectors.T)
        replayed = Log(articles.vectors, NEWS["live"], LoggedEvents(*events))
        ours.append(final("kept", run, kept))
        theirs.append(final("replayed", run, replayed))
    ours, theirs = np.transpose(ours), np.transpose(theirs)
    for one, other in zip(ours[:2], theirs[:2], strict=True):
        assert stats.ks_2samp(one, other).pvalue > 1e-4
    assert stats.ks_2samp(ours[1] / ours[0], theirs[1] / theirs[0]).pvalue > 1e-4
    # A binomial number of events is kept, whatever the policy chooses.
    z = (ours[0] - EVENTS / 20) / np.sqrt(EVENTS * 19 / 400)
    assert stats.kstest(z, "norm").pvalue > 1e-4
    # The ratio of click rates has the same mean, and less spread where both rates are expectations.
    error = np.sqrt((ours[2].var() + theirs[2].var()) / RUNS)
    assert abs(ours[2].mean() - theirs[2].mean()) < 4 * error
    assert ours[2].std() < theirs[2].std()


def test_the_stand_in_has_the_click_rate_that_its_constants_were_chosen_for():
    """At random 0.0403, as was found by other code."""
    rates = [a_log("rates", run, horizon=300_000).events.at_random.mean() for run in range(40)]
    assert np.mean(rates) == pytest.approx(0.0403, abs=4.5 * np.std(rates) / math.sqrt(40))


def test_p_is_what_the_paper_file_states():
    articles, quality = drawn_articles()
    events = draw_log(stream(1, "p"), make(NEWS).law, articles, 50_000).events
    found = click_rates(events)
    for place in range(20):
        a = events.pools[events.pool, place]
        p = plain.click_rate(NEWS, 50_000, quality, articles.vectors.T, events.t, events.users, a)
        assert found[:, place] == pytest.approx(p, rel=1e-12)
    # Bit for bit: the terms are added in the same order.
    assert events.at_random.tolist() == [sum(row) / 20 for row in found.tolist()]


def test_a_pool_is_renewed_one_by_one_and_articles_keep_their_place():
    """252 pools of 100 events show all 271 articles of the paper's file."""
    events, seen = a_log("pools", horizon=25_200).events, {}
    for t, row in zip(events.t, events.pools[events.pool], strict=True):
        first = (t - 1) // 100
        assert sorted(row) == list(range(first, first + 20))
        for place, article in enumerate(row):
            assert seen.setdefault(article, place) == place
    assert len(seen) == NEWS["articles"] == 271


def test_a_log_of_as_many_events_as_pools_is_long_enough():
    news = make(NEWS | {"live": 2, "articles": 9})  # 8 pools, of which 7 replace an article
    news.check(8)
    with pytest.raises(InputError, match=r"too short a log: .* changed 7 times; give at least 8"):
        news.check(7)


def test_vectors_are_memberships_in_millionths():
    log, rng = a_log("vectors", horizon=300_000), np.random.default_rng(1)
    users = log.events.users
    for vectors, concentration in ((users, 0.15), (log.articles.T, 0.6)):
        assert np.all(vectors[:, 0] == 1)
        assert np.array_equal(np.round(vectors * 1e6) / 1e6, vectors)
        assert vectors[:, 1:].sum(axis=1) == pytest.approx(1, abs=5e-6)
        largest = rng.dirichlet(np.full(5, concentration), 100_000).max(axis=1)
        assert stats.ks_2samp(vectors[:, 1:].max(axis=1), largest).pvalue > 1e-4
    assert users[:, 1:].mean(axis=0) == pytest.approx(0.2, abs=5 * np.sqrt(0.16 / 1.75 / 15_000))


def test_all_policies_of_a_run_meet_the_same_kept_users():
    one, same, other = (make(NEWS).draw_game(stream(seed), 20_000) for seed in (1, 1, 2))
    for array in ("t", "users", "at_random", "chance"):
        events = getattr(one.events, array)
        assert np.array_equal(events, getattr(same.events, array))
        assert not np.array_equal(events[:900], getattr(other.events, array)[:900])
