"""Claims of a paper and their checks: the keys of config/claims/<paper>.yaml.

The claims are in the paper's order. S1 is a claim about experiments, T1 a theorem, P1 a promise of
privacy, and O1 our own question, which is not counted.
"""

import math
import operator
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import MinLen
from pydantic import StringConstraints

from dpbandits.errors import InputError
from dpbandits.parameters import Words
from dpbandits.studies.things import (
    Names,
    Number,
    Reading,
    Texts,
    Thing,
)

PRIVACY, OURS = "privacy", "ours"
HOLDS, FAILS, DEGREE = "holds", "fails", "a matter of degree"
BY_CONSTRUCTION, UNDECIDED, NOTHING = "by construction", "undecided", "nothing testable"
ANSWERS = {  # each with its meaning
    HOLDS: "all numbers that it needs are on its side by two standard errors, or it is proved",
    FAILS: "a number contradicts it: by two standard errors, if it has an error",
    DEGREE: "the paper sets no number; ours is shown, with the thresholds for which it holds",
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
IN_ALL = "in all panels"  # the default rule of a claim
LARGE_IS_HARD = {"at_most", "below"}  # the larger the number, the larger a threshold must be
# Keys whose values may be slugs of `texts`.
PROSE = ("says", "place", "evidence", *STATED, "fails_under_every_candidate")
PROSE += ("cause", "threshold_because", "zero_error_because")
ClaimId = Annotated[
    str,
    StringConstraints(pattern=r"^[STPO][0-9]+$"),
    Words("S, T, P or O with a number: S1"),
]
CheckId = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Z][0-9]+(-[a-z0-9-]+)?$"),
    Words("a capital letter with a number, such as A1"),
]


def kind_of(claim: str) -> str:
    """The kind of the claim of this id: experiment, theorem, privacy, or our own question."""
    return KINDS[claim[0]]


@dataclass(frozen=True)
class Check(Thing):
    """A statement that a number can contradict, and how it is measured."""

    __test__: ClassVar = False  # pytest does not collect it
    says: str
    experiments: Names
    """Ids, or those of figures for all experiments that these draw."""
    expect: dict[str, Number | dict[str, Any] | None]
    """What holds if the statement does: a measure with its arguments, and its threshold or two, as
    in {ratio: {of: [a], to: [b]}, below: 1}. The measure is a function of dpbandits.checks,
    `general` or a paper's module there; one that compares experiments gives one verdict on all. A
    threshold of null (with `degree`) says only on which side the number is better."""
    threshold_because: str = ""
    """The threshold is ours: why it is what it is."""
    degree: str = ""
    """The paper's word where it has no number and the paper nothing to compare with: "slightly".
    The threshold is the least that the word says, such as its direction (below: 1), or null. Where
    the number is on its right side, the verdict is `a matter of degree`."""
    by_construction: str | Texts = ""
    """Why no run could contradict it; or for a reading or an experiment, or several, why not
    there."""
    needs_horizon: bool = False
    """Shorter games than the paper's do not show it: it names a round or a number of this horizon,
    or the horizon decides it. At a scale with shorter games it is not measurable."""
    cause: Texts = field(default_factory=dict)
    """For a reading or an experiment, or several ("fig4a, fig4b"), why the statement does not hold
    there, in one sentence."""
    zero_error_because: Texts = field(default_factory=dict)
    """For a reading or an experiment, or several, why the number does not depend on chance in games
    of the paper's horizon. Without it, or in shorter games, a number that is the same in all
    resamples of the runs is undecided: rarer runs may not have been drawn."""

    def __post_init__(self) -> None:
        expect = self.expect
        measures = [key for key, value in expect.items() if isinstance(value, dict)]
        known, thresholds = RELATIONS.keys(), expect.keys() - measures
        if len(measures) != 1 or known & measures or not thresholds or thresholds - known:
            remedy = "one measure, and thresholds: {ratio: {of: [a], to: [b]}, below: 1}"
            raise InputError(f"expect: should have {remedy}")
        limits = expect.get("at_least"), expect.get("at_most")
        if len(thresholds) > 1 and (None in limits or limits[0] > limits[1]):
            form = "{at_least: <low>, at_most: <high>}"
            raise InputError(f"expect: two thresholds are written {form}")
        none = [relation for relation in thresholds if expect[relation] is None]
        if none and not self.degree:
            remedy = "write a number, or the paper's word under 'degree'"
            raise InputError(f"expect: {none[0]} has no threshold; {remedy}")
        if self.degree and len(thresholds) > 1:
            remedy = "write one relation and a measure of the distance"
            raise InputError(f"degree: two thresholds have no critical one; {remedy}")
        for key in ("threshold_because", "by_construction") if self.degree else ():
            if getattr(self, key):
                raise InputError(f"degree: it excludes '{key}'; remove one of the two")

    @property
    def measure(self) -> str:
        """The measure's name."""
        return next(key for key in self.expect if key not in RELATIONS)

    @property
    def arguments(self) -> dict[str, Any]:
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
class Claim(Thing):
    """What the paper says, in our words, neither stronger nor weaker; and what checks it."""

    says: str
    place: str
    """Where the paper says it: section and paragraph, caption, theorem; or `ours`."""
    reply: str = ""
    """What an author of the paper answers, word for word, with the name; printed beside ours."""
    rule: Literal["in all panels", "in most panels"] = IN_ALL
    """Where each of its checks must hold (default: in all panels); most are more than half. The
    claim holds if all of its checks do."""
    evidence: str = ""
    """Where the two readings differ, how that is known: repository, commit, file and line, the
    drawn points, or the words "our reconstruction"."""
    same_checks: Annotated[list[CheckId], MinLen(1)] = field(default_factory=list)
    """Ids of checks of earlier claims of its kind."""
    checks: Annotated[dict[CheckId, Check], MinLen(1)] = field(default_factory=dict)
    """Its own checks."""
    proof: str | dict[Reading, str] = ""
    """Its proof in a line, or the place of it: the claim holds. This key and the next three may
    name a reading, {published: text}. They replace the checks of that reading."""
    by_construction: str | dict[Reading, str] = ""
    """Why no run could contradict it: how an experiment or a definition is made."""
    undecided: str | dict[Reading, str] = ""
    """The data that would decide it, and why they are not at hand."""
    nothing_testable: str | dict[Reading, str] = ""
    """Why it says nothing that a number or a proof could contradict."""
    fails_under_every_candidate: str = ""
    """The candidates under which it fails as well, and their page; it then fails though a check
    rests on our reconstruction."""

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
