"""The recording of a run for the Nash regret: the first played arms one by one, then sums over small bins.

The Nash regret, mu* - (prod_{s <= t} m_s)^{1/t} with m_s the mean over the runs of the played arm's mean, needs ln m_s at every round,
which a single run does not determine. Over a bin of w rounds the sum of ln m_s is to second order w (ln m - v/(2 m^2)), with m their
mean and v the variance of m_s within the bin; as the runs are independent, v is 1/N^2 times the sum of the runs' own variances. So a
run records two numbers per bin.

Runs are not independent while they follow the same schedule: all play every arm once, in order, and LDP-NCB in the authors' code plays
its arms in turn until about round 4 sqrt(T), because its noise is shifted by 1/epsilon there. With bins of only eight rounds the error
of the Nash regret is then 0.07. So the first EXACT rounds are recorded one by one, with one byte each.
"""

import numpy as np

from dpbandits.bandits.journal import weighted

EXACT = 65_536  # rounds that are recorded one by one
PER_OCTAVE = 1024  # bins in every doubling of the time after that


def bins(t: np.ndarray) -> np.ndarray:
    """The last rounds of the bins: single rounds up to EXACT, then small bins; the checkpoints t are among them."""
    horizon, start, ends = int(t[-1]), EXACT, [np.arange(1, EXACT + 1)]
    while start < horizon:
        ends.append(np.arange(start, 2 * start, start // PER_OCTAVE) + start // PER_OCTAVE)
        start *= 2
    ends = np.concatenate(ends)
    ends = np.append(ends[ends < horizon], horizon)
    place = np.searchsorted(ends, t)
    new = ends[place] != t
    return np.insert(ends, place[new], t[new])


def nash_curves(
    counts: np.ndarray, ends: np.ndarray, means: np.ndarray, t: np.ndarray, against: float | None
) -> dict[str, np.ndarray]:
    """The regret at the checkpoints t and the arrays of `statistics.nash.Recorded`, from the pull counts at the ends of the bins.
    `means` are those with which a played arm counts; `against`: what the regret is measured against, if not the best of them."""
    gaps, best = means.max() - means, means.max()
    measured_against = np.array([best if against is None else against], np.float64)
    played = np.diff(
        counts[:EXACT] @ np.arange(len(means)), prepend=0
    )  # the arm of each of the first rounds
    distinct, place = np.unique(gaps, return_inverse=True)
    later, rounds = (
        counts[min(EXACT, len(counts)) - 1 :],
        np.diff(ends[min(EXACT, len(ends)) - 1 :]),
    )
    gap, square = (np.diff(weighted(later, weights)) / rounds for weights in (gaps, gaps**2))
    return {
        "regret": weighted(counts[np.searchsorted(ends, t)], gaps) + (measured_against - best) * t,
        "measured_against": measured_against,
        "means": np.pad(
            best - distinct, (0, len(gaps) - len(distinct)), mode="edge"
        ),  # one size for all series
        "first_played": place[played].astype(np.uint8),
        "mean_played": (best - gap).astype(np.float32),
        "variance_played": np.maximum(square - gap**2, 0.0).astype(np.float32),
    }
