"""The kinds of sentences in which papers report experiments, each with its criterion.

A check names its kind under `sentence` and its number under `expect`. The threshold follows from
both, so sentences of one kind are judged alike in all papers. docs/method.md prints the list.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from dpbandits.errors import InputError

Thresholds = Mapping[str, float]  # relation -> the threshold of the number
LESS, MORE, AT_MOST = {"below": 1.0}, {"above": 1.0}, {"at_most": 1.0}
DIGITS = 0.1  # a printed number stands for all within a tenth of it
GROWTH = 0.05  # of exponents: from T = 2^13 to 2^18 a factor of 1.19
PROMISE, BOUND = "a promise", "a bound"


@dataclass(frozen=True)
class Sentence:
    """A kind of sentence."""

    meaning: str  # as docs/method.md prints it
    thresholds: Mapping[str, Thresholds]
    """Measure -> the thresholds of its number; those of `number` are multiplied by it."""
    words: Mapping[str, Thresholds] = field(default_factory=dict)
    """The same where the paper has a word of degree and nothing to compare with. Infinite: either
    side will do."""


SENTENCES = {
    "better": Sentence(
        "less regret, or more clicks, than each of the others that it names",
        {
            "ratio": LESS,
            "ratio_between_experiments": LESS,
            "error_of_gini_over_deviation": LESS,
            "paired_ratio": MORE,
            "ratio_over_log_time": MORE,
            "exp3_loss_over_ledger": MORE,
            "local_over_global_noise": MORE,
        },
        {"harm_of_delay": LESS},
    ),
    "much better": Sentence(
        "better, and the two are not similar. Also: significantly, substantially",
        {"lead": MORE},
        {"ratio": LESS, "ratio_between_experiments": LESS},
    ),
    "similar": Sentence(
        "closer to each other, in logarithms, than either is to a third curve of the panel (in "
        "differences where a number may be 0). Also: competitive, not much worse",
        {
            "likeness": LESS,
            "likeness_of_shapes": LESS,
            "likeness_of_spreads": LESS,
            "ratio_of_log_gains": {"above": 0.5},
            "locked_in_share_less_half": {"below": 0.0},
        },
        {"ratio": {"at_most": math.inf}},
    ),
    "no worse": Sentence(
        "not more regret than the other, or than before",
        {
            "ratio": AT_MOST,
            "rise_between_experiments": AT_MOST,
            "final_over_earlier": AT_MOST,
            "price_of_privacy": AT_MOST,
        },
    ),
    "in this order": Sentence(
        "each is below the next",
        {
            "ratio": LESS,
            "rise_between_experiments": LESS,
            "later_over_earlier": LESS,
            "final_over_earlier": LESS,
            "smallest_step_of_slopes": {"above": 0.0},
        },
        {"final_over_earlier": LESS},
    ),
    "depends on": Sentence(
        "the exponent in the parameter differs from 0 in the direction that the paper names",
        {"exponent_along": {"below": 0.0}, "exponent_between_experiments": {"above": 0.0}},
        {"exponent_along": {"below": 0.0}},
    ),
    "does not depend on": Sentence(
        "this exponent is less than half of the one with which the paper contrasts it",
        {
            "exponent_over_exponent": {"at_least": -0.5, "at_most": 0.5},
            "ratio_of_exponents": {"at_least": -0.5, "at_most": 0.5},
        },
    ),
    "about": Sentence(
        "a printed number, within a tenth of it. *Ten times less* may also be more than ten times",
        {
            "ratio": {"at_most": 1 / (1 - DIGITS)},
            "final_spread": {"at_least": 1 - DIGITS, "at_most": 1 + DIGITS},
            "change_point": {"at_least": 1 - DIGITS, "at_most": 1 + DIGITS},
            "exponent_along": {"at_least": 1 - DIGITS, "at_most": 1 + DIGITS},
        },
    ),
    "a limit": Sentence(
        "a number that is printed as a limit, as printed",
        {
            "ratio_between_experiments": AT_MOST,
            "regret_at": LESS,
            "final_spread": LESS,
            "mean_of": AT_MOST,
            "crossing_of_example": AT_MOST,
            "largest_per_round_loss": AT_MOST,
        },
    ),
    "nearly always": Sentence(
        "in 99 of 100 runs. Also: with high probability",
        {"share_that_still_loses": {"at_most": 0.01}, "share_that_loses": {"at_most": 0.01}},
    ),
    "grows like": Sentence(
        "the exponent in T is at least that of the bound minus 0.05 (a factor of 1.19 from 2^13 to "
        "2^18)",
        {"growth_exponent": {"at_least": -GROWTH}},
    ),
    "saturates": Sentence(
        "the second half's share of the regret is closer to a saturating curve's than to a half",
        {"late_share_towards_linear": {"below": 0.5}},
    ),
    "the cause": Sentence(
        "without it at most half of the effect is left",
        {"difference_left": {"at_most": 0.5}},
    ),
    BOUND: Sentence(
        "the number is within the bound, at T or at all drawn rounds, as the theorem says",
        {
            "over_bound": AT_MOST,
            "growth_exponent": {"at_most": GROWTH},
            "chance_of_low_index": AT_MOST,
            "chance_of_larger_error": AT_MOST,
            "forced_over_order": AT_MOST,
        },
    ),
    PROMISE: Sentence(
        "the loss of privacy is within the promise",
        {"privacy_spent": AT_MOST, "exact_loss": AT_MOST, "loss_of_tuning": AT_MOST},
    ),
}
WITH_NUMBER = ("about", "a limit")  # kinds that need the key `number`


def criterion(sentence: str, measure: str, *, word: str, number: float | None) -> Thresholds:
    """The thresholds of a measure's number in a sentence of this kind.

    word: the paper's word of degree, without a comparator; number: the number that it prints.
    """
    kind = SENTENCES[sentence]
    known = kind.words if word else kind.thresholds
    if measure not in known:
        without = "with the key 'degree' " if word else ""
        names = ", ".join(known) or "none"
        raise InputError(f"sentence: '{sentence}' {without}is measured by {names}, not {measure}")
    if (number is not None) != (sentence in WITH_NUMBER):
        needs = "needs the" if number is None else "has no"
        raise InputError(f"sentence: '{sentence}' {needs} key 'number'")
    if number is None:
        return known[measure]
    scaled = {relation: number * factor for relation, factor in known[measure].items()}
    # Times a negative number, the larger end of a range becomes the smaller one.
    return dict(zip(sorted(scaled), sorted(scaled.values()), strict=True))
