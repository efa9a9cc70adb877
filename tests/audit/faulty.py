"""Policies with one fault each, which replays should find, and one without.

All explore two arms in turn for a few rounds, release something, and then play the best arm.
"""

from types import SimpleNamespace

import numpy as np

from dpbandits.bandits.arms import note, pull
from dpbandits.parameters import Positive
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.ledger import Account, Ledger

EXPLORED = 8  # rounds


class Correct(ArmsPolicy):
    """One noisy sum of each arm, which is booked. `game` is the state of a play."""

    epsilon: Positive = 1.0

    def play(self, rng, arms, horizon, journal):
        pulls, game = [0, 0], SimpleNamespace(rng=rng, sums=np.zeros(2), first=0.0, last=0.0)
        for t in range(horizon):
            a = t % 2 if t < EXPLORED else self.best(game)
            game.last = self.received(pull(rng, arms, a))
            game.first = game.last if t == 0 else game.first
            game.sums[a] += game.last
            pulls[a] += 1
            note(journal, t + 1, pulls)
            if t + 1 == EXPLORED:
                game.released = self.release(game)

    def received(self, reward):
        return reward

    def release(self, game):
        return [game.rng.release(s, 1 / self.epsilon) for s in game.sums]

    def best(self, game):
        return int(np.argmax(game.released))

    def privacy(self, horizon, number_of_arms):
        ledger = Ledger().book(1, EXPLORED, sensitivity=1.0, scale=1 / self.epsilon)
        return Account(self.epsilon, 0.0, ledger)


class ReleasesTwice(Correct):
    """The sums are released twice, and booked once."""

    def release(self, game):
        super().release(game)
        return super().release(game)


class ComparesRawSums(Correct):
    """The best arm is that of the raw sums."""

    def best(self, game):
        return int(game.sums[1] > game.sums[0])


class HalfTheScale(Correct):
    """The noise has half the scale that is booked."""

    def release(self, game):
        return [game.rng.release(s, 0.5 / self.epsilon) for s in game.sums]


class FirstRewardWithoutNoise(Correct):
    """The first reward decides without noise, if it is large."""

    def best(self, game):
        return (
            int(np.argmax(game.released)) if game.first < 2 else 1 - int(np.argmax(game.released))
        )


class OneNoiseForTwoSums(Correct):
    """One number is added to both sums, which compares them without noise."""

    def release(self, game):
        noise = game.rng.release(0.0, 1 / self.epsilon)
        return [s + noise for s in game.sums]


class SumsOverlap(Correct):
    """The last reward is in the sums of both arms."""

    def release(self, game):
        sums = game.sums + np.array([game.last, 0.0])
        return [game.rng.release(s, 1 / self.epsilon) for s in sums]


class ThresholdReadsRewards(Correct):
    """A large raw sum ends the exploitation of an arm."""

    def best(self, game):
        best = int(np.argmax(game.released))
        return best if game.sums.max() < 1000 else 1 - best


class ClipOutsideItsRange(Correct):
    """Rewards are stretched and clipped to [0, 2], and booked as if to [0, 1]."""

    def received(self, reward):
        return min(max(3 * reward, 0.0), 2.0)


FAULTS = [ReleasesTwice, ComparesRawSums, HalfTheScale, FirstRewardWithoutNoise]
FAULTS += [OneNoiseForTwoSums, SumsOverlap, ThresholdReadsRewards, ClipOutsideItsRange]


class Greedy(ArmsPolicy):
    """Play the best arm so far, pull it, and note it."""

    def play(self, rng, arms, horizon, journal):
        sums, pulls = np.zeros(len(arms.means)), np.zeros_like(arms.means)
        for t in range(1, horizon + 1):
            a = self.best(arms, sums, pulls)
            sums[a] += self.pulled(rng, arms, a)
            pulls[self.noted(a)] += 1
            note(journal, t, pulls)

    def best(self, arms, sums, pulls):
        return int(np.argmax((sums + 1) / (pulls + 1)))

    def pulled(self, rng, arms, a):
        return pull(rng, arms, a)

    def noted(self, a):
        return a


class NotesArm0(Greedy):
    def noted(self, a):
        return 0


class PullsTwice(Greedy):
    def pulled(self, rng, arms, a):
        return pull(rng, arms, a) + pull(rng, arms, a)


class PlaysArmMinus1(Greedy):
    """In Python, -1 is the last arm, and the counts are right."""

    def best(self, arms, sums, pulls):
        return -1


class NotesNothing(ArmsPolicy):
    def play(self, rng, arms, horizon, journal):
        pull(rng, arms, 0)


class ReadsMeans(Greedy):
    def best(self, arms, sums, pulls):
        return int(np.argmax(arms.means))


class ReadsOneMean(Greedy):
    def best(self, arms, sums, pulls):
        return 0 if arms.means[0] > 0.5 else 1


COUNTED = [Greedy, NotesArm0, PullsTwice, PlaysArmMinus1, NotesNothing, ReadsMeans, ReadsOneMean]
