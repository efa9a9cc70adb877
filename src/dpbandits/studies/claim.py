"""Claims of a paper and their checks: the keys of config/claims/<paper>.yaml.

The claims are in the paper's order. S1 is a claim about experiments, T1 a theorem, P1 a promise of
privacy, and O1 our own question, which is not counted.
"""

import operator
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal

from annotated_types import MinLen

from dpbandits.errors import InputError, check_known
from dpbandits.parameters import Words
from dpbandits.studies.sentences import BOUND, SENTENCES, Thresholds, criterion
from dpbandits.studies.things import (
    BOTH,
    CORRECTED,
    PUBLISHED,
    Names,
    Number,
    Reading,
    Texts,
    Thing,
)

EXPERIMENT, PRIVACY, OURS = "experiment", "privacy", "ours"
HOLDS, FAILS, DEGREE = "holds", "fails", "a matter of degree"
BY_CONSTRUCTION, UNDECIDED, NOTHING = "by construction", "undecided", "nothing testable"
PROVED, REFUTED = "proved", "refuted"
NOT_REFUTED, NO_TEXT = "not refuted", "no text"
ANSWERS = {  # of claims about experiments, each with its meaning
    HOLDS: "it is proved, each number that it needs is on its side by two standard errors, or at "
    "least one in twenty figures like the paper's, drawn from our runs, looks like it",
    FAILS: "a counterexample or a number contradicts it, by two standard errors if the number has "
    "an error, or fewer than one in twenty such figures look like it",
    DEGREE: "the paper sets neither a number nor a comparison; ours is shown, with its thresholds",
    BY_CONSTRUCTION: "the experiment or a definition makes it true, so no run could contradict it",
    UNDECIDED: "two standard errors, our reconstruction or missing data leave it open",
    NOTHING: "neither a number nor a proof could contradict it",
}
ANSWERS_TO_THEOREMS = {  # and to promises of privacy
    PROVED: "by the paper's proof, which we checked line by line, by a proof of ours, by a ledger, "
    "or by the same theorem in another paper",
    REFUTED: "by a counterexample, an exact number, an audit, or a number that contradicts it",
    NOT_REFUTED: "neither; the reason says how we tried, within the theorem's assumptions",
    NO_TEXT: "our copy of the paper has lost the statement or its formula",
    NOTHING: ANSWERS[NOTHING],
}
# What a file states of a claim in place of checks -> the answer about an experiment, to a theorem.
STATED = {
    "proof": (HOLDS, PROVED),
    "refutation": (FAILS, REFUTED),
    "by_construction": (BY_CONSTRUCTION, PROVED),
    "undecided": (UNDECIDED, NOT_REFUTED),
    "no_text": (UNDECIDED, NO_TEXT),
    "nothing_testable": (NOTHING, NOTHING),
}
# The first letter of a claim's id -> what it is.
KINDS = {"S": EXPERIMENT, "T": "theorem", "P": PRIVACY, "O": OURS}
RELATIONS = {
    "at_most": operator.le,
    "at_least": operator.ge,
    "below": operator.lt,
    "above": operator.gt,
}
LEDGER = "privacy_spent"  # the measure that compares a ledger with a promise
IN_ALL = "in all panels"  # the default criterion of a claim
WINDOWS = ("since", "until", "earlier", "later", "least", "most")  # arguments of measures
LARGE_IS_HARD = {"at_most", "below"}  # the larger the number, the larger a threshold must be
# Keys whose values may be slugs of `texts`.
PROSE = ("says", "place", "evidence", *STATED)
PROSE += ("fails_under_every_candidate", "holds_under_every_candidate")
PROSE += ("cause", "departs", "window", "zero_error_because")
ClaimId = Annotated[str, Words("S, T, P or O with a number: S1", r"^[STPO][0-9]+$")]
CheckId = Annotated[
    str, Words("a capital letter with a number, such as A1", r"^[A-Z][0-9]+(-[a-z0-9-]+)?$")
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
    sentence: str
    """The kind of the sentence, one of dpbandits.studies.sentences, whose criterion it has."""
    expect: dict[str, Number | dict[str, Any]]
    """The number that decides, as in {ratio: {of: [a], to: [b]}}: a measure with its arguments. The
    measure is a function of dpbandits.checks, `general` or a paper's module there. One that
    compares experiments gives one verdict on all. With `departs` the threshold follows: below:
    0.9."""
    number: float | None = None
    """The number that the paper prints, of which the sentence says `about` or `a limit`."""
    degree: str = ""
    """The paper's word where it has no number and the paper nothing to compare with: "slightly".
    Where the number is on its right side, the verdict is `a matter of degree`."""
    drawn_runs: int = 0
    """The sentence reports a figure that was drawn from so many runs, which nobody has. It fails if
    fewer than one in twenty figures of as many of our runs look like it."""
    departs: str = ""
    """Why the threshold under `expect` is not that of the kind of sentence."""
    window: str = ""
    """Why the number is about the rounds or values that the arguments name."""
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
        measures = [key for key in self.expect if key not in RELATIONS]
        if len(measures) != 1 or not isinstance(self.expect[measures[0]], dict):
            raise InputError("expect: should have one measure: {ratio: {of: [a], to: [b]}}")
        thresholds = self.expect.keys() - measures
        if bool(thresholds) != bool(self.departs):
            remedy = f"leave it to '{self.sentence}', or say under 'departs' why not"
            raise InputError(f"expect: a threshold is a departure; {remedy}")
        ends = [self.expect[key] for key in sorted(thresholds)]  # at_least before at_most
        if any(isinstance(end, dict) for end in ends):
            raise InputError("expect: a threshold is a number, such as {at_most: 1}")
        is_range = thresholds == {"at_least", "at_most"} and ends[0] <= ends[1]
        if len(thresholds) > 1 and not is_range:
            raise InputError(
                "expect: two thresholds are written {at_least: <low>, at_most: <high>}"
            )
        check_known("sentence", "kind of sentence", [self.sentence], SENTENCES)
        if not self.departs:
            criterion(self.sentence, self.measure, word=self.degree, number=self.number)
        chosen = [key for key in WINDOWS if key in self.arguments and self.sentence != BOUND]
        if bool(self.window) != bool(chosen):
            remedy = (
                f"say why it has '{chosen[0]}'" if chosen else "remove it: no argument chooses one"
            )
            raise InputError(f"window: {remedy}")
        for key in ("departs", "by_construction") if self.degree else ():
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
    def thresholds(self) -> Thresholds:
        """Relation -> the threshold of the measured number; infinite where a word has none."""
        if self.departs:
            return {key: self.expect[key] for key in RELATIONS if key in self.expect}
        return criterion(self.sentence, self.measure, word=self.degree, number=self.number)


@dataclass(frozen=True)
class Claim(Thing):
    """What the paper says, in our words, neither stronger nor weaker; and what checks it."""

    says: str
    place: str
    """Where the paper says it: section and paragraph, caption, theorem; or `ours`."""
    reply: str = ""
    """What an author of the paper answers, word for word, with the name; printed beside ours."""
    criterion: Literal["in all panels", "in most panels"] = IN_ALL
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
    """Its proof in a line, or the place of it: the claim holds. This key and those below may
    name a reading, {published: text}. They replace the checks of that reading."""
    by_construction: str | dict[Reading, str] = ""
    """Why no run could contradict it: how an experiment or a definition is made."""
    refutation: str | dict[Reading, str] = ""
    """Of a theorem or a promise: a counterexample, or the place of one, found in two ways."""
    undecided: str | dict[Reading, str] = ""
    """The data that would decide it, and why they are not at hand; of a theorem, how we tried."""
    no_text: str | dict[Reading, str] = ""
    """Which text our copy has lost, and what we recall of it."""
    nothing_testable: str | dict[Reading, str] = ""
    """Why it says nothing that a number or a proof could contradict."""
    fails_under_every_candidate: str = ""
    """The candidates under which it fails as well, and their page; it then fails though a check
    rests on our reconstruction."""
    holds_under_every_candidate: str = ""
    """Candidates under which it holds as well, and their page. It then holds, or a promise is
    proved, though a check rests on our reconstruction."""

    def stated_in(self, reading: str) -> dict[str, str]:
        """Key of STATED -> its text in a reading; empty if the checks answer."""
        result = {}
        for key in STATED:
            text = getattr(self, key)
            if not isinstance(text, str):
                text = next((text[one] for one in readings_in(reading) if one in text), "")
            if text:
                result[key] = text
        return result

    @property
    def all_checks(self) -> list[str]:
        """The ids of the checks that check it."""
        return [*self.same_checks, *self.checks]


def readings_in(reading: str) -> tuple[str, ...]:
    """The keys of a reading in files; either one if the paper has one reading ("both")."""
    return (PUBLISHED, CORRECTED) if reading == BOTH else (reading,)


def without_ledger(checks: Collection[Check]) -> list[str]:
    """The series of a promise's checks whose ledger none of them compares with the promise.

    By name: the ledger of one experiment counts for all.
    """
    booked = {name for check in checks if check.measure == LEDGER for name in check.series}
    return sorted({name for check in checks for name in check.series} - booked)
