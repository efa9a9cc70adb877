"""Record what a policy releases, and play it again with the released values frozen.

A recorder works in plain Python only. Numbers for choices that rewards do not determine are the
same in both plays.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ive

from dpbandits.errors import InputError
from dpbandits.privacy.ledger import DISCRETE, GAUSSIAN, LAPLACE, SKELLAM
from dpbandits.privacy.releases import Releases, rounded_down
from dpbandits.random import Stream

BIT, CHOICE = "bit", "choice"


class Diverged(Exception):
    """The second play differs from the first: it depends on an unreleased reward."""


class Published(NamedTuple):
    """One release: `value` is what it depends on, `output` what is published."""

    law: str
    scale: float
    value: float
    output: float

    def loss(self, value: float) -> float:
        """The log-likelihood ratio of the output, of this value to another one."""
        if self.law == CHOICE:
            return math.log(self.value / value)
        if self.law == BIT:
            ours, theirs = (p if self.output else 1 - p for p in (self.value, value))
            return math.log(ours / theirs) if min(ours, theirs) > 0 else math.inf
        ours, theirs = abs(self.output - self.value), abs(self.output - value)
        if self.law == GAUSSIAN:
            return (theirs**2 - ours**2) / (2 * self.scale**2)
        if self.law == SKELLAM:
            return math.log(ive(ours, self.scale**2) / ive(theirs, self.scale**2))
        return (theirs - ours) / self.scale

    def bound(self, value: float) -> float:
        """The largest loss of any output; with unbounded noise |difference|/sd."""
        if self.law == CHOICE:
            return abs(self.loss(value))
        if self.law == BIT:
            return max(abs(self._replace(output=bit).loss(value)) for bit in (0.0, 1.0))
        return abs(self.value - value) / self.scale


def _with_noise(name: str, law: str) -> Callable:
    """The method of `Releases` with this name, recorded."""

    def release(self, value, scale):
        value = rounded_down(value) if law in (DISCRETE, SKELLAM) else value
        return self.publish(law, scale, value, lambda: getattr(self.drawn, name)(value, scale))

    return release


class Recorder:
    """Releases that are recorded: what a run of a replay has in place of `Releases`.

    Parameters
    ----------
    rng : Stream
        The run's numbers, for choices that rewards do not determine and for users.
    drawn : Releases
        What draws the noise, from another stream.
    recorded : list of Published, optional
        The releases of a first play, whose outputs this play publishes again.
    """

    def __init__(self, rng: Stream, drawn: Releases, recorded: list[Published] | None = None):
        self.rng, self.drawn, self.recorded = rng, drawn, recorded
        self.releases: list[Published] = []
        self.paid = np.zeros(1, np.int64)  # the number of users so far
        self.users: list[int] = []  # this number before each release
        self.sums: dict[Any, dict[int, float]] = {}  # of each stream: the sums of its prefixes

    def publish(self, law: str, scale: float, value: float, draw: Callable) -> Any:
        """Record a release, and return its output: a new one, or that of the first play."""
        if math.isnan(value):
            raise InputError(f"release {len(self.releases) + 1} is of NaN; compute a number")
        if self.recorded is None:
            output = draw()
        else:
            output = self._recorded_output(len(self.releases), law, scale)
        self.releases.append(Published(law, float(scale), float(value), output))
        self.users.append(int(self.paid[0]))
        return output

    def _recorded_output(self, place: int, law: str, scale: float) -> Any:
        """The output at this place of the first play, whose noise must be the same."""
        if place == len(self.recorded):
            raise Diverged("there is one release more")
        first = self.recorded[place]
        if first.law != law or not math.isclose(first.scale, scale, rel_tol=1e-9):
            raise Diverged(f"release {place + 1} has the noise {law} of scale {scale:.6g}")
        return first.output

    laplace = _with_noise("laplace", LAPLACE)
    gaussian = _with_noise("gaussian", GAUSSIAN)
    discrete = _with_noise("discrete", DISCRETE)
    skellam = _with_noise("skellam", SKELLAM)

    def bit(self, p):
        """As `Releases.bit`."""
        return self.publish(BIT, 0.0, p, lambda: self.drawn.bit(p))

    def node(self, scale, stream, first, last, total):
        """As `Releases.node`. The output of the node is its sum with the noise."""
        sums = self.sums.setdefault(stream, {0: 0.0})
        sums[last] = float(total)
        node = float(total) - sums[first - 1]
        return self.laplace(node, scale) - node

    def choice(self, weights, factor, least):
        """As `Releases.choice`. The value is the probability of the choice."""
        draw = self.drawn.choice
        i = self.publish(CHOICE, 0.0, 0.0, lambda: draw(weights, factor, least)[0])
        p = factor * weights[i] + least
        self.releases[-1] = self.releases[-1]._replace(value=float(p))
        return i, p
