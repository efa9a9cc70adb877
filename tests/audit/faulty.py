"""Policies with one fault each, which replays and audits should find, and one without.

All explore every arm once, release the rewards with noise, and then play the best arm.
"""

import numpy as np

from dpbandits.parameters import Positive
from dpbandits.policy import ArmsPolicy
from dpbandits.privacy.games import SHORT
from dpbandits.privacy.ledger import released_once


class Correct(ArmsPolicy):
    """One noisy reward of each arm, which is booked."""

    epsilon: Positive = 1.0
    trust = "central"

    def play(self, run):
        rewards = [run.play(a)[0] for a in range(run.K)]
        released = self.release(run.releases, np.array(rewards))
        while not run.finished():
            rewards.append(run.play(self.best(rewards, released))[0])

    def release(self, releases, values):
        return np.array([releases.laplace(x, 1 / self.epsilon) for x in values])

    def best(self, rewards, released):
        return int(np.argmax(released))

    def privacy(self, horizon, number_of_arms):
        return released_once(self.epsilon, number_of_arms, trust=self.trust)


class ReleasesTwice(Correct):
    """The rewards are released twice, and booked once."""

    def release(self, releases, values):
        super().release(releases, values)
        return super().release(releases, values)


class SumsOverlap(Correct):
    """The last reward is in two of the released values."""

    def release(self, releases, values):
        values[0] += values[-1]
        return super().release(releases, values)


class HalfTheScale(Correct):
    """The noise has half the scale that is booked."""

    def release(self, releases, values):
        return super().release(releases, 2 * values) / 2


class ComparesRawRewards(Correct):
    """The best arm is that of the first two raw rewards."""

    def best(self, rewards, released):
        return int(np.argmax(rewards[:2]))


class OneNoiseForAll(Correct):
    """One number is added to all rewards, which compares them without noise."""

    def release(self, releases, values):
        return values + releases.laplace(0.0, 1 / self.epsilon)


class NoiseOfItsOwn(Correct):
    """The noise is right, but no release: nobody sees what is published."""

    def release(self, releases, values):
        return [x + releases.rng.laplace(1 / self.epsilon) for x in values]


class FirstRewardWithoutNoise(Correct):
    """The first reward decides without noise, if it is negative."""

    def best(self, rewards, released):
        return super().best(rewards, released) if rewards[0] >= 0 else 0


class ThresholdReadsRewards(Correct):
    """A large reward ends the exploitation of an arm for a round."""

    def best(self, rewards, released):
        return super().best(rewards, released) if rewards[-1] < 1000 else 0


class LittleNoiseBeforeTheLastRounds(Correct):
    """The rewards of the last rounds are never read, so the users of some rounds are never paid."""

    def play(self, run):
        values, _ = run.play_in_turn(range(run.K))
        run.spend(self.best([], self.release(run.releases, 1000 * values)), run.horizon)


class CentralSumsAsReports(Correct):
    """The operator adds up rewards, though nobody should be trusted with them."""

    trust = "local"

    def release(self, releases, values):
        return super().release(releases, values[::2] + values[1::2])


class PlaysArmMinus1(Correct):
    """In Python, -1 would be the last arm."""

    def best(self, rewards, released):
        return -1


class StopsEarly(Correct):
    """Explore, and play no more."""

    def play(self, run):
        run.play_in_turn(range(run.K))


class ChecksFail(Correct):
    def check(self, horizon, number_of_arms):
        return 1 / 0


class BareSetting(Correct):
    def audit_games(self):
        return SHORT
