"""The permitted content of a paper file, as pydantic models, whose docstrings and descriptions editors show.

The JSON Schemas in workflow/schemas, by which editors complete and check the YAML files, are generated from these models and
those of `settings` (`make schema`).
"""

import math
from typing import Annotated, Literal, Self

from annotated_types import Ge, Gt, Le, Len, MinLen
from pydantic import AfterValidator, ConfigDict, model_validator

from dpbandits.statistics.estimators import number_of_groups
from dpbandits.studies.sentence import Reading, Sentence, SentenceId
from dpbandits.studies.strict_yaml import (
    FigureId,
    Key,
    Matrix,
    Names,
    Number,
    Once,
    Parameters,
    Scalar,
    Slug,
    Values,
    Written,
    check_has,
    in_step,
)

Runs = Annotated[int, Ge(2)]
InReadings = dict[str, Scalar | dict[Reading, Scalar]]

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
    also: list[Annotated[int, Ge(1)]] = []
    """Further rounds."""

    def rounds(self, horizon: int) -> tuple[int, ...]:
        """The rounds of a game of this length."""
        chosen = {horizon, *range(1, self.first + 1), *self.also}
        chosen |= {round(math.exp(math.log(horizon) * i / self.log)) for i in range(1, self.log + 1)}
        chosen |= {round(horizon * i / self.linear) for i in range(1, self.linear + 1)}
        return tuple(sorted(t for t in chosen if self.least <= t <= horizon))


class Design(Written):
    """Horizon, number of runs, and how they are summarised; keys left out are as in the paper's design."""

    horizon: Annotated[int, Ge(2)] = None
    runs: Runs = None
    groups: Annotated[int, Ge(1)] = None
    """Groups of runs for the median of means: equal ones of more than six runs, so that the bound of tossou2017's Proposition 4.1
    is below one sigma. For fewer runs the number is lowered (estimators.number_of_groups)."""
    block: Annotated[int, Ge(1)] = None
    """Runs in one simulate job."""
    runs_of_paper: Runs = None
    """The paper's own number of runs, if ours is larger; `estimator: paper` takes the first ones."""
    band: Literal["deviations", "errors"] = "deviations"
    """Around curves: Gini's mean difference of the runs below the median of means, and of those above it, or two standard
    errors."""
    checkpoints: Checkpoints = None
    statistic: Literal["mean", "mean_std", "median_of_means"] = "mean"
    """The paper's own statistic: what tests judge unless they name another, and the line of the panels that they judge.
    Elsewhere the line is the median of means, or with `band: errors` the mean."""
    columns: Annotated[list[Literal["median", "locked_in"]], Once] = []
    """Additional columns of the summary; a median is drawn beside the curves."""
    quantity: Literal["regret", "nash_regret", "ctr_ratio"] = "regret"
    """The recorded quantity that is summarised, drawn and judged; regret if absent. nash_regret is one number for all
    runs; a summary has it beside the regret."""


def _groups_fit(design: Design) -> Design:
    """The groups that a file states are those that are drawn."""
    runs, groups = design.runs, design.groups
    if runs and groups and groups != (most := number_of_groups(runs, groups)):
        raise ValueError(
            f"{groups} equal groups of more than 6 runs cannot be made of {runs} runs; write groups: {most}, or runs: "
            f"{7 * groups} or more, a multiple of {groups}"
        )
    return design


def _whole(design: Design) -> Design:
    check_has(design.model_fields_set, ("horizon", "runs", "groups", "block", "checkpoints"))
    return design


Changes = Annotated[Design, AfterValidator(_groups_fit)]  # of the paper's design


class Axis(Written):
    """Label, scale and limits of an axis; keys left out are as in the paper's axes."""

    label: str = None
    scale: Literal["linear", "log"] = None
    limits: Annotated[list[Number], Len(2, 2)] = None


class XAxis(Axis):
    """The x axis."""

    least: Number = None
    """The round at which curves over time begin."""


class Axes(Written):
    """The default axes of all panels."""

    x: XAxis
    y: Axis


class Policy(Written):
    """An algorithm with its parameters: one curve, or with `sweep` one for each value. What differs between the readings, or is
    in one of them only, is a mapping: {alpha: {published: 2.4, corrected: 3.1}}."""

    label: str
    """In legends; {epsilon:g} is the value of the parameter epsilon."""
    algorithm: str | dict[Reading, str]
    """A module of dpbandits.algorithms."""
    takes: list[str] = []
    """The parameters of the experiment that this policy receives."""
    parameters: InReadings = {}
    runs: Runs = None
    """Its number of runs at the paper's scale, if not the design's; smaller scales have no more."""
    more_runs: dict[str, Runs] = {}
    """Experiment -> its number of runs there, where a few runs decide the mean."""
    regret: InReadings = {}
    """How its regret is counted, where the authors did not count all rounds against the best arm: {against: 1}, or
    {leaving_out: one_round_per_doubling}; keyword parameters of the environment's `curves`."""
    sweep: Annotated[dict[str, Annotated[list[Scalar], MinLen(1)]], MinLen(1), AfterValidator(in_step)] = None
    """One parameter and its values; each value is a series, all are simulated in the same jobs. Further parameters change with
    it: {epsilon: [0.1, 1], c: [0, 6]} has c = 0 at epsilon = 0.1 and c = 6 at epsilon = 1."""
    knows_horizon: bool = False
    """Whether its first t rounds depend on the horizon; if not, an earlier round of its game is the end of a shorter one."""
    reconstructed: Annotated[list[Reading], Once] = []
    """The readings in which it is our reconstruction: chosen so that most sentences hold, or from drawn points alone. A sentence about
    experiments that fails only through it is untested there."""
    audit_games: Annotated[int, Ge(1000)] = None
    """How many games measure its privacy, at the paper's scale, where its ledger is above its promise so that they may refute it."""


class Environment(Written):
    """An environment; further keys are compared with the signature of its function."""

    model_config = ConfigDict(extra="allow")

    kind: str
    """A module of dpbandits.environments, or one of a package of your own, my_package.my_bandit."""
    label: str = ""
    """In the figures of an arena; the environment's name if absent."""


class Part(Written):
    """A value of a matrix that stands for several keys of an experiment."""

    environment: str = None
    parameters: Parameters = {}
    """Passed to the policies that take them."""
    design: Changes = Design()
    smoke: Changes = Design()
    """Changes of the design at the smoke scale."""

    def with_part(self, part: "Part") -> Self:
        """This with what a value of a matrix changes."""
        changed = {
            "environment": part.environment or self.environment,
            "parameters": {**self.parameters, **part.parameters},
            "design": self.design.changed(part.design),
            "smoke": self.smoke.changed(part.smoke),
        }
        return self.model_copy(update=changed)


class Experiment(Part):
    """An environment and the policies that play it."""

    matrix: Annotated[dict[str, Values | Annotated[dict[Key, Scalar | Part], MinLen(1)]], MinLen(1)] = None
    """One experiment for every combination of these values, whose id has the values' keys in place of {name}. A value of
    `environment` is an environment's name; of anything else, the parameter of that name, or several keys of the
    experiment at once: {environment: two-arms, parameters: {epsilon: 1}}."""
    environment: str | Environment = None
    """The name of one of the paper's environments, or an environment written out here."""
    stream: FigureId = ""
    """Another experiment on the same environment, whose random numbers it has: run i has the same arms in both. In an
    arena it is a shorter or longer game of that experiment."""
    regret: InReadings = {}
    """How the regret of all policies is counted here; a policy's own `regret` adds to it."""
    policies: Names | Annotated[dict[str, Parameters], MinLen(1)] | Literal["all"]
    """Ids of policies, or a mapping from these to parameters that only this experiment changes, or all."""
    runs: Runs = None
    """The most runs of a policy that has a number of runs of its own."""
    reconstructed: str = ""
    """What in it is ours (an instance, a log; a horizon or an epsilon if another one reverses a verdict). A sentence
    that fails only here is untested."""


def is_of_the_paper(id: str) -> bool:
    """Whether an id is that of one of the paper's own figures, such as fig2a; s-... is a supplementary one of ours."""
    return not id.startswith("s-")


class Drawn(Written):
    """The content of a panel; a figure of curves without `panels` is a single panel."""

    title: str = ""
    series: Annotated[list[str], MinLen(1)] = None
    """The series to draw, in the order of the legend, or ids of policies for all series of each; all of the
    experiment's if absent."""
    x: XAxis = XAxis()
    y: Axis = Axis()
    along: str = ""
    """Draw the regret at T against this parameter of the series, not the regret against time."""
    column: Literal["", "locked_in"] = ""
    """A column of the summary to draw in place of the regret; one of the columns of the experiment's design."""
    overlay: dict[str, str] = {}
    """Bounds to draw as thin lines; a label for the legend, and a bound of dpbandits.theory."""
    regimes: str = ""
    """One of dpbandits.theory.bounds.REGIMES: where on the x axis to draw vertical lines."""
    labels: dict[str, str] = {}
    """In the legend of this panel, in place of the labels of the policies; the keys are series, along a parameter the first of a line."""


class Panel(Drawn):
    """One pair of axes; with a matrix, several. {name} is the value's key in ids and the value itself in title and group."""

    matrix: Matrix = None
    experiment: str
    group: str = ""
    """In a figure of kind points, the text below this panel's points; panels of the same title share their axes."""
    baseline: Number = 0.0
    """In a figure of kind points, a value to compare with, drawn as a line."""


class Figure(Drawn):
    """A file under figures/; with a matrix, one for every combination."""

    kind: Literal["curves", "points", "interaction_diagram", "episodes_diagram"] = "curves"
    matrix: Matrix = None
    caption: str
    experiment: str = None
    """Of curves in a single panel; the experiment of the figure's own id if absent."""
    columns: Annotated[int, Ge(1)] = None
    """Number of columns of panels."""
    panels: Annotated[list[str | Panel], MinLen(1)] = None
    """Ids of figures that are a single panel, or panels written out here."""


Epsilons = Annotated[list[Annotated[Number, Gt(0)]], MinLen(1), Once]


class SmallerArena(Written):
    """Fewer epsilons and experiments at the smaller scale."""

    epsilons: Epsilons = None
    experiments: Names = None


class Arena(Written):
    """What is scored: every policy on every experiment, with one series for each epsilon if it takes epsilon."""

    about: str = ""
    """What the report says first of it."""
    epsilons: Epsilons
    smoke: SmallerArena = SmallerArena()
    yardstick: str
    """The policy whose regret is the unit of scores."""
    left_out: dict[str, dict[str, str]] = {}
    """Policy -> experiment -> why it does not play there."""


OF_A_PAPER = ("authors", "venue", "link", "axes", "figures", "preview")


class Study(Written):
    """A study: a paper, config/papers/<paper>.yaml, or an arena, config/<arena>.yaml, in which policies are scored."""

    model_config = ConfigDict(
        json_schema_extra={"if": {"not": {"required": ["arena"]}}, "then": {"required": [*OF_A_PAPER]}}
    )

    title: str
    authors: Annotated[list[str], MinLen(1)] = []
    venue: str = ""
    link: str = ""
    design: Annotated[Changes, AfterValidator(_whole)]
    smoke: Changes = Design()
    """Changes of the design at the smoke scale."""
    readings: dict[Reading, str] = {}
    """For each reading, what it runs where the published figures and the text differ."""
    reading_names: dict[Reading, str] = {}
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

    @property
    def independent(self) -> list[str]:
        """The experiments that have random numbers of their own."""
        return [id for id, experiment in self.experiments.items() if not experiment.stream]

    @model_validator(mode="after")
    def _is_a_paper_or_an_arena(self) -> "Study":
        """Only an arena may lack authors and figures, and it has figures of its own."""
        given = self.model_fields_set
        check_has(given, () if self.arena else OF_A_PAPER)
        if self.arena and (drawn := given & {"figures", "preview"}):
            raise ValueError(f"{min(drawn)}: an arena has figures of its own; remove this key")
        return self
