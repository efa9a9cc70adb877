"""Laws of rewards in [0, 1] beside the Bernoulli law.

The arms of sarkar2025's panel (f) have four laws. They come from the five-armed experiment of Ren, Zhou, Liu & Shroff,
"Multi-Armed Bandits with Local Differential Privacy" (2020), where the means of the laws are those of the arms; here
each of the last three laws has one mean, whatever the label of the arm.
"""

from dpbandits.kernels.compiled import step
from dpbandits.kernels.sampling import uniform

BERNOULLI, BETA, TWO_POINT, UNIFORM = range(4)
MEANS = {BETA: 0.8, TWO_POINT: 0.7, UNIFORM: 0.5}  # the mean of a Bernoulli arm is its label


@step
def draw(rng, law, mean):
    """One reward; `mean` is that of a Bernoulli arm."""
    u = uniform(rng)
    if law == BERNOULLI:
        return 1.0 if u < mean else 0.0
    if law == BETA:  # Beta(4, 1) by inversion, u^(1/4)
        return (u**0.5) ** 0.5
    if law == TWO_POINT:  # 0.4 or 1
        return 0.4 if u < 0.5 else 1.0
    return u


@step
def draw_sum(rng, law, mean, m):
    """The sum of m rewards: one binomial draw for a law with two values, otherwise m draws."""
    if law == BERNOULLI:
        return float(rng.binomial(m, mean))
    if law == TWO_POINT:
        return 0.4 * m + 0.6 * rng.binomial(m, 0.5)
    total = 0.0
    for _ in range(m):
        total += draw(rng, law, mean)
    return total
