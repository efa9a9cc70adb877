"""The short cut of posterior sampling chooses with the probabilities of the plain draw."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from playing import TWO, a_run, actions_of
from scipy import stats

from dpbandits.bandits.run import new_run
from dpbandits.drivers import posterior
from dpbandits.drivers.posterior import PosteriorPolicy, observe
from dpbandits.errors import InputError
from dpbandits.kernels import kernel
from dpbandits.policies.arms.private_thompson_gap import estimate_gap
from dpbandits.random import stream


def with_laws(alpha, beta, max_share, optimism=0.0, rounds=(1, 1)):
    """These Beta laws, with the leader and the level of the short cut in these rounds."""
    theta = posterior.uniform_prior(alpha.size, max_share)
    theta.r[:], theta.n[:], theta.optimism[:] = alpha - 1, alpha + beta - 2, optimism
    theta.log_t[:] = np.log(rounds)
    theta.leader[0], theta.x[0] = posterior.leader_and_level(theta)
    return theta


@kernel
def chosen(rng, theta, quick, times, t=0):
    """How often each arm is played after round t, by the plain draw or by the short cut."""
    counts = np.zeros(theta.r.size, np.int64)
    for _ in range(times):
        if quick:
            counts[posterior.quick_choice(rng, theta, t)] += 1
        else:
            counts[posterior.plain_choice(rng, theta, t)] += 1
    return counts


@kernel
def number_beyond(rng, alpha, beta, x, c, times):
    number = 0
    for _ in range(times):
        number += posterior.beyond(rng, alpha, beta, x, c) != x
    return number


@kernel
def bound_and_mass(alpha, beta, x):
    return posterior.chance_below(alpha, beta, x), posterior.tangent(alpha, beta, x)[1]


@kernel
def bound_above(alpha, beta, x):
    return posterior.chance_above(alpha, beta, x)


def probabilities(alpha, beta):
    """The integral of f_a(u) prod_b F_b(u) for every arm."""
    # Laws that end at 1 need fine steps there.
    du = np.linspace(0, 1, 20_001)[1:-1, None]  # up to a factor
    u, laws = 1 - du**2, stats.beta(alpha, beta)
    F = laws.cdf(u)
    others = [np.prod(np.delete(F, a, axis=1), axis=1) for a in range(len(alpha))]
    p = np.sum(du * laws.pdf(u) * np.transpose(others), axis=0)
    return p / p.sum()


def agree(counts, p):
    """Whether counts have these probabilities, by a test at 1e-4."""
    often = counts.sum() * p >= 5
    assert often.sum() >= 2
    expected = p[often] / p[often].sum() * counts[often].sum()
    return stats.chisquare(counts[often], expected).pvalue > 1e-4


# alpha and beta without optimism, the optimism, and whether the short cut is of use
POSTERIORS = [
    ([60, 12, 10, 4, 40], [14, 14, 16, 9, 30], 0.0, True),
    ([9.5, 3.25], [2.5, 9.75], 0.0, True),
    ([70, 18, 4], [24, 18, 7], 0.0, True),
    # The second one has no tangent.
    ([60, 2, 40] + [4] * 12, [14, 1.5, 12] + [30] * 12, 0.0, True),
    ([60, 12, 10, 4, 40], [14, 14, 16, 9, 30], 0.3, True),
    ([300, 240, 232], [100, 140, 150], 1.5, True),
    ([29, 9, 8], [5, 9, 10], 1.0, False),
    ([30, 9, 18], [4, 3, 2], 1.0, False),  # some laws are Beta(n + 1, 1)
    ([3000, 2990, 2950], [1000, 1010, 1050], 2.0, False),
]


@pytest.mark.parametrize(("alpha", "beta", "optimism", "is_of_use"), POSTERIORS, ids=str)
def test_the_choice_has_the_law_of_its_round(alpha, beta, optimism, is_of_use):
    """The short cut and the plain draw against integral f_a(u) prod_b F_b(u) du.

    With optimism in the first and the last round of a leader and its level, and in between.
    """
    times, rounds = 400_000, (20, 40)
    alpha, beta = np.array(alpha, float), np.array(beta, float)
    theta = with_laws(alpha, beta, 0.9, optimism, rounds)
    assert (theta.leader[0] >= 0) == is_of_use
    for t in (20, 30, 40) if optimism else rounds[:1]:
        r = np.clip(alpha - 1 + optimism * np.log(t), 0, alpha + beta - 2)
        p = probabilities(r + 1, alpha + beta - 1 - r)
        assert agree(chosen(stream(40, t), theta, False, times, t - 1), p)
        if is_of_use:
            assert agree(chosen(stream(41, t), theta, True, times, t - 1), p)
        # The plain draw without bounds, as a twin has it.
        exact = with_laws(alpha, beta, 0.0, optimism, rounds)
        assert agree(chosen(stream(42, t), exact, False, times, t - 1), p)


def test_the_tangent_lies_above_the_density_of_every_round():
    """A law that grows has the largest mass above the level at the end of its leader's time."""
    rng, seen, refused = np.random.default_rng(43), 0, 0
    for optimism in (0.0, *np.exp(rng.uniform(-5, 1, 1500)), *[0.0] * 300):
        alpha, beta = 1 + np.exp(rng.uniform(-3, 6, (2, 2)))
        theta = with_laws(alpha, beta, 0.9, optimism, (20, 40))
        leader, x, n = theta.leader[0], theta.x[0], theta.n
        if leader < 0:
            refused += 1
            continue
        q, slope, b = theta.q[1 - leader], theta.slope[1 - leader], 1 - leader
        for t in (20, 25, 30, 35, 40):
            r = min(alpha[b] - 1 + optimism * np.log(t), n[b])
            assert bound_and_mass(r + 1, n[b] - r + 1, x)[1] <= q * (1 + 1e-9)
        law, u = stats.beta(r + 1, n[b] - r + 1), np.linspace(x, 1, 100, endpoint=False)
        assert np.all(law.pdf(u) <= q * slope * np.exp(-slope * (u - x)) * (1 + 1e-8))
        assert q * slope == pytest.approx(law.pdf(x), rel=1e-8)
        assert q >= law.sf(x) * (1 - 1e-8)
        assert x / (1 - x) >= (r + 1) / (n[b] - r + 0.5) * (1 - 1e-9) or optimism == 0
        seen += 1
    assert min(seen, refused) > 100


@pytest.mark.parametrize(
    ("alpha", "beta", "x"), [(20.0, 6.0, 0.6), (3.5, 2.0, 0.3), (41.0, 1.0, 0.93)]
)
def test_the_leader_is_below_the_level_as_often_as_by_its_law(alpha, beta, x):
    """With c = 1 the chance is P(theta < x) itself, and with a smaller c it is P(theta < x)/c."""
    for c in (1.0, 0.5):
        number = number_beyond(stream(38, c), alpha, beta, x, c, 400_000)
        assert stats.binomtest(number, 400_000, stats.beta(alpha, beta).cdf(x) / c).pvalue > 1e-4


def test_the_bound_is_above_the_mass_of_the_tangent():
    rng = np.random.default_rng(39)
    small = 0
    for _ in range(20_000):
        n = rng.integers(1, 10 ** rng.integers(1, 7))
        r = rng.uniform(0, n) if rng.random() < 0.8 else float(n)
        far, near = (r / n) * rng.uniform(0, 1), r / n - rng.uniform(0, 12) / n**0.5
        x = far if rng.random() < 0.5 else near
        if 0 < x < r / n:
            c, q = bound_and_mass(r + 1, n - r + 1, x)
            assert q <= c * (1 + 1e-6)
            small += c < 1e-3
            assert q <= (mirrored := bound_above(n - r + 1, r + 1, 1 - x)) * (1 + 1e-6)
            assert mirrored <= 2 * c
    assert small > 1000


@kernel
def first_choice(rng, theta, t):
    return posterior.arm_of_largest(rng, theta, t)


def test_a_leader_is_chosen_with_the_laws_of_its_first_and_last_round():
    theta = posterior.uniform_prior(3, 0.25)
    first_choice(stream(1), theta, 99)
    assert theta.review[0] > 100
    assert theta.log_t == pytest.approx(np.log([100, theta.review[0]]))


def test_the_bounds_by_hand():
    """One where the level is not below the mode, and no short cut where nothing is known."""
    assert bound_and_mass(5.0, 3.0, 0.7)[0] == 1.0
    below = 4 / 6 - 0.6
    assert bound_and_mass(5.0, 3.0, 0.6)[0] <= 2 * np.exp(-6 * below**2 / 2) / below * (1 + 1e-12)
    assert with_laws(np.ones(2), np.ones(2), 0.25).leader[0] == -1


def test_the_means_of_the_gap_estimation_have_the_noise_that_is_booked():
    """A ledger of epsilon/(2K): a mean of m rewards has Lap(2K/(epsilon m))."""
    scales, epsilon, T = [], 1000.0, 10_000
    arms = SimpleNamespace(means=np.zeros(2), rewards=lambda rng, a, m: [0.9, 0.2][a] * m)
    releases = SimpleNamespace(rng=None, laplace=lambda mean, scale: scales.append(scale) or mean)
    run = new_run(arms, releases, T)
    D = getattr(estimate_gap, "py_func", estimate_gap)(run, epsilon)
    m = math.ceil(192 * 2 * math.log(T) / epsilon)
    assert (D, run.t, run.pulls.tolist()) == (0.5, 2 * m, [m, m])
    assert scales == [4 / (epsilon * m)] * 2


class ForcedRounds(PosteriorPolicy):
    """More first rounds than arms; from the fifth on the total of an arm is NaN."""

    def first_rounds(self, K):
        return 2 * K

    def learn(self, releases, theta, a, r, n, t):
        observe(theta, a, r[a] if t < 5 else math.nan, n[a], t)


def test_first_rounds_play_the_arms_in_turn_and_a_nan_total_is_refused():
    run = a_run(stream(1), TWO, [1, 2, 3, 4])
    ForcedRounds().play(run)
    assert actions_of(run) == [0, 1, 0, 1]
    says = r"^ForcedRounds\(\): the index .* of arm 0 is NaN in round 6; compute a number"
    with pytest.raises(InputError, match=says):
        ForcedRounds().play(a_run(stream(1), TWO, [9]))
