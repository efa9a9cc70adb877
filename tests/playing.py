"""Play policies for tests, and draw the numbers of a kernel for its plain twin."""

import numpy as np
from project import ROOT

from dpbandits.bandits import Bernoulli, DrawnArms, make
from dpbandits.bandits.game import Game, new_game_run
from dpbandits.bandits.rewards import Arms
from dpbandits.policies import POLICIES
from dpbandits.privacy.releases import Releases
from dpbandits.random import Stream, stream
from dpbandits.studies.strict_yaml import read_yaml

TWO, THREE = [0.9, 0.6], [0.8, 0.5, 0.3]
FIFTY = DrawnArms(50, lowest=0.005, highest=1.0, draw=42).arms.means.tolist()
AZIZE2022 = {  # the arms of its Figures 4 to 7
    "C1": [0.75, 0.70, 0.70, 0.70, 0.70],
    "C2": [0.75, 0.625, 0.5, 0.375, 0.25],
    "C3": [0.75, 0.53125, 0.375, 0.28125, 0.25],
    "C4": [0.75, 0.71875, 0.625, 0.46875, 0.25],
}
FIVE = [0.9, 0.4, 0.4, 0.4, 0.4]  # the arms of mishra2015
NEWS = read_yaml(ROOT / "config/papers/mishra2015.yaml")["environments"]["news"]


def promises():
    """The rows of spent.yaml: a policy, its parameters, what it spends, and whom it trusts."""
    spent = read_yaml(ROOT / "tests/policies/arms/spent.yaml")
    return [(*row, trust) for trust, rows in spent.items() for row in rows]


def a_run(rng, means, checkpoints):
    """A run on Bernoulli arms that nobody has played."""
    t = np.asarray(checkpoints)
    return Bernoulli(means).begin(Arms(np.array(means, float)), rng, int(t[-1]), t)


def play(name, rng, means, horizon, checkpoints, **parameters):
    """The finished run of a policy on Bernoulli arms."""
    run = a_run(rng, means, checkpoints)
    POLICIES.make(name, parameters).play(run)
    assert run.finished()
    assert run.horizon == horizon
    return run


def actions_of(run):
    """The arm of every round, if each is a checkpoint."""
    return np.diff(run.counts, axis=0, prepend=0).argmax(axis=1).tolist()


def actions(name, rng, means, horizon, **parameters):
    """The arm of every round."""
    return actions_of(play(name, rng, means, horizon, np.arange(1, horizon + 1), **parameters))


def final_regret(name, rng, means, horizon, **parameters):
    """The pseudo-regret after the last round."""
    run = play(name, rng, means, horizon, [horizon], **parameters)
    return Bernoulli(means).curves(run, run.checkpoints)["regret"][0]


def a_log(*name, horizon, **other):
    """A synthetic log of mishra2015, or with other parameters."""
    return make(NEWS | other).draw_game(stream(1, *name), horizon)


def click_rates(events):
    """P(click) on every article of the pool, at each event of a synthetic log."""
    return np.array(
        [[events.feedback(i, s)[2] for s in range(events.law.live)] for i in range(events.t.size)]
    )


def played(name, rng, gains, penalty=(), **parameters):
    """The finished run of a policy on a table of gains."""
    game = Game(np.asarray(gains), *penalty)
    run = new_game_run(game, Releases(rng))
    POLICIES.make(name, parameters).play(run)
    return run


class GeneratorOfTwin(np.random.Generator):
    """NumPy's generator in the state of a stream.

    Uniform and exponential numbers are NumPy's own, and Laplace numbers are made of them. The
    package draws other numbers (tests/test_random.py compares their distributions).
    """

    def laplace(self, location=0.0, scale=1.0):
        before = self.bit_generator.state
        is_negative = self.bit_generator.random_raw() & 1
        self.bit_generator.state = before
        size = scale * self.standard_exponential()
        return location + (-size if is_negative else size)

    def discrete_laplace(self, scale):
        while True:
            number = self.laplace(0.0, scale)
            size = int(np.floor(abs(number)))
            if number >= 0 or size > 0:
                return size if number >= 0 else -size

    def skellam(self, sd):
        return self._drawn("skellam", 0, float(sd))

    def standard_normal(self):
        return self._drawn("normal", 0.0, 1.0)

    def beta(self, a, b):
        return self._drawn("beta", float(a), float(b))

    def binomial(self, n, p):
        return self._drawn("binomial", int(n), float(p))

    def _drawn(self, method, *arguments):
        state = self.bit_generator.state
        rng = Stream(state["state"]["state"])
        number = getattr(Releases(rng) if method == "skellam" else rng, method)(*arguments)
        state["state"]["state"] = rng.words
        self.bit_generator.state = state
        return number


def for_twin(rng):
    """The generator that draws for a plain twin what this stream draws for a kernel."""
    generator = np.random.SFC64(0)
    generator.state = {**generator.state, "state": {"state": rng.words.copy()}}
    return GeneratorOfTwin(generator)
