"""Many reports of a leading arm at once: local privacy, where a report is reward + Lap(1/epsilon).

A Laplace number is the difference of two exponential numbers, a rise and a fall, so that the falls of k reports add up to
a Gamma number g. An index of such reports neither falls with the arm's sum s nor, at a sum of 0 or more, rises with its pull
count n. So if the arm leads with the sum s - g and the count n + k, it leads after every one of the k pulls, whatever
the rewards and the rises are, and of these only the sums are drawn. Otherwise the k pulls are made one by one until
the lead is lost, each with a fall from its law given g: of m falls with the sum g the first is g (1 - U^(1/(m - 1))). Either
way the reports have their law; tests/algorithms/arms/test_reports.py compares with one pull at a time.
"""

from dpbandits.environments.arms import pull, pull_many
from dpbandits.kernels.compiled import kernel
from dpbandits.kernels.sampling import uniform

LEAST = 24  # fewer pulls at once take longer than one by one
SHARE = 0.7  # of the falls that would nearly end the lead: a block then rarely has too many


@kernel
def reports_at_once(rng, arms, a, most, s, n, rule, growth, level):
    """At most `most` pulls of arm a, the last of which may bring its index to the level or below: their number (0: not
    worthwhile), the sum of all reports of the arm after them, and whether it leads still."""
    index = rule.index(rule.terms(s, n), growth)
    k = int(min(SHARE * n * (index - level) / (1 / rule.epsilon + index), most))
    if k < LEAST:
        return 0, s, True
    return block(rng, arms, a, k, s, n, rule, growth, level)


@kernel
def block(rng, arms, a, k, s, n, rule, growth, level):
    """k pulls, or fewer if the last one brings the index to the level or below."""
    scale = 1 / rule.epsilon
    g = scale * rng.standard_gamma(k)
    if s >= g and rule.exceeds(rule.terms(s - g, n + k), growth, level):
        return k, s - g + scale * rng.standard_gamma(k) + pull_many(rng, arms, a, k), True
    leads, made = True, 0
    while leads and made < k:
        made += 1
        fall = g * (1 - uniform(rng) ** (1 / (k - made))) if made < k else g
        g -= fall
        s += pull(rng, arms, a) + (scale * rng.standard_exponential() - fall)
        leads = rule.exceeds(rule.terms(s, n + made), growth, level)
    return made, s, leads
