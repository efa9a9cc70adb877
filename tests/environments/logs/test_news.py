"""The synthetic news log, and that a direct run has the law of a replay of every event."""

import os

import numpy as np
import pytest
import yaml
from plain import contextual as plain
from playing import click_rates
from project import ROOT
from scipy import stats

from dpbandits import algorithms, simulation
from dpbandits.environments.logs._events import KEPT, blank_journal
from dpbandits.environments.logs.news import Log
from dpbandits.kernels.streams import stream

NEWS = yaml.safe_load((ROOT / "config/papers/mishra2015.yaml").read_text())["environments"]["news"]
# The pool is renewed 251 times in a log of any length, and policies learn within the first few thousand kept events, so a
# twentieth of 2,000,000 events shows a difference of laws as well, in seconds. LOG_EVENTS=2000000 tests that length.
EVENTS, RUNS = int(os.environ.get("LOG_EVENTS", 100_000)), int(os.environ.get("LOG_RUNS", 100))


def environment(mode, **other):
    return simulation.make_environment({**NEWS, "mode": mode, **other})


def finals(name, mode, **given):
    """(kept, clicks) of many runs on the same articles: those of different runs would hide a difference in their spread."""
    it, found = environment(mode), []
    articles = it.draw_articles(stream(1, "replay", "articles"))
    for run in range(RUNS):
        log = Log(it.law, articles, stream(1, "replay", mode, name, run), EVENTS, mode == "direct")
        journal = blank_journal(np.array([EVENTS]))
        algorithms.find(name).play(stream(1, "replay", mode, name, "policy", run), log, EVENTS, journal, **given)
        curves = journal.results()
        found.append((curves["kept"][0], curves["clicks"][0], curves["ctr_ratio"][0]))
    return np.array(found).T


@pytest.mark.parametrize(
    ("name", "given"),
    [("lin_ucb", {}), ("private_lin_ts", {"eps0": 2.0, "delay": 100})],
)
def test_direct_and_replay_have_the_same_law(name, given):
    direct, replay = finals(name, "direct", **given), finals(name, "replay", **given)
    for one, other in zip(direct[:2], replay[:2], strict=True):
        assert stats.ks_2samp(one, other).pvalue > 1e-4
    assert stats.ks_2samp(direct[1] / direct[0], replay[1] / replay[0]).pvalue > 1e-4
    for kept in (direct[0], replay[0]):  # a binomial number of events is kept, whoever chooses
        z = (kept - EVENTS / 20) / np.sqrt(EVENTS * 19 / 400)
        assert stats.kstest(z, "norm").pvalue > 1e-4
    # The ratio of click rates has the same mean, and less spread in direct mode, where both rates are expectations.
    error = np.sqrt((direct[2].var() + replay[2].var()) / RUNS)
    assert abs(direct[2].mean() - replay[2].mean()) < 4 * error


def test_the_stand_in_has_the_click_rates_that_its_constants_were_chosen_for():
    """At random 0.0403, as was found by other code; and the rate of the best choice over it, as of plain NumPy here."""
    ours, theirs, rng = [], [], np.random.default_rng(1)
    for run in range(40):
        log, _ = environment("direct").begin(stream(1, "rates", run), 500_000, np.array([500_000]))
        p = np.concatenate([click_rates(events)[::20] for events in log.blocks()])
        ours.append((p.mean(), p.max(axis=1).mean() / p.mean()))
        theirs.append(plain.rates(rng, NEWS, 300))
    ours, theirs = np.array(ours), np.array(theirs)
    error = np.sqrt((ours.var(axis=0, ddof=1) + theirs.var(axis=0, ddof=1)) / 40)
    assert np.all(np.abs(ours.mean(axis=0) - theirs.mean(axis=0)) < 4.5 * error)
    assert ours[:, 0].mean() == pytest.approx(0.0403, abs=4.5 * error[0])


def test_a_pool_is_renewed_one_by_one_and_articles_keep_their_place():
    log, _ = environment("replay").begin(stream(1, "pools"), 25_100, np.array([25_100]))
    seen = {}
    for events in log.blocks():
        for t, row in zip(events.t, events.pools[events.pool], strict=True):
            first = (t - 1) // 100
            assert sorted(row) == list(range(first, first + 20))
            for place, article in enumerate(row):
                assert seen.setdefault(article, place) == place
    assert len(seen) == 270  # the last of 271 would come with the event after the last


def test_p_is_the_law_that_the_paper_file_states():
    it = environment("direct")
    log, _ = it.begin(stream(1, "law"), 50_000, np.array([50_000]))
    rng = stream(1, "law").spawn(2)[0]
    quality = NEWS["quality_sd"] * rng.standard_normal(271)
    vectors = log.articles[1:]
    events = next(log.blocks())
    p = click_rates(events)
    for i in (0, 100, 2000):
        x = (events.t[i] - 1) * 251 / 50_000
        for place in range(20):
            a = events.pools[events.pool[i], place]
            age = (x - (a - 19)) / 20
            assert 0 <= age < 1.001
            u, v = events.users[i, 1:], vectors[:, a]
            rate = 0.046 * np.exp(quality[a] + np.dot(NEWS["taste"], v) + u @ np.array(NEWS["match"]) @ v - 0.4 * age)
            assert p[i, place] == pytest.approx(min(max(rate, 0.001), 0.5), rel=1e-12)


def test_the_rate_at_random_is_the_mean_over_the_pool():
    """Bit for bit: the terms are added in the same order."""
    log, _ = environment("direct").begin(stream(1, "mean"), 300_000, np.array([300_000]))
    for events in log.blocks():
        assert events.at_random.tolist() == [sum(row) / 20 for row in click_rates(events).tolist()]


def test_vectors_are_memberships_in_millionths():
    log, _ = environment("replay").begin(stream(1, "vectors"), 5000, np.array([5000]))
    users = np.concatenate([events.users for events in log.blocks()])
    for vectors in (users, log.articles.T):
        assert np.all(vectors[:, 0] == 1)
        assert np.array_equal(np.round(vectors * 1e6) / 1e6, vectors)
        assert vectors[:, 1:].sum(axis=1) == pytest.approx(1, abs=5e-6)
    largest = np.random.default_rng(1).dirichlet(np.full(5, 0.15), 100_000).max(axis=1)
    assert stats.ks_2samp(users[:, 1:].max(axis=1), largest).pvalue > 1e-4
    assert users[:, 1:].mean(axis=0) == pytest.approx(0.2, abs=5 * np.sqrt(0.16 / 1.75 / 5000))


def test_displayed_articles_are_uniform_and_clicked_as_the_law_says():
    replay, _ = environment("replay").begin(stream(1, "shown"), 200_000, np.array([200_000]))
    displayed, clicked = (
        np.concatenate(c) for c in zip(*((e.displayed, e.clicked) for e in replay.blocks()), strict=True)
    )
    count = np.bincount(displayed, minlength=20)
    assert ((count - 10_000) ** 2 / 10_000).sum() < 54  # chi-square, 19 degrees of freedom, 3e-5
    direct, _ = environment("direct").begin(stream(1, "shown"), 200_000, np.array([200_000]))
    p = np.concatenate([e.at_random for e in direct.blocks()])
    error = np.sqrt(0.04 / 200_000 + p.var() / p.size)
    assert clicked.mean() == pytest.approx(p.mean(), abs=4.5 * error)


def test_the_next_policy_of_a_run_reads_the_same_log():
    news = environment("direct")
    first, _ = news.begin(stream(1, "again"), 300_000, np.array([300_000]))
    began = next(first.blocks())  # a policy may leave a log before its end
    second, _ = news.begin(stream(1, "again"), 300_000, np.array([300_000]))
    fresh, _ = environment("direct").begin(stream(1, "again"), 300_000, np.array([300_000]))
    blocks = [list(log.blocks()) for log in (second, first, fresh)]
    assert len(blocks[0]) == len(blocks[1]) == len(blocks[2]) == 4
    assert all(np.array_equal(*pair) for pair in zip(began[:-1], blocks[0][0][:-1], strict=True))
    for one, other, drawn in zip(*blocks, strict=True):
        for columns in zip(one[:-1], other[:-1], drawn[:-1], strict=True):  # without the rates
            assert np.array_equal(columns[0], columns[2])
            assert np.array_equal(columns[1], columns[2])
    other_run, _ = news.begin(stream(2, "again"), 300_000, np.array([300_000]))
    assert not np.array_equal(next(other_run.blocks()).t, began.t)


def test_all_policies_of_a_run_meet_the_same_kept_users():
    spec = {
        "paper": "p",
        "experiment": "e",
        "stream": "e",
        "environment": NEWS,
        "horizon": 20_000,
        "checkpoints": [20_000],
    }
    found = []
    for name, given in (("lin_ucb", {}), ("private_lin_ts", {"eps0": 1.0, "delay": 10})):
        series = {name: {"algorithm": name, "parameters": given}}
        found.append(simulation.simulate({**spec, "policy": name, "series": series, "seed": 1}, 0, 2).values)
    assert np.array_equal(found[0]["kept"], found[1]["kept"])
    assert np.array_equal(found[0]["random_ctr"], found[1]["random_ctr"])
    assert not np.array_equal(found[0]["clicks"], found[1]["clicks"])


def test_checkpoints_do_not_move_a_run():
    it, curves = environment("replay"), []
    for t in (np.arange(1, 3001), np.array([7, 1500, 3000])):
        log, journal = it.begin(stream(1, "checks"), 3000, t)
        algorithms.find("lin_ts").play(stream(1, "policy"), log, 3000, journal)
        curves.append(journal.results())
        assert journal.diary.totals[KEPT] == curves[-1]["kept"][-1]
    for name in curves[0]:
        assert curves[0][name][[6, 1499, 2999]].tolist() == curves[1][name].tolist()
