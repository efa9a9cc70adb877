"""Record what a policy releases, and play it again with the released values frozen.

Both streams of random numbers work in plain Python only. Numbers for choices that rewards do not
determine are the same in both plays.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ive

from dpbandits.privacy.ledger import DISCRETE, GAUSSIAN, LAPLACE, SKELLAM
from dpbandits.random import Stream

BIT, CHOICE = "bit", "choice"


class Diverged(Exception):
    """The second play releases something else than the first: what it does depends on a reward."""


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
        """The largest loss of any output; for unbounded noise, which has none, |difference|/sd."""
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
    """

    def __init__(self, choices: Stream, noise: Stream):
        self.choices, self.hidden = choices, noise
        self.releases: list[Published] = []
        self.sums: dict[Any, dict[int, float]] = {}  # of each stream: the sums of its prefixes

    def __getattr__(self, name: str) -> Any:
        """Draw what protects nothing: `random`, `integers`, ..."""
        return getattr(self.choices, name)

    def publish(self, law: str, scale: float, value: float, draw: Any) -> float:
        """Record a release, whose output `draw` draws."""
        output = draw()
        self.releases.append(Published(law, float(scale), float(value), float(output)))
        return output

    def release(self, value, scale):
        """As `Stream.release`."""
        draw = lambda: self.hidden.release(value, scale)  # noqa: E731
        return self.publish(LAPLACE, scale, value, draw)

    def release_gaussian(self, value, sd):
        """As `Stream.release_gaussian`."""
        draw = lambda: self.hidden.release_gaussian(value, sd)  # noqa: E731
        return self.publish(GAUSSIAN, sd, value, draw)

    def release_discrete(self, value, scale):
        """As `Stream.release_discrete`."""
        draw = lambda: self.hidden.release_discrete(value, scale)  # noqa: E731
        return self.publish(DISCRETE, scale, value, draw)

    def release_skellam(self, value, sd):
        """As `Stream.release_skellam`."""
        draw = lambda: self.hidden.release_skellam(value, sd)  # noqa: E731
        return self.publish(SKELLAM, sd, value, draw)

    def release_bit(self, p):
        """As `Stream.release_bit`."""
        return self.publish(BIT, 0.0, p, lambda: self.hidden.release_bit(p))

    def release_noise(self, scale, stream, first, last, total):
        """As `Stream.release_noise`. The output of the node is its sum with the noise."""
        sums = self.sums.setdefault(stream, {0: 0.0})
        sums[last] = float(total)
        node = float(total) - sums[first - 1]
        return self.publish(LAPLACE, scale, node, lambda: self.hidden.release(node, scale)) - node

    def release_choice(self, weights, factor, least):
        """As `Stream.release_choice`. The value is the probability of the choice."""
        i, p = self.hidden.release_choice(weights, factor, least)
        self.publish(CHOICE, 0.0, p, lambda: i)
        return i, p


class Replayer(Recorder):
    """The stream of a second play, which publishes what the first one has published."""

    def __init__(self, choices: Stream, recorded: list[Published]):
        super().__init__(choices, choices)
        self.recorded = recorded

    def publish(self, law: str, scale: float, value: float, draw: Any) -> float:
        """Return the recorded output."""
        place = len(self.releases)
        if place == len(self.recorded):
            raise Diverged("there is one release more")
        first = self.recorded[place]
        if first.law != law or not math.isclose(first.scale, scale, rel_tol=1e-9):
            raise Diverged(f"release {place + 1} has the noise {law} of scale {scale:.6g}")
        self.releases.append(Published(law, float(scale), float(value), first.output))
        return int(first.output) if law in (CHOICE, DISCRETE, SKELLAM) else first.output

    def release_choice(self, weights, factor, least):
        """Return the recorded choice, with its probability in this play."""
        place = len(self.releases)
        i = int(self.recorded[place].output) if place < len(self.recorded) else 0
        p = factor * weights[i] + least
        self.publish(CHOICE, 0.0, p, None)
        return i, p


def differing(first: Any, second: Any) -> Iterator[tuple[Published, float]]:
    """The used releases of a first play that depend on the changed reward, and the other values."""
    if len(first.releases) != len(second.releases):
        raise Diverged(f"there are {len(second.releases)} releases, not {len(first.releases)}")
    for ours, theirs in zip(first.releases[: first.used], second.releases, strict=False):
        if not np.isclose(ours.value, theirs.value, rtol=1e-12, atol=1e-12):
            yield ours, theirs.value
