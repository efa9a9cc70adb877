"""What a paper says, and the checks of it, as a file states them."""

import operator
from typing import Annotated, Any, Literal

from annotated_types import MinLen
from pydantic import AfterValidator, StringConstraints

from dpbandits.studies.strict_yaml import Number, Written

PRIVACY, OURS = "privacy", "ours"
KINDS = {
    "S": "experiment",
    "T": "theorem",
    "P": PRIVACY,
    "O": OURS,
}  # the first letter of a claim's id -> what it is
RELATIONS = {
    "at_most": operator.le,
    "at_least": operator.ge,
    "below": operator.lt,
    "above": operator.gt,
}
Reading = Literal["published", "corrected"]
ClaimId = Annotated[str, StringConstraints(pattern=r"^[STPO][0-9]+$")]
CheckId = Annotated[str, StringConstraints(pattern=r"^[A-Z][0-9]+(-[a-z0-9-]+)?$")]


def kind_of(claim: str) -> str:
    """What the claim of this id is: about experiments, a theorem, a promise of privacy, or a question of our own."""
    return KINDS[claim[0]]


def _one_measure(expect: dict[str, Any]) -> dict[str, Any]:
    """One measure with its arguments, and one threshold or two."""
    measures = [key for key, value in expect.items() if isinstance(value, dict)]
    thresholds = expect.keys() - measures
    if (
        len(measures) != 1
        or RELATIONS.keys() & measures
        or not thresholds
        or thresholds - RELATIONS.keys()
    ):
        raise ValueError(
            "should have one measure, and thresholds: {ratio: {of: [a], to: [b]}, below: 1}"
        )
    if len(thresholds) > 1 and (
        thresholds != {"at_least", "at_most"} or expect["at_least"] > expect["at_most"]
    ):
        raise ValueError("two thresholds are written {at_least: <low>, at_most: <high>}")
    return expect


class Check(Written):
    """A statement that a number can contradict, and how it is measured."""

    __test__ = False  # it is none of pytest's

    says: str
    experiments: Annotated[
        list[str], MinLen(1)
    ]  # ids, or those of figures for all experiments that these draw
    # What is so if the statement holds: a measure with its arguments, and its threshold or two, as in {ratio: {of: [a], to: [b]},
    # below: 1}. The measure is a function of dpbandits.checks, `general` or a paper's module there; one that compares
    # experiments gives one verdict on all of them.
    expect: Annotated[dict[str, Number | dict[str, Any]], AfterValidator(_one_measure)]
    # Where the threshold is ours: the number that the words name (1 for "less than", 0 for "does not depend"). The claim is
    # undecided if half or twice the distance from it changes the verdict.
    ours_from: float = None
    # Shorter games than the paper's do not show it: it names a round or a number of this horizon, or the horizon decides it. At
    # a scale with shorter games it is not measurable.
    needs_horizon: bool = False
    cause: dict[
        str, str
    ] = {}  # for a reading or an experiment, why the statement does not hold there, in one sentence
    # For a reading or an experiment, why the number does not depend on chance. Without it, a number that is the same in all
    # resamples of the runs is undecided: rarer runs may not have been drawn.
    zero_error_because: dict[str, str] = {}

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
        """Relation -> the threshold of the measured number."""
        return {
            relation: self.expect[relation] for relation in RELATIONS if relation in self.expect
        }


class Claim(Written):
    """What the paper says, in our words, neither stronger nor weaker; and what checks it."""

    says: str
    place: str  # where the paper says it: section and paragraph, caption, theorem; or `ours`
    # Where its checks hold if it does; most are more than half.
    rule: Literal["in all panels", "in most panels"] = "in all panels"
    # Where the two readings differ, how that is known: repository, commit, file and line, the drawn points, or the words "our
    # reconstruction".
    evidence: str = ""
    same_checks: Annotated[
        list[CheckId], MinLen(1)
    ] = []  # ids of checks of earlier claims of its kind
    checks: Annotated[dict[CheckId, Check], MinLen(1)] = {}  # its own
    # Why nothing can check it: a lost number, a matter of taste; in one reading only: {published: why}.
    untested: str | dict[Reading, str] = ""
    # The candidates under which it fails as well, and their page; it then fails though a check rests on our reconstruction.
    fails_under_every_candidate: str = ""

    def untested_in(self, reading: str) -> str:
        """Why nothing can check it in a reading; "" if its checks do."""
        return self.untested if isinstance(self.untested, str) else self.untested.get(reading, "")

    @property
    def all_checks(self) -> list[str]:
        """The ids of the checks that check it."""
        return [*self.same_checks, *self.checks]
