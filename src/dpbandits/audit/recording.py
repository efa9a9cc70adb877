"""Record what a policy releases, and play it again with the released values frozen.

Both streams of random numbers work in plain Python only. Numbers for choices that rewards do not
determine are the same in both plays.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from scipy.special import ive

from dpbandits.privacy.ledger import DISCRETE, GAUSSIAN, LAPLACE, SKELLAM
from dpbandits.random import Stream

BIT, CHOICE = "bit", "choice"
LAWS = {  # of the noise that a method of a stream adds to a value
    "release": LAPLACE,
    "release_gaussian": GAUSSIAN,
    "release_discrete": DISCRETE,
    "release_skellam": SKELLAM,
}


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


class Recorder:
    """The stream of a play whose releases are recorded.

    Parameters
    ----------
    choices : Stream
        The numbers of choices that rewards do not determine, and of users.
    noise : Stream
        The numbers of the noise.
    recorded : list of Published, optional
        The releases of a first play, whose outputs this play publishes again.
    """

    def __init__(self, choices: Stream, noise: Stream, recorded: list[Published] | None = None):
        self.choices, self.hidden, self.recorded = choices, noise, recorded
        self.releases: list[Published] = []
        self.sums: dict[Any, dict[int, float]] = {}  # of each stream: the sums of its prefixes

    def __getattr__(self, name: str) -> Any:
        """Return the method of `Stream` with this name, which records a release."""
        if name not in LAWS:
            return getattr(self.choices, name)
        draw = getattr(self.hidden, name)
        return lambda value, scale: self.publish(
            LAWS[name], scale, value, lambda: draw(value, scale)
        )

    def publish(self, law: str, scale: float, value: float, draw: Callable) -> Any:
        """Record a release, and return its output: a new one, or that of the first play."""
        if self.recorded is None:
            output = draw()
        else:
            output = self._recorded_output(len(self.releases), law, scale)
        self.releases.append(Published(law, float(scale), float(value), output))
        return output

    def _recorded_output(self, place: int, law: str, scale: float) -> Any:
        """The output at this place of the first play, whose noise must be the same."""
        if place == len(self.recorded):
            raise Diverged("there is one release more")
        first = self.recorded[place]
        if first.law != law or not math.isclose(first.scale, scale, rel_tol=1e-9):
            raise Diverged(f"release {place + 1} has the noise {law} of scale {scale:.6g}")
        return first.output

    def release_bit(self, p):
        """As `Stream.release_bit`."""
        return self.publish(BIT, 0.0, p, lambda: self.hidden.release_bit(p))

    def release_noise(self, scale, stream, first, last, total):
        """As `Stream.release_noise`. The output of the node is its sum with the noise."""
        sums = self.sums.setdefault(stream, {0: 0.0})
        sums[last] = float(total)
        node = float(total) - sums[first - 1]
        return self.release(node, scale) - node

    def release_choice(self, weights, factor, least):
        """As `Stream.release_choice`. The value is the probability of the choice."""
        draw = self.hidden.release_choice
        i = self.publish(CHOICE, 0.0, 0.0, lambda: draw(weights, factor, least)[0])
        p = factor * weights[i] + least
        self.releases[-1] = self.releases[-1]._replace(value=float(p))
        return i, p
