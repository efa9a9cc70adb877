"""The claims of a paper, and their checks. `claim_entries` explains the keys of the file."""

import math
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dpbandits.studies.entries import Reading

PRIVACY, OURS = "privacy", "ours"
HOLDS, FAILS, DEGREE = "holds", "fails", "a matter of degree"
BY_CONSTRUCTION, UNDECIDED, NOTHING = "by construction", "undecided", "nothing testable"
ANSWERS = {  # each with its meaning
    HOLDS: "all numbers that it needs are on its side by two standard errors, or it is proved",
    FAILS: "a number contradicts it by two standard errors",
    DEGREE: "its word has no number; ours stands here, with the thresholds for which it holds",
    BY_CONSTRUCTION: "no run could contradict it",
    UNDECIDED: "two standard errors, our reconstruction or missing data leave it open",
    NOTHING: "neither a number nor a proof could contradict it",
}
# What a file states of a claim in place of checks -> the answer.
STATED = {
    "proof": HOLDS,
    "by_construction": BY_CONSTRUCTION,
    "undecided": UNDECIDED,
    "nothing_testable": NOTHING,
}
# The first letter of a claim's id -> what it is.
KINDS = {"S": "experiment", "T": "theorem", "P": PRIVACY, "O": OURS}
RELATIONS = {
    "at_most": operator.le,
    "at_least": operator.ge,
    "below": operator.lt,
    "above": operator.gt,
}
LARGE_IS_HARD = {"at_most", "below"}  # the larger the number, the larger a threshold must be


def kind_of(claim: str) -> str:
    """The kind of the claim of this id: experiment, theorem, privacy, or our own question."""
    return KINDS[claim[0]]


@dataclass(frozen=True)
class Check:
    """A statement that a number can contradict, and how it is measured."""

    __test__ = False  # it is none of pytest's

    says: str
    experiments: Sequence[str]
    expect: Mapping[str, Any]
    ours_from: float | None = None
    threshold_because: str = ""
    degree: str = ""
    by_construction: str | Mapping[str, str] = ""
    needs_horizon: bool = False
    cause: Mapping[str, str] = field(default_factory=dict)
    zero_error_because: Mapping[str, str] = field(default_factory=dict)

    @property
    def measure(self) -> str:
        """The measure's name."""
        return next(key for key in self.expect if key not in RELATIONS)

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The measure's arguments."""
        return self.expect[self.measure]

    @property
    def series(self) -> list[str]:
        """The series that it measures, or policies, of which it measures all series."""
        named = [self.arguments.get(key, []) for key in ("of", "to", "minus")]
        return [name for names in named for name in (names if isinstance(names, list) else [names])]

    @property
    def thresholds(self) -> dict[str, float]:
        """Relation -> the threshold of the measured number; infinite where a word has none."""
        result = {}
        for relation in RELATIONS:
            if relation in self.expect:
                none = math.inf if relation in LARGE_IS_HARD else -math.inf
                threshold = self.expect[relation]
                result[relation] = none if threshold is None else threshold
        return result


@dataclass(frozen=True)
class Claim:
    """A statement of the paper, and its checks."""

    says: str
    place: str
    rule: str = "in all panels"
    evidence: str = ""
    same_checks: Sequence[str] = ()
    checks: Mapping[str, Check] = field(default_factory=dict)
    proof: str | Mapping[Reading, str] = ""
    by_construction: str | Mapping[Reading, str] = ""
    undecided: str | Mapping[Reading, str] = ""
    nothing_testable: str | Mapping[Reading, str] = ""
    fails_under_every_candidate: str = ""
    reply: str = ""

    def stated_in(self, reading: str) -> dict[str, str]:
        """Key of STATED -> its text in a reading; empty if the checks answer."""
        texts = {key: getattr(self, key) for key in STATED}
        texts = {
            key: text if isinstance(text, str) else text.get(reading, "")
            for key, text in texts.items()
        }
        return {key: text for key, text in texts.items() if text}

    @property
    def all_checks(self) -> list[str]:
        """The ids of the checks that check it."""
        return [*self.same_checks, *self.checks]
