"""mishra2015's contextual policies: by hand, against numpy.linalg, against plain twins, and what they spend."""

import math
from pathlib import Path

import numpy as np
import plain_contextual as plain
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from dpbandits import algorithms, checks, papers, simulation
from dpbandits.algorithms import _contextual, _ridge, lin_ts
from dpbandits.claims import privacy
from dpbandits.claims.paired import paired_ratio
from dpbandits.environments._events import blank_journal
from dpbandits.errors import InputError
from dpbandits.randomness import stream

ROOT = Path(__file__).parent.parent
FILE, SCHEMA = ROOT / "config/papers/mishra2015.yaml", ROOT / "workflow/schemas/paper.schema.yaml"
NEWS = yaml.safe_load(FILE.read_text())["experiments"]["fig2a"]["environment"]
EXACT = _ridge.Rules(1.0, 0.0, 0.0, False, False)


class Again:
    """A log that can be played more than once."""

    def __init__(self, log):
        self.articles, self.pool_size, self.kept = log.articles, log.pool_size, list(log.blocks())

    def blocks(self):
        return iter(self.kept)


def a_log(horizon, mode="direct", run=0, **other):
    environment = simulation.make_environment({**NEWS, "mode": mode, **other})
    return Again(environment.begin(stream(1, "test", run), horizon, np.array([horizon]))[0])


# Ridge regression.


def test_one_observation_by_hand():
    """A = I + z z', so theta = r z/(1 + |z|^2) and z' A^-1 z = |z|^2/(1 + |z|^2)."""
    ridge, z = _ridge.fresh_ridge(1, 1), np.array([1.0, 0.5, 0.5, 0.0, 0.0, 0.0])
    _ridge.learn(stream(1), ridge, EXACT, 0, z, 1.0)
    assert not _ridge.solve(ridge, EXACT, 0)
    assert ridge.theta[0] == pytest.approx(z / 2.5)
    assert ((ridge.root[0] @ z) ** 2).sum() == pytest.approx(1.5 / 2.5)


@pytest.mark.parametrize("seed", range(5))
def test_ridge_is_that_of_numpy(seed):
    rng, ridge = np.random.default_rng(seed), _ridge.fresh_ridge(1, 1)
    rules = _ridge.Rules(0.3, 0.0, 0.0, False, False)
    Z, r = rng.random((300, 6)), (rng.random(300) < 0.3).astype(float)
    for n, (z, reward) in enumerate(zip(Z, r, strict=True), 1):
        _ridge.learn(rng, ridge, rules, 0, z, reward)
        if n in (1, 2, 7, 300):
            _ridge.solve(ridge, rules, 0)
            A = 0.3 * np.eye(6) + Z[:n].T @ Z[:n]
            np.testing.assert_allclose(ridge.theta[0], np.linalg.solve(A, Z[:n].T @ r[:n]), rtol=1e-9, atol=1e-12)
            root = np.tril(ridge.root[0])
            np.testing.assert_allclose(root.T @ root, np.linalg.inv(A), rtol=1e-9, atol=1e-12)


@given(st.lists(st.floats(-5, 5), min_size=21, max_size=21))
@settings(max_examples=200)
def test_factor_inverts_indefinite_matrices_and_counts_negative_eigenvalues(entries):
    A = np.zeros((6, 6))
    _ridge.fill(A, np.round(np.array(entries), 2), 0.123456)
    values = np.linalg.eigvalsh(A)
    minors = [abs(np.linalg.det(A[:k, :k])) for k in range(1, 7)]
    if min(minors) < 1e-3:  # a pivot near 0: the factors lose digits
        return
    root, sign, work = np.zeros((6, 6)), np.zeros(6), A.copy()
    assert _ridge.factor(work, root, sign) == (values < 0).sum()
    np.testing.assert_allclose(root.T @ np.diag(sign) @ root @ A, np.eye(6), atol=1e-5)


@given(st.lists(st.floats(-100, 100), min_size=21, max_size=21))
@settings(max_examples=100)
def test_raised_eigenvalues(entries):
    A = np.zeros((6, 6))
    _ridge.fill(A, np.array(entries), 0.0)
    values, vectors = np.linalg.eigh(A)
    _ridge.raise_eigenvalues(A, 1.0)
    np.testing.assert_allclose(A, vectors @ np.diag(np.maximum(values, 1.0)) @ vectors.T, atol=1e-9)


def test_the_draw_has_the_covariance_of_thompson_sampling():
    """200,000 draws; an entry of a sample covariance has a standard deviation below sqrt(2/n) times its diagonal's."""
    rng, ridge = np.random.default_rng(3), _ridge.fresh_ridge(1, 1)
    for z in rng.random((20, 6)):
        _ridge.learn(rng, ridge, EXACT, 0, z, 1.0)
    _ridge.solve(ridge, EXACT, 0)
    A = np.eye(6)
    A[np.tril_indices(6)] += ridge.sums[0, :21]
    A = np.tril(A) + np.tril(A, -1).T
    n, drawn = 200_000, np.empty(6)
    sample = np.empty((n, 6))
    for k in range(n):
        lin_ts.draw(rng, ridge.theta[0], ridge.root[0], ridge.sign[0], 0.5, drawn)
        sample[k] = drawn
    wanted = 0.25 * np.linalg.inv(A)
    scale = np.sqrt(np.outer(np.diag(wanted), np.diag(wanted)))
    assert np.abs(np.cov(sample.T) - wanted).max() < 6 * math.sqrt(2 / n) * scale.max()
    assert np.abs(sample.mean(axis=0) - ridge.theta[0]).max() < 6 * math.sqrt(wanted.max() / n)


# Private sums.


def noises(count, models=400):
    rng, ridge = np.random.default_rng(5), _ridge.fresh_ridge(models, 5)
    rules, z, found = _ridge.rules(1.0, 0.5, 31, "shift", "noisy"), np.full(6, 0.5), []
    for _ in range(count):
        for m in range(models):
            _ridge.learn(rng, ridge, rules, m, z, 1.0)
        found.append(ridge.released - ridge.sums)
    return np.array(found).reshape(count, -1), rules.node_scale


def test_released_sums_have_the_noise_of_a_tree():
    """Variance 2 popcount(n) (L/eps0)^2, L = 5 levels for 31 leaves; and prefix n has the nodes of prefix n & (n - 1)."""
    found, scale = noises(15)
    assert scale == 10.0
    n = found.shape[1]
    for prefix in range(1, 16):
        nodes = bin(prefix).count("1")
        kurtosis = 3 + 3 / nodes  # of a sum of that many Laplace variables
        tolerance = 5 * math.sqrt((kurtosis - 1) / n)
        assert found[prefix - 1].var() == pytest.approx(2 * nodes * scale**2, rel=tolerance)
    shared = np.corrcoef(found[11], found[12])[0, 1]  # 12 = 8 + 4 is two of the three nodes of 13 = 8 + 4 + 1
    assert shared == pytest.approx(math.sqrt(2 / 3), abs=5 / math.sqrt(n))
    assert abs(np.corrcoef(found[7], found[6])[0, 1]) < 5 / math.sqrt(n)  # 7 and 8 have no node in common


def test_the_shift_does_not_depend_on_the_data():
    rules = _ridge.rules(1.0, 0.1, 2_863_243, "shift", "noisy")
    assert rules.node_scale == pytest.approx(220)  # 22 levels
    assert rules.shift == pytest.approx(2 * 220 * math.sqrt(44) * math.sqrt(6))
    assert _ridge.rules(1.0, 0.1, 2_863_243, "eigen_clip", "noisy").shift == 0


SPENT = {"visit": 2.7, "reward": 0.6}


@pytest.mark.parametrize("name", ["private_lin_ucb", "private_lin_ts"])
@pytest.mark.parametrize("neighbours", SPENT)
def test_what_a_visit_and_a_reward_cost(name, neighbours):
    account = algorithms.find(name).privacy(45_811_883, 20, eps0=0.1, neighbours=neighbours)
    assert account.epsilon == pytest.approx(SPENT[neighbours])
    # No leaf is in more than 22 nodes, and the first one is in 22 of the noisy prefixes' fresh nodes.
    assert account.spent == pytest.approx(SPENT[neighbours])
    assert account.kept


def test_the_exact_confidence_promises_nothing():
    account = algorithms.find("private_lin_ucb").privacy(10_000, 20, eps0=0.1, confidence="exact")
    assert account.spent == math.inf
    assert not account.kept
    assert algorithms.find("lin_ucb").privacy(10_000, 20).spent == math.inf


# The policies against their twins: same events, same random numbers, same choices.

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
    kept = plain.play(stream(2, "twin"), log.blocks(), log.articles, policy, 0.4, lam=0.7, levels=levels, **case)
    assert len(kept) > 60
    curves = journal.results()
    assert curves["kept"].tolist() == np.searchsorted([e[0] for e in kept], t, side="right").tolist()
    clicks = np.zeros(horizon + 1)
    for when, _, click in kept:
        clicks[when] += click
    assert curves["clicks"].tolist() == np.cumsum(clicks)[1:].tolist()
    if mode == "direct":
        p = {int(when): row for events in log.blocks() for when, row in zip(events.t, events.p, strict=True)}
        expected = sum(p[when][a] for when, a, _ in kept)
        assert journal.diary.totals[2] == pytest.approx(expected, rel=1e-12)
        assert curves["ctr_ratio"][-1] == pytest.approx(expected / sum(row.mean() for row in p.values()))
    else:
        every = np.concatenate([events.clicked for events in log.blocks()])
        assert curves["random_ctr"].tolist() == pytest.approx((np.cumsum(every) / t).tolist())


@pytest.mark.parametrize(("delay", "mode", "learned"), [(0, "batch", [0, 1, 2, 3, 4, 5, 6]), (3, "batch", [0, 0, 0, 3, 3, 3, 6]), (3, "lag", [0, 0, 0, 0, 1, 2, 3])])  # fmt: skip
def test_what_has_been_learned_before_the_first_seven_kept_events(delay, mode, learned):
    how = _contextual.setting("shared_product", delay, mode, "kept")
    ridge, journal, pool = _ridge.fresh_ridge(1, 1), blank_journal(np.array([9])), _contextual._blank_pool(2)
    places = max(delay, 1) + 1
    waiting = _contextual.Waiting(
        np.zeros((places, 6)), np.zeros(places), np.zeros(places, np.int64), np.zeros(places, np.int64), np.zeros(2, np.int64)
    )  # fmt: skip
    found = []
    for t in range(1, 8):
        _contextual.hear(stream(1), ridge, EXACT, how, waiting, journal.diary, pool, t)
        found.append(int(ridge.count[0]))
        _contextual.keep(journal.diary.totals, waiting, pool.z, 0, 1.0, t, False, 0)
    assert found == learned


def test_equal_scores_have_equal_chances():
    rng, n = np.random.default_rng(1), 20_000
    found = np.bincount([_contextual.choose(rng, 5, np.zeros(8)) for _ in range(n)], minlength=5)
    assert len(found) == 5
    assert ((found - n / 5) ** 2 / (n / 5)).sum() < 27.9  # chi-square, 4 degrees of freedom, 1e-5
    assert _contextual.choose(rng, 3, np.array([1.0, 3.0, 2.0, 9.0])) == 1


def test_a_log_that_keeps_more_than_the_trees_have_leaves_is_refused():
    log = a_log(4000, live=2, articles=9)
    log.pool_size = 20
    with pytest.raises(InputError, match=r"a model has \d+ observations, and its trees 250 leaves"):
        algorithms.find("private_lin_ucb").play(stream(1), log, 4000, blank_journal(np.array([4000])), eps0=1.0)


# Wrong input, one message each.


def load(change, tmp_path, scale="paper"):
    raw = yaml.safe_load(FILE.read_text())
    change(raw)
    path = tmp_path / "mishra2015.yaml"
    path.write_text(yaml.safe_dump(raw, sort_keys=False))
    checks.check(papers.load(path, SCHEMA, scale))


def set_parameter(policy, key, value):
    return lambda raw: raw["policies"][policy].setdefault("parameters", {}).update({key: value})


WRONG = [
    (lambda raw: raw["policies"]["lin-ucb"].update(sweep={"delay": [0, 100, 1000, -1]}), "delay: -1 should be a delay of at least 0 events"),
    (lambda raw: raw["experiments"]["fig2a"]["parameters"].update(eps0=0), "eps0: 0 should be a number above 0"),
    (lambda raw: raw["experiments"]["fig2a"]["environment"].update(live=1), "live: 1 should be a pool of at least 2 articles"),
    (lambda raw: raw["experiments"]["fig2a"]["environment"].update(articles=20), "articles: 20 should be more than the 20"),
    (lambda raw: raw["experiments"]["fig2a"]["environment"].update(source="R6A"), "source: 'R6A' should say that the log is synthetic"),
    (lambda raw: raw["experiments"]["fig2a"]["environment"]["match"].pop(), "match: should be 5 rows of 5 numbers"),
    (lambda raw: raw["experiments"]["fig2a"]["design"].update(horizon=19), "horizon 19 is too short a log: the pool holds 20 articles"),
    (set_parameter("lin-ts", "context", "shared_user"), "context: 'shared_user' is not one of shared_product"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "told"), WRONG, ids=[told[:20] for _, told in WRONG])
def test_wrong_input_is_refused_with_its_key(change, told, tmp_path):
    with pytest.raises(InputError) as refusal:
        load(change, tmp_path)
    assert told in str(refusal.value)
    assert "mishra2015.yaml: experiments." in str(refusal.value)


# Claims.


def paired(values, parameters=None):
    series = tuple(papers.Series(n, n, "lin_ucb", parameters or {}, n, 0) for n in values)
    policies = tuple(papers.Policy(s.id, "fig2a", (s,)) for s in series)
    design = papers.Design(10, 3, 1, 3, (10,), "mean", "sigma", quantity="ctr_ratio")
    experiment = papers.Experiment("fig2a", "fig2a", "", "toy2020", NEWS, policies, design)
    from dpbandits import claims

    curves = {n: np.array(v, float)[:, None] for n, v in values.items()}
    return claims.Runs(experiment, np.array([10]), curves, "mean")


def test_a_paired_ratio_and_its_error():
    runs = paired({"a": [1.0, 2.2, 3.6], "b": [1, 2, 3], "c": [2, 2, 2], "d": [1, 1, 1]})
    value, where, error = paired_ratio(runs, of=["a"], to=["b"])
    assert value == pytest.approx(1.1)
    assert error == pytest.approx(0.1 / math.sqrt(3))
    assert where == "a / b, 3 paired runs"
    assert paired_ratio(runs, of=["a", "d"], to=["b", "c"])[0] == pytest.approx(0.55)


@pytest.mark.parametrize(("context", "redundant"), [("shared_product", 1), ("shared_article", 7), ("disjoint_user", 7)])
def test_redundant_sums(context, redundant):
    assert privacy.redundant_sums(paired({"a": [1, 1]}, {"context": context}), of="a")[0] == redundant
