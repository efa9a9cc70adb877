"""The linear policies on a log: event by event as their plain twin, and what they spend."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import yaml
from plain import contextual
from playing import click_rates
from project import ROOT
from twins import for_twin

from dpbandits import algorithms, simulation
from dpbandits.algorithms.logs import _contextual, _linear, _ridge
from dpbandits.environments.logs._events import blank_journal
from dpbandits.kernels.streams import stream

SPENT = {"visit": 2.7, "reward": 0.6}


@pytest.mark.parametrize("name", ["private_lin_ucb", "private_lin_ts"])
@pytest.mark.parametrize("neighbours", SPENT)
def test_what_a_visit_and_a_reward_cost(name, neighbours):
    account = algorithms.find(name).privacy(45_811_883, 20, eps0=0.1, neighbours=neighbours)
    assert account.epsilon == pytest.approx(SPENT[neighbours])
    # No leaf is in more than 22 nodes, and the first one is in 22 of the noisy prefixes' fresh nodes.
    assert account.spent == pytest.approx(SPENT[neighbours])
    assert account.kept


def test_a_policy_without_noise_promises_nothing():
    assert algorithms.find("lin_ucb").privacy(10_000, 20).spent == math.inf


FILE, SCHEMA = ROOT / "config/papers/mishra2015.yaml", ROOT / "workflow/schemas/paper.schema.yaml"


NEWS = yaml.safe_load(FILE.read_text())["environments"]["news"]


class Again:
    """A log that can be played more than once."""

    def __init__(self, log):
        self.articles, self.pool_size, self.kept = log.articles, log.pool_size, list(log.blocks())

    def blocks(self):
        return iter(self.kept)


def a_log(horizon, mode="direct", run=0, **other):
    environment = simulation.make_environment({**NEWS, "mode": mode, **other})
    return Again(environment.begin(stream(1, "test", run), horizon, np.array([horizon]))[0])


CASES = [
    {},
    {"context": "shared_article", "delay": 7},
    {"context": "disjoint_user"},
    {"context": "disjoint_user", "delay": 5, "mode": "lag"},
    {"delay": 6, "mode": "lag"},
    {"delay": 40, "unit": "logged"},
    {"delay": 40, "mode": "lag", "unit": "logged"},
    {"eps0": 20.0},
    {"eps0": 20.0, "delay": 9},
    {"eps0": 300.0, "repair": "eigen_clip", "context": "disjoint_user"},
    {"eps0": 50.0, "repair": "eigen_clip", "delay": 3, "unit": "logged"},
]


@pytest.mark.parametrize("policy", ["ucb", "ts"])
@pytest.mark.parametrize("mode", ["direct", "replay"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_same_events_kept_as_by_the_twin(policy, mode, case):
    horizon = 2400 if mode == "direct" else 700
    log = a_log(horizon, mode, live=4, articles=9)  # four articles: a quarter of the events is kept
    t = np.arange(1, horizon + 1)
    given = {"delay_mode" if k == "mode" else "delay_unit" if k == "unit" else k: v for k, v in case.items()}
    journal = blank_journal(t)
    name = ("private_" if "eps0" in case else "") + f"lin_{policy}"
    width = {"alpha": 0.4} if policy == "ucb" else {"v": 0.4}
    algorithms.find(name).play(stream(2, "twin"), log, horizon, journal, lam=0.7, **width, **given)
    levels = math.ceil(1.25 * horizon / 4).bit_length()
    blocks = [SimpleNamespace(**events._asdict(), p=click_rates(events)) for events in log.blocks()]
    rng = for_twin(stream(2, "twin"))
    kept = contextual.play(rng, blocks, log.articles, policy, 0.4, lam=0.7, levels=levels, **case)
    assert len(kept) > 60
    curves = journal.results()
    assert curves["kept"].tolist() == np.searchsorted([e[0] for e in kept], t, side="right").tolist()
    clicks = np.zeros(horizon + 1)
    for when, _, click in kept:
        clicks[when] += click
    assert curves["clicks"].tolist() == np.cumsum(clicks)[1:].tolist()
    if mode == "direct":
        p = {int(when): row for events in blocks for when, row in zip(events.t, events.p, strict=True)}
        expected = sum(p[when][a] for when, a, _ in kept)
        assert journal.diary.totals[2] == pytest.approx(expected, rel=1e-12)
        assert curves["ctr_ratio"][-1] == pytest.approx(expected / sum(row.mean() for row in p.values()))
    else:
        every = np.concatenate([events.clicked for events in log.blocks()])
        assert curves["random_ctr"].tolist() == pytest.approx((np.cumsum(every) / t).tolist())


EXACT = _ridge.Rules(1.0, 0.0, 0.0, False)


@pytest.mark.parametrize(("delay", "mode", "learned"), [(0, "batch", [0, 1, 2, 3, 4, 5, 6]), (3, "batch", [0, 0, 0, 3, 3, 3, 6]), (3, "lag", [0, 0, 0, 0, 1, 2, 3])])  # fmt: skip
def test_what_has_been_learned_before_the_first_seven_kept_events(delay, mode, learned):
    setting = _contextual.make_setting("shared_product", delay, mode, "kept")
    ridge, journal, pool = _ridge.fresh_ridge(1, 1), blank_journal(np.array([9])), _linear._empty_pool(2)
    places = max(delay, 1) + 1
    pending = _contextual.PendingFeedback(
        np.zeros((places, 6)), np.zeros(places), np.zeros(places, np.int64), np.zeros(places, np.int64), np.zeros(2, np.int64)
    )  # fmt: skip
    found = []
    for t in range(1, 8):
        _contextual.learn_from_feedback(stream(1), ridge, EXACT, setting, pending, journal.diary, pool, t)
        found.append(int(ridge.count[0]))
        _contextual.keep_event(journal.diary.totals, pending, pool.z, 0, 1.0, t, False, 0)
    assert found == learned


def test_equal_scores_have_equal_chances():
    rng, n = np.random.default_rng(1), 20_000
    found = np.bincount([_contextual.choose(rng, 5, np.zeros(8)) for _ in range(n)], minlength=5)
    assert len(found) == 5
    assert ((found - n / 5) ** 2 / (n / 5)).sum() < 27.9  # chi-square, 4 degrees of freedom, 1e-5
    assert _contextual.choose(rng, 3, np.array([1.0, 3.0, 2.0, 9.0])) == 1


@pytest.mark.parametrize("name", ["private_lin_ucb", "private_lin_ts"])
def test_a_log_that_keeps_more_than_the_trees_have_leaves_is_played_to_its_end(name):
    """Pools of 2 where 20 are expected: 250 leaves, about 2000 kept events. What comes later is not learned."""
    log = a_log(4000, live=2, articles=9)
    log.pool_size = 20
    journal = blank_journal(np.array([4000]))
    algorithms.find(name).play(stream(1), log, 4000, journal, eps0=1.0)
    kept, unlearned = journal.results()["kept"][-1], journal.results()["unlearned"][-1]
    assert 1800 < kept < 2200
    assert round(unlearned * kept) in (kept - 250, kept - 251)  # the last kept event waits for the next
    log.pool_size = 2
    journal = blank_journal(np.array([4000]))
    algorithms.find(name).play(stream(1), log, 4000, journal, eps0=1.0)
    assert journal.results()["unlearned"][-1] == 0
