"""The short cut of posterior sampling chooses with the probabilities of the plain draw."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from playing import TWO, a_run, actions_of
from scipy import stats

from dpbandits.bandits.run import new_run
from dpbandits.drivers import posterior
from dpbandits.drivers.posterior import PosteriorPolicy
from dpbandits.kernels import kernel
from dpbandits.policies.arms.private_thompson_gap import estimate_gap
from dpbandits.random import stream


def with_laws(alpha, beta, max_share, optimism, rounds=(20, 40)):
    """These Beta laws, with the leader and the level of the short cut in these rounds."""
    theta = posterior.uniform_prior(alpha.size, max_share)
    theta.r[:], theta.n[:], theta.optimism[:] = alpha - 1, alpha + beta - 2, optimism
    theta.log_t[:] = np.log(rounds)
    theta.leader[0], theta.x[0] = posterior.leader_and_level(theta)
    return theta


@kernel
def chosen(rng, theta, quick, times, t):
    """How often each arm is played after round t, by the plain draw or by the short cut."""
    counts = np.zeros(theta.r.size, np.int64)
    for _ in range(times):
        if quick:
            counts[posterior.quick_choice(rng, theta, t)] += 1
        else:
            counts[posterior.plain_choice(rng, theta, t)] += 1
    return counts


def probabilities(alpha, beta):
    """The integral of f_a(u) prod_b F_b(u) for every arm."""
    # Laws that end at 1 need fine steps there.
    du = np.linspace(0, 1, 20_001)[1:-1, None]  # up to a factor
    u, laws = 1 - du**2, stats.beta(alpha, beta)
    F = laws.cdf(u)
    others = [np.prod(np.delete(F, a, axis=1), axis=1) for a in range(len(alpha))]
    p = np.sum(du * laws.pdf(u) * np.transpose(others), axis=0)
    return p / p.sum()


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
    alpha, beta = np.array(alpha, float), np.array(beta, float)
    theta = with_laws(alpha, beta, 0.9, optimism)
    assert (theta.leader[0] >= 0) == is_of_use
    for t in (20, 30, 40) if optimism else (20,):
        r = np.clip(alpha - 1 + optimism * np.log(t), 0, alpha + beta - 2)
        p = probabilities(r + 1, alpha + beta - 1 - r)
        # The plain draw without bounds, as a twin has it.
        exact = with_laws(alpha, beta, 0.0, optimism)
        for laws, quick in [(exact, False), (theta, False), (theta, True)][: 2 + is_of_use]:
            counts = chosen(stream(40, t), laws, quick, 400_000, t - 1)
            often = counts.sum() * p >= 5
            assert often.sum() >= 2
            expected = p[often] / p[often].sum() * counts[often].sum()
            assert stats.chisquare(counts[often], expected).pvalue > 1e-4


def test_the_tangent_lies_above_the_density_of_every_round():
    """A law that grows has the largest mass above the level at the end of its leader's time."""
    rng, refused, optimisms = np.random.default_rng(43), 0, np.zeros(1800)
    optimisms[:1500] = np.exp(rng.uniform(-5, 1, 1500))
    for optimism in optimisms:
        alpha, beta = 1 + np.exp(rng.uniform(-3, 6, (2, 2)))
        theta = with_laws(alpha, beta, 0.9, optimism)
        leader, x = theta.leader[0], theta.x[0]
        if leader < 0:
            refused += 1
            continue
        b = 1 - leader
        n, q, slope = theta.n[b], theta.q[b], theta.slope[b]
        for t in (20, 25, 30, 35, 40):
            r = min(alpha[b] - 1 + optimism * np.log(t), n)
            assert posterior.tangent(r + 1, n - r + 1, x)[1] <= q * (1 + 1e-9)
        law, u = stats.beta(r + 1, n - r + 1), np.linspace(x, 1, 100, endpoint=False)
        assert np.all(law.pdf(u) <= q * slope * np.exp(-slope * (u - x)) * (1 + 1e-8))
        assert q * slope == pytest.approx(law.pdf(x), rel=1e-8)
        assert q >= law.sf(x) * (1 - 1e-8)
        assert x / (1 - x) >= (r + 1) / (n - r + 0.5) * (1 - 1e-9) or optimism == 0
    assert 100 < refused < len(optimisms) - 100


def test_the_bounds_are_above_the_mass_of_the_tangent():
    """And they are 1 where the level is not below the mode."""
    rng, small = np.random.default_rng(39), 0
    for _ in range(20_000):
        n = rng.integers(1, 10 ** rng.integers(1, 7))
        r = rng.uniform(0, n) if rng.random() < 0.8 else float(n)
        far, near = (r / n) * rng.uniform(0, 1), r / n - rng.uniform(0, 12) / n**0.5
        x = far if rng.random() < 0.5 else near
        if 0 < x < r / n:
            c, q = (
                posterior.chance_below(r + 1, n - r + 1, x),
                posterior.tangent(r + 1, n - r + 1, x)[1],
            )
            mirrored = posterior.chance_above(n - r + 1, r + 1, 1 - x)
            assert q <= min(c, mirrored) * (1 + 1e-6)
            assert mirrored <= 2 * c
            small += c < 1e-3
    assert small > 1000
    assert posterior.chance_below(5.0, 3.0, 0.7) == 1.0


def test_a_leader_is_chosen_with_the_laws_of_its_first_and_last_round():
    """And where nothing is known, there is none."""
    theta = posterior.uniform_prior(3, 0.25)
    posterior.arm_of_largest(stream(1), theta, 99)
    assert theta.leader[0] == -1
    assert theta.review[0] > 100
    assert theta.log_t == pytest.approx(np.log([100, theta.review[0]]))


class TwoTurns(PosteriorPolicy):
    """More first rounds than arms."""

    def first_rounds(self, K):
        return 2 * K


def test_first_rounds_play_the_arms_in_turn():
    run = a_run(stream(1), TWO, [1, 2, 3, 4])
    play = posterior.play_by_posterior
    getattr(play, "py_func", play)(run, TwoTurns().compiled(4, 2), 0.0)
    assert actions_of(run) == [0, 1, 0, 1]


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
