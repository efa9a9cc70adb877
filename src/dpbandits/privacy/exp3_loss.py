"""The privacy loss of one gain in EXP3's later actions: a search for the worst case (tossou2017, Theorem 3.3).

The theorem says: for every history of actions, changing one gain changes the probability of any action in any later
round by a factor of at most e^2. Its proof looks at the round right after the change; later rounds differ as well,
because the importance weights 1/p differ from then on. So this is a search for a counterexample, not a proof.
"""

import numpy as np

GAINS = (0.0, 1.0)
RESOLUTION = 1e-4  # relative; that of the grid of starts


def law(exponents: np.ndarray, gamma: float) -> np.ndarray:
    """p_i of EXP3 from (gamma/K) G_i; the arms are the last axis."""
    w = np.exp(exponents - exponents.max(axis=-1, keepdims=True))
    return (1 - gamma) * w / w.sum(axis=-1, keepdims=True) + gamma / exponents.shape[-1]


def after(exponents: np.ndarray, gamma: float, arm: int, gain: float) -> np.ndarray:
    """The exponents after one more round."""
    later = exponents.copy()
    later[..., arm] += gamma / exponents.shape[-1] * gain / law(exponents, gamma)[..., arm]
    return later


def starts(gamma: float, K: int) -> np.ndarray:
    """Weights before the changed gain: arm 0 has a share of 0.01 to 100 times gamma/K, one or all others the rest."""
    share = np.minimum(gamma / K * np.geomspace(0.01, 100, 401), 0.5)
    rival, alike = np.full((share.size, K), -700.0), np.empty((share.size, K))
    rival[:, 0] = alike[:, 0] = np.log(share)
    rival[:, 1] = np.log(1 - share)
    alike[:, 1:] = np.log((1 - share) / (K - 1))[:, None]
    return np.concatenate([rival, alike])


def largest_loss(gamma: float, K: int, rounds: int = 4) -> tuple[float, int]:
    """The largest |ln p_i/p'_i| found in the `rounds` rounds after a gain of arm 0 or 1 was 1 instead of 0, and in
    which.

    The search is over all histories of arms 0 and 1 with gains of 0 and 1, from every start. Of rounds whose losses
    are equal within the resolution of the starts, the first is returned.
    """
    before = starts(gamma, K)
    found = [_search(*(after(before, gamma, arm, gain) for gain in GAINS), gamma, 1, rounds) for arm in (0, 1)]
    return _largest(found)


def _largest(found: list[tuple[float, int]]) -> tuple[float, int]:
    """The largest loss, and the first round that comes within `RESOLUTION` of it."""
    most = max(loss for loss, _ in found)
    _, first = min((each for each in found if each[0] >= most * (1 - RESOLUTION)), key=lambda each: each[1])
    return most, first


def _search(one: np.ndarray, other: np.ndarray, gamma: float, round_: int, rounds: int) -> tuple[float, int]:
    here = (float(np.abs(np.log(law(one, gamma) / law(other, gamma))).max()), round_)
    if round_ == rounds:
        return here
    later = [
        _search(after(one, gamma, arm, gain), after(other, gamma, arm, gain), gamma, round_ + 1, rounds)
        for arm in (0, 1)
        for gain in GAINS
    ]
    return _largest([here, *later])
