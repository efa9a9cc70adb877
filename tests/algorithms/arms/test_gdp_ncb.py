"""gdp_ncb: what is special to it (the rest is in test_every_algorithm.py)."""

import math

import numpy as np
import pytest
from plain import sarkar2025
from playing import actions
from twins import THREE

from dpbandits.algorithms.arms import gdp_ncb
from dpbandits.kernels.streams import stream


def test_gdp_ncb_index_by_hand():
    """W = 101 for T = 1e4: L = ln 101. mu = 1/4, n = 64, epsilon = 1/4."""
    L = math.log(101)
    want = 0.25 + 6 * math.sqrt(2 * 0.25 * L / 64) + 3.1 * L**2 / 16 + 4 * math.sqrt(6.2) * L**1.5 / 32
    assert gdp_ncb.plan(10**4, 2, epsilon=0.25).index((0.25, 64), 0.0) == pytest.approx(want)
    assert gdp_ncb.plan(10**4, 2, epsilon=0.25, beta="2c").second_term == pytest.approx(
        6 * math.sqrt(6.2) * L**1.5 / 0.5
    )
    assert gdp_ncb.plan(10**4, 2, epsilon=0.25, index_log="horizon").first_term == pytest.approx(
        3.1 * math.log(10**4) ** 2 * 4
    )
    assert gdp_ncb.plan(2**20, 2, epsilon=1.0).noise == 20
    assert gdp_ncb.plan(2**20, 2, epsilon=1.0, noise_log="ln").noise == pytest.approx(20 * math.log(2))


def test_phase_one_lasts_as_long_as_the_cap_says():
    """Its rounds are uniform; the first episode after it is two pulls of the arm that was played least."""
    for run in range(5):
        chosen = actions("gdp_ncb", stream(9, run), THREE, 10_000, epsilon=1.0)
        rng = stream(9, run)
        for t in range(101):
            assert chosen[t] == sarkar2025.uniform_arm(rng, 3)
            rng.random()
        least = int(np.argmin(np.bincount(chosen[:101], minlength=3)))
        assert chosen[101:103] == [least, least]


def test_episode_lengths_double():
    for run in range(5):
        released = []
        sarkar2025.gdp_ncb(stream(10, run), THREE, 50_000, 1.0, releases=released)
        for arm in range(3):
            lengths = [m for a, _, m, _ in released if a == arm]
            assert lengths == [2 << j for j in range(len(lengths))]
    chosen = actions("adap_ucb_baseline", stream(11), THREE, 2000, epsilon=1.0, variant="as_drawn")
    switches = [0, 1, 2, *(np.flatnonzero(np.diff(chosen[3:])) + 4).tolist()]
    counts = np.bincount(chosen[: switches[-1]], minlength=3)
    assert all((n + 1) & n == 0 for n in counts.tolist())  # 1 + 2 + 4 + ...


class NoNoise:
    """A generator whose Laplace noise is 0, and which notes its scales."""

    def __init__(self, rng):
        self.rng, self.scales = rng, []

    def random(self):
        return self.rng.random()

    def binomial(self, n, p):
        return self.rng.binomial(n, p)

    def laplace(self, location, scale):
        self.scales.append(scale)
        return location


def test_private_means_of_phase_one_by_hand():
    """T = 16, so W = 5 and noise of scale log2 16/(epsilon n) = 8/n; an arm that always pays, and one that never does."""
    for run in range(20):
        rng, released = NoNoise(stream(23, run)), []
        chosen = sarkar2025.gdp_ncb(rng, [1.0, 0.0], 16, 0.5, private_mean="at_end", releases=released)
        pulls = np.bincount(chosen[:5], minlength=2)
        first = [(arm, n, 0, 8 / n) for arm, n in enumerate(pulls.tolist()) if n]
        assert released[: len(first)] == first
        assert rng.scales[: len(first)] == [scale for *_, scale in first]
        rng, released = NoNoise(stream(23, run)), []
        sarkar2025.gdp_ncb(rng, [1.0, 0.0], 16, 0.5, private_mean="in_test", releases=released)
        for arm in (0, 1):
            powers = [n for n in (1, 2, 4) if n <= pulls[arm]]
            assert [n for a, n, m, _ in released if a == arm and m == 0] == powers


@pytest.mark.parametrize("private_mean", ["none", "at_end", "in_test"])
def test_without_a_private_mean_the_first_arm_after_a_long_phase_one_is_kept(private_mean):
    """With means of 0 at the start of Phase II every other arm's index stays at its small bonus: the arm that Phase I played
    least is the first and the last. With the private means of Phase I it is the best arm, nearly always."""
    best, T, settled = 0, 200_000, set()
    for run in range(12):
        given = {"epsilon": 2.0, "cap": "none", "multiplier": 40.0, "private_mean": private_mean}
        chosen = np.array(actions("gdp_ncb", stream(24, run), [0.9, 0.5, 0.1], T, **given))
        settled.add(int(chosen[-1]))
        late = np.bincount(chosen[T // 2 :], minlength=3) / (T - T // 2)
        if private_mean == "none":
            assert late.max() == 1
        else:
            assert late[best] > 0.9
    assert settled == ({0, 1, 2} if private_mean == "none" else {best})


@pytest.mark.parametrize(
    "given",
    [{"noise_log": "log2"}, {"noise_log": "ln"}, {"private_mean": "at_end"}, {"private_mean": "in_test"}],
    ids=str,
)
def test_p2_the_account_covers_the_releases_of_every_game(given):
    """Of the releases that a twin really makes, a reward of Phase I pays no more than the account says."""
    games = [(2000, [0.9, 0.1]), (60_000, [0.5, 0.5])]
    if "private_mean" not in given:  # otherwise one of three arms has too little of Phase I for the lower limit
        games.append((60_000, [0.9, 0.1, 0.1]))
    for T, means in games:
        account = gdp_ncb.privacy(T, len(means), epsilon=1.0, **given)
        most = 0.0
        for run in range(10):
            releases = []
            sarkar2025.gdp_ncb(stream(22, run), means, T, 1.0, releases=releases, **given)
            for arm in range(len(means)):
                most = max(most, sum(1 / (n1 + m) / scale for a, n1, m, scale in releases if a == arm))
        assert 0.6 * account.spent < most <= account.spent + 1e-12


def test_one_release_at_the_end_of_phase_one_still_fits_log2():
    """Not with ln, and not if Phase I releases a mean at every doubling, which costs up to twice the promise."""
    for horizon in [*range(2, 300), *(10**k for k in range(3, 11))]:
        assert gdp_ncb.privacy(horizon, 2, epsilon=0.2, private_mean="at_end").kept
    assert not gdp_ncb.privacy(10**7, 50, epsilon=0.2, private_mean="at_end", noise_log="ln").kept
    tested = gdp_ncb.privacy(10**8, 50, epsilon=2.0, cap="none", private_mean="in_test")
    assert tested.spent / 2.0 == pytest.approx((26 + 24) / math.log2(10**8))  # 2^25 pulls in Phase I, then 24 episodes
    assert gdp_ncb.privacy(10**8, 50, epsilon=2.0, cap="none", private_mean="at_end").spent == math.inf


def test_most_releases_are_those_of_the_worst_length_of_phase_one():
    """2^j pulls, or one fewer than that, of every number of pulls."""
    for T in range(2, 400):
        rule = gdp_ncb.plan(T, 2, epsilon=1.0, cap="none", private_mean="in_test")
        every = [n.bit_length() + gdp_ncb.max_releases(T - n) for n in range(1, T + 1)]
        assert sum(gdp_ncb.most_releases(T, rule)) == max(every)


@pytest.mark.parametrize(("T", "releases"), [(10**7, 22), (10**8, 25)])
def test_p2_ln_overspends_and_log2_never_does(T, releases):
    assert gdp_ncb.max_releases(T - gdp_ncb.cap_of(T, "sqrt")) == releases
    published = gdp_ncb.privacy(T, 50, epsilon=0.2, noise_log="ln")
    assert published.spent / 0.2 == pytest.approx(releases / math.log(T))
    assert 1.3 < published.spent / 0.2 < 1.4
    assert not published.kept
    for horizon in [*range(2, 300), *(10**k for k in range(3, 11))]:
        assert gdp_ncb.privacy(horizon, 2, epsilon=0.2).kept


def test_p3_the_cap_comes_before_the_threshold():
    """So that raw rewards have no say in when Phase I ends; without the cap they have."""
    for T in {round(1.05**k) for k in range(15, 475)}:
        for epsilon in (0.2, 0.5, 1.0, 2.0, 10.0):
            rule = gdp_ncb.plan(T, 2, epsilon=epsilon)
            assert rule.phase1 <= rule.threshold
    for T in range(3, 1003):
        rule = gdp_ncb.plan(T, 2, epsilon=2.0, multiplier=1.0)
        assert rule.phase1 <= rule.threshold
    assert gdp_ncb.privacy(10**8, 50, epsilon=2.0, cap="none").spent == math.inf
