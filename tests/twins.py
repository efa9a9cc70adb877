"""What the tests of many algorithms assert: beside the plain twin, on refusals, and on privacy accounts.

`twins`: a module of tests/plain. A twin takes the same actions from the same generator, and has the same law from
another.
"""

import numpy as np
import pytest
from playing import actions, final_regret, played, regrets
from scipy import stats

from dpbandits import algorithms, parameters
from dpbandits.environments.arms.drawn_arms import drawn_arms
from dpbandits.environments.games._game import ARM
from dpbandits.environments.games.stochastic import stochastic
from dpbandits.environments.games.switching_costs import switching_costs
from dpbandits.errors import InputError
from dpbandits.kernels import sampling
from dpbandits.kernels.streams import stream

TWO, THREE = [0.9, 0.6], [0.8, 0.5, 0.3]
C2 = [0.75, 0.625, 0.5, 0.375, 0.25]
TEN = [0.1, 0.15, 0.05, 0.12, 0.2, 0.55, 0.3, 0.25, 0.4, 0.02]
FIFTY = drawn_arms(number_of_arms=50, lowest=0.005, highest=1.0, draw=42).labels.tolist()


class GeneratorOfTwin(np.random.Generator):
    """NumPy's generator, whose Laplace numbers are those of kernels."""

    def laplace(self, location=0.0, scale=1.0):
        return location + sampling.laplace(self, scale)


def for_twin(rng):
    """The same generator for a plain twin, which calls `rng.laplace`."""
    return GeneratorOfTwin(rng.bit_generator)


def twin_of(twins, name, rng, means, horizon, **given):
    """The actions of the plain twin."""
    return list(getattr(twins, name)(for_twin(rng), means, horizon, **given))


def same_actions(twins, seed, name, means, horizon, runs, **given):
    """Leads, windows and indices at rest are short cuts that change no action."""
    for run in range(runs):
        ours = actions(name, stream(seed, name, run), means, horizon, **given)
        assert ours == twin_of(twins, name, stream(seed, name, run), means, horizon, **given)


def same_actions_in_short_games(twins, seed, name, **given):
    """A hundred games of 60 rounds: there the smallest terms of an index decide, one round more or less in ln t."""
    for run in range(100):
        ours = actions(name, stream(seed, "short", name, run), THREE, 60, **given)
        assert ours == twin_of(twins, name, stream(seed, "short", name, run), THREE, 60, **given)


def same_law(twins, ours, theirs, name, horizon, given, given_to_twin, level=1e-3):
    """The final regret, 2000 runs of ours and 400 of the twin from independent generators: Kolmogorov-Smirnov.

    `ours` and `theirs` are the names of the two streams.
    """
    gaps = np.array(THREE[0]) - np.array(THREE)
    found = [final_regret(name, stream(*ours, name, run), THREE, horizon, **given) for run in range(2000)]
    twin = [
        gaps[twin_of(twins, name, stream(*theirs, name, run), THREE, horizon, **given_to_twin)].sum()
        for run in range(400)
    ]
    assert stats.ks_2samp(np.round(found, 6), np.round(twin, 6)).pvalue > level


def same_law_of_a_whole_run(twins, name, **given):
    """Binomial sums against single rewards: regret at three rounds and pull counts, independent generators, KS.

    2000 runs of ours, 400 of the slow twin: two laws whose distribution functions are 0.2 apart somewhere are
    distinguished with a probability of 0.99 at this level. (The critical distance is 0.135, and the standard error of
    one is 0.027 at most.)
    """
    horizon, at = 2000, [300, 900, 1999]
    gaps = np.array(THREE[0]) - np.array(THREE)

    def seen(chosen):
        return [*gaps[chosen].cumsum()[at], *np.bincount(chosen, minlength=3)]

    ours = np.array([seen(actions(name, stream(13, name, run), THREE, horizon, **given)) for run in range(2000)])
    given = {**given, "one_by_one": True}
    twin = np.array([seen(twin_of(twins, name, stream(14, name, run), THREE, horizon, **given)) for run in range(400)])
    for k in range(6):
        assert stats.ks_2samp(np.round(ours[:, k], 6), np.round(twin[:, k], 6), method="asymp").pvalue > 1e-5


def same_law_of_thompson(twins, name, horizon, **given):
    """Binomial sums and the short cut, against single rewards."""
    gaps = 0.8 - np.array(THREE)
    ours = regrets(name, "law", 3000, horizon, THREE, (1,), **given)[:, 0]
    twin = [
        gaps[twin_of(twins, name, stream(38, name, run), THREE, horizon, one_by_one=True, **given)].sum()
        for run in range(300)
    ]
    assert stats.ks_2samp(np.round(ours, 6), np.round(twin, 6)).pvalue > 1e-5
    assert len(set(np.round(ours, 6))) > 10


def short_cut_leaves_the_law(name, means, monkeypatch, **given):
    """The regret at three rounds of 2000 games, with the candidates of posterior sampling and without."""
    quick = regrets(name, "quick", 2000, 2000, means, (0.1, 0.3, 1), **given)
    monkeypatch.setattr(algorithms.find(name), "CANDIDATES", 0.0)
    slow = regrets(name, "slow", 2000, 2000, means, (0.1, 0.3, 1), **given)
    for k in range(3):
        assert stats.ks_2samp(np.round(quick[:, k], 6), np.round(slow[:, k], 6)).pvalue > 1e-5


PENALIZED = [("none", True), ("gain_zero", True), ("gain_zero", False), ("minus_one", False)]


def same_actions_in_games(twins, name, penalty, observed, **given):
    """Against an adversary: the actions, and what the journal records of them."""
    T = 2048
    for run, environment in enumerate(
        [stochastic(number_of_arms=3, best=0.9, others=0.3), switching_costs(number_of_arms=2)]
    ):
        gains = environment.draw(stream(1, "game", run), T)
        journal = played(name, stream(1, name, run), gains, penalty, observed, **given)
        player = twins.Player(gains.tolist(), penalty, observed)
        ignored = getattr(twins, name)(for_twin(stream(1, name, run)), player, **given)
        assert journal.diary[ARM].tolist() == player.actions
        results = journal.results()
        assert np.allclose(results["gain"], np.cumsum(player.received), rtol=1e-12, atol=1e-9)
        assert np.allclose(results["comparator"], np.cumsum(gains, axis=0, dtype=float).max(axis=1), rtol=1e-12)
        assert np.array_equal(results["regret"], results["comparator"] - results["gain"])
        assert results["ignored"][-1] == ignored


def same_law_in_games(twins, name, **given):
    """The final regret on one table of gains: independent generators, many runs, Kolmogorov-Smirnov."""
    gains = stochastic(number_of_arms=3, best=0.8, others=0.3).draw(stream(2, "game"), 300)
    ours = [played(name, stream(2, "ours", run), gains, **given).results()["regret"][-1] for run in range(2000)]
    theirs = []
    for run in range(400):
        player = twins.Player(gains.tolist())
        getattr(twins, name)(stream(2, "twin", run), player, **given)
        theirs.append(gains.sum(axis=0).max() - sum(player.received))
    assert stats.ks_2samp(np.round(ours, 6), np.round(theirs, 6)).pvalue > 1e-3


def refused(name, given, part):
    """These parameters are refused, in one line that says why."""
    with pytest.raises(InputError) as refusal:
        parameters.check(algorithms.find(name).play, given, "parameters")
    assert part in str(refusal.value)
    assert "\n" not in str(refusal.value)


def needs_one_round_for_each_arm(name):
    """A horizon shorter than one pull of each arm is refused."""
    with pytest.raises(InputError, match=r"horizon 4 is too short: each of 5 arms .* write at least 5"):
        algorithms.find(name).check(4, 5)
    algorithms.find(name).check(5, 5)


HORIZONS = [2, 3, 7, 8, 1000, 1024, 100_003]


def releases_every_reward_once(name, horizon, **given):
    """P1 to P3: the first reward (P2) and the rewards of the truncated episode (P3) too; each pays epsilon."""
    account = algorithms.find(name).privacy(horizon, 5, epsilon=0.3, **given)
    assert account.ledger.touched().tolist() == [1] * horizon
    assert account.spent == pytest.approx(0.3, rel=1e-9)
    assert account.kept


def spends_and_composes(name, horizon, spent, composed, **given):
    """P2 to P4: with five arms a factor five is given away, and the experiment's Thompson sampling leaves a half."""
    module = algorithms.find(name)
    account = module.privacy(horizon, 5, epsilon=0.7, **given)
    assert account.epsilon == 0.7
    assert account.spent == pytest.approx(0.7 * spent)
    assert account.kept
    assert sum(module.composition(horizon, 5, epsilon=0.7, **given).values()) == pytest.approx(0.7 * composed)
