"""Policies with one fault each, which replays should find, and one without.

All explore two arms in turn for a few rounds, release something, and then play the best arm.
"""

from types import SimpleNamespace

import numpy as np

from dpbandits.parameters import Positive
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.ledger import Account, Ledger

EXPLORED = 8  # rounds


class Correct(ArmsPolicy):
    """One noisy sum of each arm, which is booked. `game` is the state of a play."""

    epsilon: Positive = 1.0

    def play(self, run):
        game = SimpleNamespace(sums=np.zeros(2), first=0.0, last=0.0)
        while not run.finished():
            a = run.t % 2 if run.t < EXPLORED else self.best(game)
            game.last = self.received(run.play(a)[0])
            game.first = game.last if run.t == 1 else game.first
            game.sums[a] += game.last
            if run.t == EXPLORED:
                game.released = self.release(run.releases, game)

    def received(self, reward):
        return reward

    def release(self, releases, game):
        return [releases.laplace(s, 1 / self.epsilon) for s in game.sums]

    def best(self, game):
        return int(np.argmax(game.released))

    def privacy(self, horizon, number_of_arms):
        ledger = Ledger().book(1, EXPLORED, sensitivity=1.0, scale=1 / self.epsilon)
        return Account(self.epsilon, 0.0, ledger)


class ReleasesTwice(Correct):
    """The sums are released twice, and booked once."""

    def release(self, releases, game):
        super().release(releases, game)
        return super().release(releases, game)


class ComparesRawSums(Correct):
    """The best arm is that of the raw sums."""

    def best(self, game):
        return int(game.sums[1] > game.sums[0])


class HalfTheScale(Correct):
    """The noise has half the scale that is booked."""

    def release(self, releases, game):
        return [releases.laplace(s, 0.5 / self.epsilon) for s in game.sums]


class FirstRewardWithoutNoise(Correct):
    """The first reward decides without noise, if it is large."""

    def best(self, game):
        return (
            int(np.argmax(game.released)) if game.first < 2 else 1 - int(np.argmax(game.released))
        )


class OneNoiseForTwoSums(Correct):
    """One number is added to both sums, which compares them without noise."""

    def release(self, releases, game):
        noise = releases.laplace(0.0, 1 / self.epsilon)
        return [s + noise for s in game.sums]


class SumsOverlap(Correct):
    """The last reward is in the sums of both arms."""

    def release(self, releases, game):
        sums = game.sums + np.array([game.last, 0.0])
        return [releases.laplace(s, 1 / self.epsilon) for s in sums]


class ThresholdReadsRewards(Correct):
    """A large raw sum ends the exploitation of an arm."""

    def best(self, game):
        best = int(np.argmax(game.released))
        return best if game.sums.max() < 1000 else 1 - best


class ClipOutsideItsRange(Correct):
    """Rewards are stretched and clipped to [0, 2], and booked as if to [0, 1]."""

    def received(self, reward):
        return min(max(3 * reward, 0.0), 2.0)


class NoiseOfItsOwn(Correct):
    """The noise is right, but no release: nobody sees what is published."""

    def release(self, releases, game):
        return [s + releases.rng.laplace(1 / self.epsilon) for s in game.sums]


class LittleNoiseBeforeTheLastRounds(Correct):
    """The rewards of the last rounds are never read, so the users of some rounds are never paid."""

    def play(self, run):
        sums, _ = run.play_in_turn([0, 1], EXPLORED // 2)
        noisy = [run.releases.laplace(s, 0.001 / self.epsilon) for s in sums]
        run.spend(int(np.argmax(noisy)), run.horizon)


class CentralSumsAsReports(Correct):
    """The operator adds up rewards, though nobody should be trusted with them."""

    def privacy(self, horizon, number_of_arms):
        account = super().privacy(horizon, number_of_arms)
        return Account(self.epsilon, 0.0, account.ledger, trust="local")


FAULTS = [ReleasesTwice, ComparesRawSums, HalfTheScale, FirstRewardWithoutNoise]
FAULTS += [OneNoiseForTwoSums, SumsOverlap, ThresholdReadsRewards, ClipOutsideItsRange]
FAULTS += [NoiseOfItsOwn, LittleNoiseBeforeTheLastRounds, CentralSumsAsReports]


class PlaysArmMinus1(Correct):
    """In Python, -1 would be the last arm."""

    def best(self, game):
        return -1


class StopsEarly(Correct):
    """Explore, and play no more."""

    def play(self, run):
        run.play_in_turn([0, 1], EXPLORED // 2)


UNPLAYABLE = [PlaysArmMinus1, StopsEarly]
