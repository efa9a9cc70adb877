"""The permitted content of a paper file and of config/config.yaml, as pydantic models.

The JSON Schemas in workflow/schemas, by which editors complete and check the YAML files, are generated from these models
(`make schema`). Editors show the descriptions.
"""

import math
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, Len, MinLen
from pydantic import (
    AfterValidator,
    AllowInfNan,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError


class Written(BaseModel):
    """A mapping with known keys. Values are not converted: "1e5" is a text, 100.0 is no whole number, 1 is not 1.0."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, use_attribute_docstrings=True)

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_keys(cls, content: Any) -> Any:
        if isinstance(content, dict) and cls.model_config["extra"] == "forbid":
            for key in content:
                if key not in cls.model_fields:
                    raise PydanticCustomError("unknown_key", "unknown key", {"key": key, "known": [*cls.model_fields]})
        return content

    def as_written(self) -> dict[str, Any]:
        """The keys that are in the file, without defaults."""
        return self.model_dump(exclude_unset=True)


def _number(value: Any) -> int | float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -math.inf < value < math.inf:
        raise PydanticCustomError("number", "is no number")
    return value


def _scalar(value: Any) -> int | float | str | bool:
    if not isinstance(value, (int, float, str, bool)):
        raise PydanticCustomError("scalar", "is no scalar")
    return value


def _without_repetition(values: list) -> list:
    for place, value in enumerate(values):
        if any(value == other and type(value) is type(other) for other in values[:place]):
            raise PydanticCustomError("repetition", "has {value} twice; keep one", {"value": repr(value)})
    return values


Number = Annotated[Any, AfterValidator(_number), WithJsonSchema({"type": "number"})]  # 1 stays 1, and 1.0 stays 1.0
Scalar = Annotated[Any, AfterValidator(_scalar), WithJsonSchema({"type": ["number", "string", "boolean"]})]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]*$")]
STUDY_ID = r"^[a-z][a-z0-9-]*$"
FIGURE_ID = r"^[A-Za-z][A-Za-z0-9-]*$"  # s-... is a supplementary figure of ours
# The id of a figure or of an experiment; with a matrix, a pattern of ids: fig{environment}{epsilon}.
FigureId = Annotated[str, StringConstraints(pattern=r"^([A-Za-z]|\{[a-z0-9_]+\})([A-Za-z0-9-]|\{[a-z0-9_]+\})*$")]
TestId = Annotated[str, StringConstraints(pattern=r"^[A-Z][0-9]+(-[a-z0-9-]+)?$")]
SentenceId = Annotated[str, StringConstraints(pattern=r"^[STPO][0-9]+$")]
Parameters = dict[str, Scalar]  # compared with the algorithm's signature in checking.py
Once = AfterValidator(_without_repetition)


def _in_step(sweep: dict[str, list]) -> dict[str, list]:
    """The values of the first parameter name the series, so that they differ; there are as many of every other one."""
    (first, values), *others = sweep.items()
    _without_repetition(values)
    for name, found in others:
        if len(found) != len(values):
            says = f"{name} has {len(found)} values and {first} {len(values)}; write one for each of {first}'s"
            raise PydanticCustomError("keys", "{says}", {"says": says})
    return sweep


_IN_WORDS = {
    dict: "a mapping of keys to values",
    list: "a list",
    str: "a text",
    int: "a whole number",
    bool: "true or false",
}


def _one_of_kinds(*kinds: tuple[str, type]) -> Discriminator:
    """Which alternative of a union a value is, by its type."""

    def tag(value: Any) -> str | None:
        return next((tag for tag, kind in kinds if isinstance(value, kind)), None)

    expected = " or ".join(_IN_WORDS.get(kind, "something else") for _, kind in kinds)
    return Discriminator(tag, custom_error_type="alternatives", custom_error_message=f"should be {expected}")


def _text(key: Any) -> Any:
    return str(key) if type(key) is int else key


# The name of a matrix's value in ids. A key written as 4 is a number in YAML and a text here.
Key = Annotated[str, BeforeValidator(_text), StringConstraints(pattern=r"^[a-z0-9-]+$")]


# A larger number is a typing mistake: 10^30 rounds would have to be counted one by one before they are refused.
Recorded = Annotated[int, Ge(0), Le(10_000)]


class Checkpoints(Written):
    """The rounds after which a run is recorded; the last round always is."""

    first: Recorded = 0
    """Number of rounds recorded at the beginning of a run."""
    log: Recorded = 0
    """Number of rounds evenly spaced in log t."""
    linear: Recorded = 0
    """Number of rounds evenly spaced in t."""
    least: Annotated[int, Ge(1)] = 1
    """No round before this one is recorded."""
    powers_of_two: bool = False
    also: list[Annotated[int, Ge(1)]] = []


class Design(Written):
    """Horizon, number of runs, and how they are summarised; keys left out are as in the paper's design."""

    horizon: Annotated[int, Ge(2)] = None
    runs: Annotated[int, Ge(2)] = None
    most_runs: Annotated[int, Ge(2)] = None
    """The most runs of a policy that has a number of runs of its own."""
    groups: Annotated[int, Ge(1)] = None
    """The most groups of runs for the median of means. As many are taken as cut the runs into equal groups of more
    than six, so that the bound of tossou2017's Proposition 4.1 is below one sigma."""
    block: Annotated[int, Ge(1)] = None
    """Runs in one simulate job."""
    runs_of_paper: Annotated[int, Ge(2)] = None
    """The paper's own number of runs, if ours is larger; `estimator: paper` takes the first ones."""
    band: Literal["deviations", "errors"] = "deviations"
    """Around curves: Gini's mean difference of the runs below the median of means, and of those above it, or two standard
    errors."""
    checkpoints: Checkpoints = None
    statistic: Literal["mean", "mean_std", "median_of_means"] = "mean"
    """The paper's own statistic: what claims judge unless they name another, and the line of the panels that they judge.
    Elsewhere the line is the median of means."""
    columns: Annotated[list[Literal["median", "locked_in"]], Once] = []
    """Additional columns of the summary; a median is drawn beside the curves."""
    quantity: Literal["regret", "nash_regret", "ctr_ratio"] = "regret"
    """The recorded quantity that is summarised, drawn and judged; regret if absent. nash_regret is one number for all
    runs; a summary has it beside the regret."""


class WholeDesign(Design):
    """The paper's design, from which an experiment's may differ."""

    horizon: Annotated[int, Ge(2)]
    runs: Annotated[int, Ge(2)]
    groups: Annotated[int, Ge(1)]
    """The most groups of runs for the median of means."""
    block: Annotated[int, Ge(1)]
    """Runs in one simulate job."""
    checkpoints: Checkpoints


class Scales(Written):
    """Changes of the design at the smaller scales."""

    draft: Design = Design()
    smoke: Design = Design()


class AllScales(Scales):
    """Changes of the design at the smaller scales."""

    draft: Design
    smoke: Design


class ByReading(Written):
    """A text for each reading."""

    published: str = ""
    corrected: str = ""


class Axis(Written):
    """Label, scale and limits of an axis; keys left out are as in the paper's axes."""

    label: str = None
    scale: Literal["linear", "log"] = None
    limits: Annotated[list[Number], Len(2, 2)] = None
    least: Number = None
    """For the x axis, the round at which curves over time begin."""


class WholeAxis(Axis):
    """The default axis of all panels."""

    label: str
    scale: Literal["linear", "log"]


class Axes(Written):
    """The default axes of all panels."""

    x: WholeAxis
    y: WholeAxis


class AlgorithmByReading(Written):
    """The algorithm of each reading."""

    published: str
    corrected: str


class Regret(Written):
    """How a regret is counted; further keys are compared with those of the environment's `curves`."""

    model_config = ConfigDict(extra="allow")

    published: Parameters = {}
    corrected: Parameters = {}


class Policy(Written):
    """An algorithm with its parameters: one curve, or with `sweep` one for each value."""

    label: str
    """In legends; {epsilon:g} is the value of the parameter epsilon."""
    algorithm: str | AlgorithmByReading
    """A module of dpbandits.algorithms; one for each reading if they differ."""
    takes: list[str] = []
    """The parameters of the experiment that this policy receives."""
    parameters: Parameters = {}
    runs: Annotated[int, Ge(2)] = None
    """Its number of runs at the paper's scale, if not the design's; smaller scales have no more."""
    more_runs: dict[str, Annotated[int, Ge(2)]] = {}
    """Experiment -> its number of runs there, where a few runs decide the mean."""
    published: Parameters = {}
    """In the published reading only."""
    corrected: Parameters = {}
    """In the corrected reading only."""
    regret: Regret = Regret()
    """How its regret is counted, where the authors did not count all rounds against the best arm: {against: 1}, or
    {leaving_out: one_round_per_doubling}."""
    sweep: Annotated[dict[str, Annotated[list[Scalar], MinLen(1)]], MinLen(1), AfterValidator(_in_step)] = None
    """One parameter and its values; each value is a series, all are simulated in one job. Further parameters change with
    it: {epsilon: [0.1, 1], c: [0, 6]} has c = 0 at epsilon = 0.1 and c = 6 at epsilon = 1."""
    words: dict[str, str] = {}
    """What the label says in place of a parameter's value, such as the name of a variant."""
    knows_horizon: bool = False
    """Whether it plays otherwise if the game is longer, so that an earlier round of its game is no end of a shorter one."""
    audit_games: Annotated[int, Ge(1000)] = None
    """How many games measure its privacy, at the paper's scale, where its ledger is above its promise so that they may refute it."""


class Environment(Written):
    """An environment; further keys are compared with the signature of its function."""

    model_config = ConfigDict(extra="allow")

    kind: str
    """A module of dpbandits.environments, or one of a package of your own, my_package.my_bandit."""
    label: str = ""
    """In the figures of an arena; the environment's name if absent."""


def is_of_the_paper(id: str) -> bool:
    """Whether an id is that of one of the paper's own figures, such as fig2a; s-... is a supplementary one of ours."""
    return not id.startswith("s-")


class Part(Written):
    """A value of a matrix that stands for several keys of an experiment."""

    environment: str = None
    parameters: Parameters = {}
    design: Design = Design()
    scales: Scales = Scales()


Values = Annotated[list[Scalar], MinLen(1), Once, Tag("<list>")]
Words = Annotated[dict[Key, Scalar], MinLen(1), Tag("<mapping>")]
Parts = Annotated[
    dict[
        Key,
        Annotated[
            Annotated[Scalar, Tag("<value>")] | Annotated[Part, Tag("<part>")],
            _one_of_kinds(("<part>", dict), ("<value>", object)),
        ],
    ],
    MinLen(1),
    Tag("<mapping>"),
]
_VALUES_OR_MAPPING = _one_of_kinds(("<mapping>", dict), ("<list>", list))
Matrix = Annotated[
    dict[str, Annotated[Values | Words, _VALUES_OR_MAPPING]],
    MinLen(1),
    Field(
        description="One entry for every combination of these values. {name} is the value's key in ids (of "
        "figures, experiments and series) and the value itself in title, caption and group."
    ),
]


class Experiment(Written):
    """An environment and the policies that play it."""

    matrix: Annotated[dict[str, Annotated[Values | Parts, _VALUES_OR_MAPPING]], MinLen(1)] = None
    """One experiment for every combination of these values, whose id has the values' keys in place of {name}. A value of
    `environment` is an environment's name; of anything else, the parameter of that name, or several keys of the
    experiment at once: {environment: two-arms, parameters: {epsilon: 1}}."""
    same_as: dict[FigureId, FigureId] = {}
    """Ids of the matrix that are other names of existing experiments, and the ids of these."""
    environment: Annotated[
        Annotated[str, Tag("<name>")] | Annotated[Environment, Tag("<mapping>")],
        _one_of_kinds(("<name>", str), ("<mapping>", dict)),
    ] = None
    """The name of one of the paper's environments, or an environment written out here."""
    stream: FigureId = ""
    """Another experiment on the same environment, whose random numbers it has: run i has the same arms in both. In an
    arena it is a shorter or longer game of that experiment."""
    parameters: Parameters = {}
    """Passed to the policies that take them."""
    regret: Regret = Regret()
    """How the regret of all policies is counted here; a policy's own `regret` adds to it."""
    policies: Annotated[
        Annotated[list[str], MinLen(1), Once, Tag("<list>")]
        | Annotated[dict[str, Parameters], MinLen(1), Tag("<mapping>")]
        | Annotated[Literal["all"], Tag("<all>")],
        _one_of_kinds(("<mapping>", dict), ("<list>", list), ("<all>", str)),
    ]
    """Ids of policies, or a mapping from these to parameters that only this experiment changes, or all."""
    design: Design = Design()
    scales: Scales = Scales()
    guests: bool = None
    """Whether policies of your own (config/config.yaml) may join; by default they may where the experiment is one of
    the paper's own figures, and not in a supplementary one, s-..."""

    def changes(self, policies: Iterable[str]) -> dict[str, Parameters]:
        """Its policies, out of these if it has all of them, and the parameters that only this experiment changes."""
        if isinstance(self.policies, dict):
            return self.policies
        return {policy: {} for policy in (policies if self.policies == "all" else self.policies)}

    def open_to_guests(self, id: str) -> bool:
        """Whether guests may join the experiment of this id."""
        return is_of_the_paper(id) if self.guests is None else self.guests


class PanelByReading(Written):
    """Options of a panel in one reading only."""

    overlay: dict[str, str] = None
    regimes: str = None


class Drawn(Written):
    """The content of a panel; a figure of curves without `panels` is a single panel."""

    title: str = ""
    series: Annotated[list[str], MinLen(1)] = None
    """The series to draw, in the order of the legend, or ids of policies for all series of each; all of the
    experiment's if absent."""
    x: Axis = Axis()
    y: Axis = Axis()
    along: str = ""
    """Draw the regret at T against this parameter of the series, not the regret against time."""
    column: Literal["", "median", "locked_in"] = ""
    """A column of the summary to draw in place of the regret; one of the columns of the experiment's design."""
    overlay: dict[str, str] = {}
    """Bounds to draw as thin lines; a label for the legend, and a bound of dpbandits.theory."""
    regimes: str = ""
    """One of dpbandits.theory.bounds.REGIMES: where on the x axis to draw vertical lines."""
    labels: dict[str, str] = {}
    """In the legend of this panel, in place of the labels of the policies; the keys are series."""
    legend: Literal["", "upper left", "upper right", "lower left", "lower right"] = ""
    """The corner of the legend, which every panel of a grid then has for itself; chosen by matplotlib, or one legend
    below all panels that have the same series, if absent."""
    published: PanelByReading = PanelByReading()
    corrected: PanelByReading = PanelByReading()


class Panel(Drawn):
    """One pair of axes; with a matrix, several."""

    matrix: Matrix = None
    experiment: str
    group: str = ""
    """In a figure of kind points, the text below this panel's points; panels of the same title share their axes."""
    baseline: Number = 0.0
    """In a figure of kind points, a value to compare with, drawn as a line."""


class Figure(Drawn):
    """A file under figures/."""

    kind: Literal["curves", "points", "interaction_diagram", "episodes_diagram"] = "curves"
    matrix: Matrix = None
    caption: str
    experiment: str = None
    """Of curves in a single panel; the experiment of the figure's own id if absent."""
    columns: Annotated[int, Ge(1)] = None
    """Number of columns of panels."""
    panels: Annotated[
        list[
            Annotated[
                Annotated[str, Tag("<id>")] | Annotated[Panel, Tag("<panel>")],
                _one_of_kinds(("<id>", str), ("<panel>", dict)),
            ]
        ],
        MinLen(1),
    ] = None
    """Ids of figures that are a single panel, or panels written out here."""


PRIVACY, OURS = "privacy", "ours"
KINDS = {"S": "sentence", "T": "theorem", "P": PRIVACY, "O": OURS}  # the first letter of a sentence's id -> what it is


def kind_of(sentence: str) -> str:
    """What the sentence of this id is: about experiments, a theorem, a promise of privacy, or a question of our own."""
    return KINDS[sentence[0]]


RELATIONS = ("at_most", "at_least", "below", "above")


def _one_measure(expect: dict[str, Any]) -> dict[str, Any]:
    """One measure with its arguments, and one threshold or two."""
    measures = [key for key in expect if key not in RELATIONS]
    says = "should have one measure, and thresholds: {ratio: {of: [a], to: [b]}, below: 1}"
    if len(measures) != 1 or len(expect) == 1 or not isinstance(expect[measures[0]], dict):
        raise PydanticCustomError("keys", "{says}", {"says": says})
    if not all(isinstance(name, str) for name in expect[measures[0]]):
        raise PydanticCustomError("keys", "{says}", {"says": says})
    for relation in set(expect) - set(measures):
        _number(expect[relation])
    return expect


class Test(Written):
    """A statement that a number can contradict, and how it is measured."""

    __test__ = False  # it is none of pytest's

    says: str
    experiments: Annotated[list[str], MinLen(1)]
    """Ids of experiments, or of figures for all experiments that these draw."""
    statistic: Literal["mean", "median", "median_of_means"] = None
    """The statistic over the runs; if absent, that of the experiment's design, of its quantity."""
    expect: Annotated[dict[str, Any], AfterValidator(_one_measure)]
    """What is so if the statement holds: a measure with its arguments, and its threshold or two, as in {ratio: {of: [a], to: [b]},
    below: 1}. The measure is a general one of dpbandits.verdicts, or one of the paper's own module there; one that compares
    experiments gives one verdict on all of them."""
    needs_horizon: bool = False
    """Shorter games than the paper's do not show it: it names a round or a number of this horizon, or the horizon
    decides it. At a scale with shorter games it is not measurable."""
    cause: dict[str, str] = {}
    """For a reading or an experiment, the cause in one sentence; shown where the statement does not hold."""
    zero_error_because: dict[str, str] = {}
    """For a reading or an experiment, why the number does not depend on chance. Without it, a number that is the same
    in all resamples of the runs is undecided: rarer runs may not have been drawn."""

    @property
    def measure(self) -> str:
        """The measure's name."""
        return next(key for key in self.expect if key not in RELATIONS)

    @property
    def arguments(self) -> dict[str, Any]:
        """The measure's arguments."""
        return self.expect[self.measure]

    @property
    def thresholds(self) -> dict[str, float]:
        """Relation -> the threshold of the measured number."""
        return {relation: self.expect[relation] for relation in RELATIONS if relation in self.expect}


class Sentence(Written):
    """What the paper says, in our words, neither stronger nor weaker; and what tests it."""

    says: str
    place: str
    """Where the paper says it: section and paragraph, caption, theorem; or `ours`."""
    rule: Literal["in all panels", "on average", "in most panels", "somewhere"] = "in all panels"
    """When it holds: if all verdicts of its tests do, if the mean of their numbers respects their common threshold, if more
    than half of the verdicts do, or if one does."""
    evidence: str = ""
    """Where the two readings differ, how that is known: repository, commit, file and line, the drawn points, or the words
    "our reconstruction"."""
    same_tests: Annotated[list[TestId], MinLen(1), Once] = []
    """Tests that stand in an earlier sentence of the same kind and test this one, too."""
    tests: Annotated[dict[TestId, Test], MinLen(1)] = {}
    """Its own tests."""
    untested: str = ""
    """Why nothing can test it: a lost number, a matter of taste."""

    @property
    def all_tests(self) -> list[str]:
        """The ids of the tests that test it."""
        return [*self.same_tests, *self.tests]


Epsilons = Annotated[list[Annotated[Number, Gt(0)]], MinLen(1), Once]
Scored = Annotated[list[str], MinLen(1), Once]


class SmallerArena(Written):
    """Fewer epsilons and experiments at a smaller scale."""

    epsilons: Epsilons = None
    experiments: Scored = None


class Arena(Written):
    """What is scored: every policy on these experiments, with one series for each epsilon if it takes epsilon."""

    about: str = ""
    """What the report says first of it."""
    epsilons: Epsilons
    experiments: Scored = None
    """The experiments that are scored, each with its shorter and longer games; all if absent."""
    draft: SmallerArena = SmallerArena()
    smoke: SmallerArena = SmallerArena()
    yardstick: str
    """The policy whose regret is the unit of scores."""
    left_out: dict[str, dict[str, str]] = {}
    """Policy, experiment, and why the policy does not play it."""


OF_A_PAPER = ("paper", "authors", "venue", "link", "axes", "figures", "preview")


class Paper(Written):
    """A study: a paper, config/papers/<paper>.yaml, or an arena, config/<arena>.yaml, in which policies are scored."""

    model_config = ConfigDict(
        json_schema_extra={"if": {"not": {"required": ["arena"]}}, "then": {"required": [*OF_A_PAPER]}}
    )

    paper: Annotated[str, StringConstraints(pattern=r"^[a-z]+[0-9]{4}$")] = None
    title: str
    authors: Annotated[list[str], MinLen(1)] = []
    venue: str = ""
    link: str = ""
    design: WholeDesign
    scales: AllScales
    readings: ByReading = ByReading()
    """For each reading, what it runs where the published figures and the text differ."""
    reading_names: ByReading = ByReading()
    """Names of the readings in the figures, where "published reading" is not precise enough."""
    axes: Axes = None
    arena: Arena = None
    environments: dict[str, Environment] = {}
    """Environments by name, which experiments refer to; the paper's own names, if it has some."""
    policies: Annotated[dict[Slug, Policy], MinLen(1)]
    experiments: Annotated[dict[FigureId, Experiment], MinLen(1)]
    figures: Annotated[dict[FigureId, Figure], MinLen(1)] = {}
    preview: Annotated[list[str], MinLen(1)] = []
    """The figures shown side by side in the paper's preview in figures/gallery."""
    sentences: dict[SentenceId, Sentence] = {}
    """All that the paper says about its experiments, in its order, with the tests of each: S1 a sentence, T1 a theorem, P1 a
    promise of privacy; O1 a question of ours, which counts for nobody."""

    @model_validator(mode="after")
    def _is_a_paper_or_an_arena(self) -> "Paper":
        """Only an arena may lack authors and figures, and it has figures of its own."""
        given = self.model_fields_set
        if self.arena is None and (missing := [key for key in OF_A_PAPER if key not in given]):
            raise PydanticCustomError("keys", "{says}", {"says": f"'{missing[0]}' is missing; add it"})
        if self.arena and (drawn := given & {"figures", "preview"}):
            says = f"{min(drawn)}: an arena has figures of its own; remove this key"
            raise PydanticCustomError("keys", "{says}", {"says": says})
        return self


class Guest(Written):
    """A policy of your own."""

    label: str
    """In legends; {epsilon:g} is the value of the parameter epsilon."""
    algorithm: str
    """A module of dpbandits.algorithms, or one of a package of your own, my_package.my_ucb."""
    takes: list[str] = None
    """The parameters of an experiment that it receives; if absent, those that the algorithm has no default for."""
    parameters: Parameters = {}
    """Values of its other parameters, the same in every experiment."""
    papers: list[str] = None
    """Only in these papers; in all if absent."""


PositiveNumbers = Annotated[list[Annotated[float, Gt(0), AllowInfNan(False)]], MinLen(1), Once]


class Effort(Written):
    """How much is played to measure privacy at one scale."""

    epsilons: PositiveNumbers
    """Each policy at those at which a figure shows it, or at all if that is none."""
    games: Annotated[int, Ge(1000)]
    """Games on two neighbouring inputs together."""
    reports: Annotated[int, Ge(1000)]
    """Reports of users with either reward together (local privacy)."""


class Audit(Written):
    """How much is played to measure privacy, at each scale."""

    paper: Effort
    draft: Effort
    smoke: Effort


# On the command line Snakemake reads True as a boolean and true as a text.
TrueOrFalse = Annotated[
    Annotated[bool, Tag("<truth>")] | Annotated[Literal["true", "false"], Tag("<text>")],
    _one_of_kinds(("<text>", str), ("<truth>", bool)),
]


class Settings(Written):
    """config/config.yaml."""

    seed: Annotated[int, Ge(0)]
    """Every random number of the runs follows from it."""
    scale: Literal["paper", "draft", "smoke"]
    """paper = the papers' horizons and runs; draft = a tenth or less; smoke = seconds, for tests."""
    estimator: Literal["default", "paper"]
    """default = median of means with Gini's mean difference; paper = each paper's own statistic."""
    block: Annotated[
        Annotated[Literal["auto"], Tag("<auto>")] | Annotated[int, Ge(1), Tag("<runs>")],
        _one_of_kinds(("<auto>", str), ("<runs>", int)),
    ]
    """Runs in one simulate job; auto = as the paper files say. Results do not depend on it."""
    submit_above: Annotated[int, Ge(0)]
    """On a cluster, simulations that play fewer rounds run where Snakemake runs."""
    formats: Annotated[list[Literal["pdf", "png", "svg"]], MinLen(1), Once]
    """File formats of the figures."""
    published_points: TrueOrFalse = True
    """Whether figures of the published reading show what the authors drew, where it is known as numbers, as circles."""
    audit: Audit
    """The games that measure privacy (docs/audit.md)."""
    r6a: str = ""
    """The folder with the ten files of Yahoo!'s news log R6A; empty if you have none."""
    guests: dict[Slug, Guest] = {}
    """Your own policies, drawn beside ours in every main figure whose parameters they take."""
