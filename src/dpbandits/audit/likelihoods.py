"""Exact losses: log-likelihood ratios of actions on two neighbouring inputs.

Pure differential privacy concerns every event, however improbable. A loss above the promise breaks
it, where an audit would never see the event.
"""

import math
from functools import partial

import numpy as np

from dpbandits.policies.arms.dp_ucb import DPUCB
from dpbandits.policies.arms.dp_ucb_bound import DPUCBBound
from dpbandits.policies.arms.gdp_ncb import GDPNCB, max_releases
from dpbandits.policies.arms.private_ucb_tuned import PrivateUCBTuned
from dpbandits.privacy.hybrid import drawn_at, scale_at
from dpbandits.random import stream
from dpbandits.theory.exp3_constants import gamma_of

# Both put the two releases of arm 1's third item into their lower tails: arm 1 waits although its
# index has the larger bonus. For DP-UCB-BOUND this is certain unless arm 2 has improbably large
# noise. No draw has it, so the loss is slightly too large. For DP-UCB it holds in most cases.
SEQUENCES = {DPUCBBound: "1212122122222", DPUCB: "121222222222"}
HIDDEN = 3, 4  # arm 1's items with which the noise of these two releases is drawn


def exp3_loss(horizon: int, number_of_arms: int) -> tuple[float, int]:
    """Return EXP3's loss where one gain of arm 1 changes, and the rounds of arm 2.

    Arm 2 is played for a number of rounds, with gains of 1; then arm 1 once, with the gain that
    changes from 1 to 0; then arm 1 to the end, without gains. All other gains are 0. The number of
    rounds of arm 2 is that with the largest loss.

    Examples
    --------
    >>> loss, rounds = exp3_loss(1000, 4)
    >>> round(loss), rounds
    (223, 198)
    """
    gamma, largest = gamma_of(horizon, number_of_arms), (0.0, 0)
    estimates = np.zeros(number_of_arms)  # G of each arm

    def probabilities(estimates):
        weights = np.exp(gamma / number_of_arms * (estimates - estimates.max()))
        return (1 - gamma) * weights / weights.sum() + gamma / number_of_arms

    for rounds in range(1, horizon - 1):
        estimates[1] += 1 / probabilities(estimates)[1]
        before = probabilities(estimates)[0]  # also afterwards, if the gain is 0
        after = estimates.copy()
        after[0] += 1 / before
        loss = (horizon - rounds - 1) * math.log(probabilities(after)[0] / before)
        if loss < largest[0]:
            break
        largest = loss, rounds
    return largest


def gdp_ncb_loss(policy: GDPNCB, horizon: int) -> float:
    """Return GDP-NCB's loss when one reward of Phase I changes from 1 to 0, with two arms.

    All other rewards are 0. Phase I plays both arms equally often, or arm 1 once more if its
    length is odd; arm 2 then plays two rounds, and its mean is cut to 0, so that both indices are
    equal. Arm 1, whose reward changes, plays all other episodes of Phase II: after each release its
    index exceeds that of arm 2. Releases are independent, so the likelihood is a product of Laplace
    tails, one for each choice after a release. The policy has a cap on Phase I and no private means
    of it.

    Examples
    --------
    >>> from dpbandits.policies import GDPNCB
    >>> round(gdp_ncb_loss(GDPNCB(epsilon=1.0, noise_log="ln"), 10**7), 3)
    1.347
    """
    compiled = policy.compiled(horizon, 2)
    W, scale, loss = compiled.longest_phase1, compiled.noise / policy.epsilon, 0.0
    is_odd = W % 2
    N1 = W // 2 + is_odd  # of arm 1
    other = compiled.index(0.0, N1 + 1, 0)
    for episode in range(max_releases(horizon - W - 2 * is_odd)):
        n = N1 + (2 << episode)
        sum_needed = n * _smallest(lambda mu, n=n: compiled.index(mu, n, 0) > other)
        loss += float(_log_cdf((1 - sum_needed) / scale) - _log_cdf(-sum_needed / scale))
    return loss


def _smallest(is_enough) -> float:
    """The smallest number in [0, 1] that is enough, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


def hybrid_loss(policy: DPUCB | DPUCBBound, draws: int = 200_000) -> tuple[float, float]:
    """Return the loss of `SEQUENCES` and its standard error; arm 1's third item changes.

    Examples
    --------
    >>> from dpbandits.policies import DPUCBBound
    >>> loss, error = hybrid_loss(DPUCBBound(epsilon=1.0, hybrid_split="full_log2"), draws=1000)
    >>> round(loss, 6)
    2.0
    """
    terms = hybrid_likelihoods(policy, SEQUENCES[type(policy)], draws)
    zero, one = terms.mean(axis=1)
    error = (terms[0] / zero - terms[1] / one).std() / math.sqrt(draws)
    return math.log(zero / one), float(error)


def hybrid_likelihoods(policy: DPUCB | DPUCBBound, actions: str, draws: int) -> np.ndarray:
    """Return estimates of the likelihood of actions where an item is 0, and where it is 1.

    The item is the third one of arm 1 of two; all other rewards are 0. Two releases contain it: a
    node of three items and the total of four. All other noise is drawn. Given it, the actions say
    between which limits the noise of the two is, which has an exact probability. So an estimate is
    between 0 and 1, and their mean unbiased. The result has the shape (2, draws).
    """
    rng, every_round = stream(1, "likelihoods", actions).numpy(), isinstance(policy, DPUCB)
    possible, noise = np.ones(draws), {}
    scale = partial(scale_at, split=policy.hybrid_split, epsilon=policy.epsilon)
    for arm in "12":
        for n in range(1, 1 + (len(actions) if every_round else actions.count(arm))):
            drawn = rng.laplace(0.0, scale(n), draws)
            if arm == "2" or n not in HIDDEN:
                noise[arm, n] = drawn

    def state(arm, t):
        """The pulls, items and index of an arm in round t, without the hidden noise."""
        n = actions[: t - 1].count(arm)
        items = t - 1 if every_round else n
        total = sum(noise.get((arm, item), 0.0) for item in drawn_at(items))
        return n, items, total / n + _constant(policy, n, t)

    limits = {n: [np.full(draws, -np.inf), np.full(draws, np.inf)] for n in HIDDEN}
    for t in range(3, len(actions) + 1):
        (n, items, first), (_, _, second) = state("1", t), state("2", t)
        limit, plays = n * (second - first), actions[t - 1] == "1"
        if items < 3:
            possible *= (limit <= 0) == plays
        else:
            low, high = limits[min(items, 4)]
            np.maximum(low, limit, out=low) if plays else np.minimum(high, limit, out=high)
    terms = np.tile(possible, (2, 1))
    for n, (low, high) in limits.items():
        for reward in (0, 1):
            below = (_log_cdf((x - reward) / scale(n)) for x in (high, low))
            terms[reward] *= np.maximum(np.subtract(*map(np.exp, below)), 0.0)
    return terms


def _constant(policy, n: int, t: int) -> float:
    """What the index of an arm with n pulls adds to its mean."""
    if isinstance(policy, DPUCB):
        return math.sqrt(2 * math.log(t) / n)
    compiled = policy.compiled(t, 2)
    return compiled.index(*compiled.statistics(0.0, n), compiled.growth(t))


def _log_cdf(x):
    """ln P(Laplace < x), for noise of scale 1."""
    return np.where(x < 0, x - math.log(2), np.log1p(-np.exp(-np.abs(x)) / 2))


def tuning_likelihoods(
    policy: PrivateUCBTuned, horizon: int, number_of_arms: int, place: int
) -> tuple[float, float]:
    """Return how likely a setting is chosen, where one reward is 1 and where it is 0.

    Settings of `relax_c` play on the same rewards, and the first one with the largest total is
    chosen; `place` of them are before this one. All other rewards are 0. The one is that of the
    last arm in round K + 1, where a setting adds the same to all indices, so that each plays this
    arm with the same probability.

    Examples
    --------
    >>> from dpbandits.policies import PrivateUCBTuned
    >>> one, zero = tuning_likelihoods(PrivateUCBTuned(epsilon=1.0), 100, 5, place=6)
    >>> round(one, 4), zero
    (0.0282, 0.0)
    """
    K = number_of_arms
    scale = policy.constants(horizon, K)["node_scale"]
    least, most = np.exp(_log_cdf(np.array([0.0, 1 / scale])))  # a mean is cut at 0 and at 1
    plays = (most**K - least**K) / K + (1 - most) * most ** (K - 1)
    return float(plays * (1 - plays) ** place), float(place == 0)
