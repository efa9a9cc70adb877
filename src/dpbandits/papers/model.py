"""What may be written in a paper file and in config/config.yaml, as pydantic models.

The JSON Schemas in workflow/schemas, by which editors complete and check the YAML files, are generated from these models
(`make schema`). A description here is what an editor shows.
"""

from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Len, MinLen
from pydantic import (
    AfterValidator,
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

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_keys(cls, content: Any) -> Any:
        if isinstance(content, dict) and cls.model_config["extra"] == "forbid":
            for key in content:
                if key not in cls.model_fields:
                    raise PydanticCustomError("unknown_key", "unknown key", {"key": key, "known": [*cls.model_fields]})
        return content

    def as_written(self) -> dict[str, Any]:
        """The keys that the file has here, and no others."""
        return self.model_dump(exclude_unset=True)


def _number(value: Any) -> int | float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
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
FIGURE_ID = r"^(fig[0-9]+[a-z]?|s-[a-z0-9-]+)$"
# The id of a figure or of an experiment; with a matrix, a pattern of ids: fig{environment}{epsilon}.
FigureId = Annotated[
    str, StringConstraints(pattern=r"^(fig[0-9]+[a-z]?|s-[a-z0-9-]+|(fig|s-)[a-z0-9-]*\{[a-z0-9{}_-]+)$")
]
ClaimId = Annotated[str, StringConstraints(pattern=r"^[A-Z][0-9]+(-[a-z0-9-]+)?$")]
Parameters = dict[str, Scalar]  # judged by the algorithm's own signature, in checking.py
Once = AfterValidator(_without_repetition)


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


# What a value of a matrix is called in ids. Written as 4, it is a number to YAML and a text here.
Key = Annotated[str, BeforeValidator(_text), StringConstraints(pattern=r"^[a-z0-9-]+$")]


class Checkpoints(Written):
    """The rounds after which a run is recorded; the last round always is."""

    first: Annotated[int, Ge(0), Field(description="The first so many rounds.")] = 0
    log: Annotated[int, Ge(0), Field(description="So many rounds, evenly spaced in log t.")] = 0
    linear: Annotated[int, Ge(0), Field(description="So many rounds, evenly spaced in t.")] = 0
    least: Annotated[int, Ge(1), Field(description="None before this round.")] = 1
    powers_of_two: bool = False
    also: list[Annotated[int, Ge(1)]] = []


class Design(Written):
    """How long, how often, and how the runs are summarised; what is left out is as in the paper's design."""

    horizon: Annotated[int, Ge(2)] = None
    runs: Annotated[int, Ge(2)] = None
    groups: Annotated[int, Ge(1), Field(description="Of runs, for the median of means.")] = None
    block: Annotated[int, Ge(1), Field(description="Runs in one simulate job.")] = None
    checkpoints: Checkpoints = None
    gmd_scale: Literal["sigma", "mean_difference", "raw"] = "sigma"
    statistic: Annotated[
        Literal["mean", "mean_std", "median_of_means"], Field(description="The paper's own; for estimator: paper.")
    ] = "mean"
    columns: Annotated[
        list[Literal["median", "locked_in"]],
        Once,
        Field(
            description="Columns of the summary beyond those of every experiment; a median is drawn beside the curves."
        ),
    ] = []
    quantity: Annotated[
        Literal["regret", "nash_regret", "ctr_ratio"],
        Field(
            description="What of a run is summarised, drawn and claimed of; regret if absent. nash_regret is one number "
            "for all runs; a summary has it beside the regret."
        ),
    ] = "regret"


class WholeDesign(Design):
    """The paper's design, from which an experiment's may differ."""

    horizon: Annotated[int, Ge(2)]
    runs: Annotated[int, Ge(2)]
    groups: Annotated[int, Ge(1), Field(description="Of runs, for the median of means.")]
    block: Annotated[int, Ge(1), Field(description="Runs in one simulate job.")]
    checkpoints: Checkpoints


class Scales(Written):
    """What is smaller at the scales that are not the paper's."""

    draft: Design = Design()
    smoke: Design = Design()


class AllScales(Scales):
    """What is smaller at the scales that are not the paper's."""

    draft: Design
    smoke: Design


class ByReading(Written):
    """A sentence for each reading."""

    published: str = ""
    corrected: str = ""


class Axis(Written):
    """What an axis shows and how; what is left out is as in the paper's axes."""

    label: str = None
    scale: Literal["linear", "log"] = None
    limits: Annotated[list[Number], Len(2, 2)] = None
    least: Annotated[Number, Field(description="Of the x axis; curves over time begin here.")] = None


class WholeAxis(Axis):
    """An axis of every panel that does not say otherwise."""

    label: str
    scale: Literal["linear", "log"]


class Axes(Written):
    """The axes of every panel that does not say otherwise."""

    x: WholeAxis
    y: WholeAxis


class AlgorithmByReading(Written):
    """The algorithm of each reading."""

    published: str
    corrected: str


class Policy(Written):
    """An algorithm with its parameters: a curve, or with `sweep` several."""

    label: Annotated[str, Field(description="In legends; {epsilon:g} is the value of the parameter epsilon.")]
    algorithm: Annotated[
        str | AlgorithmByReading,
        Field(description="A module of dpbandits.algorithms; one for each reading if they differ."),
    ]
    takes: Annotated[list[str], Field(description="Which of an experiment's parameters this policy is given.")] = []
    parameters: Parameters = {}
    published: Annotated[Parameters, Field(description="In the published reading only.")] = {}
    corrected: Annotated[Parameters, Field(description="In the corrected reading only.")] = {}
    sweep: Annotated[
        dict[str, Annotated[list[Scalar], MinLen(1), Once]],
        Len(1, 1),
        Field(
            description="One parameter and its values; each value is a series of its own, all are simulated in one job."
        ),
    ] = None


class Environment(Written):
    """What the policies play; the keys beside these are judged by the environment's own signature."""

    model_config = ConfigDict(extra="allow")

    kind: Annotated[str, Field(description="A module of dpbandits.environments.")]
    published: dict[str, Any] = {}
    corrected: dict[str, Any] = {}


def is_of_the_paper(id: str) -> bool:
    """Whether an id is that of one of the paper's own figures, fig2 or fig2a; s-... is a supplementary one of ours."""
    return id.startswith("fig")


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
        description="For every combination of these values there is one of this. {name} is the value's key in ids (of "
        "figures, experiments and series) and the value itself in title, caption and group."
    ),
]
MatrixOfExperiments = Annotated[
    dict[str, Annotated[Values | Parts, _VALUES_OR_MAPPING]],
    MinLen(1),
    Field(
        description="For every combination of these values there is an experiment, whose id has the values' keys in place "
        "of {name}. A value of `environment` is an environment's name; of anything else, the parameter of that name, or "
        "several keys of the experiment at once: {environment: two-arms, parameters: {epsilon: 1}}."
    ),
]


class Experiment(Written):
    """An environment and the policies that play it."""

    matrix: MatrixOfExperiments = None
    same_as: Annotated[
        dict[FigureId, FigureId],
        Field(description="Ids that a matrix would make, and the experiments that are there in their place already."),
    ] = {}
    environment: Annotated[
        Annotated[str, Tag("<name>")] | Annotated[Environment, Tag("<mapping>")],
        _one_of_kinds(("<name>", str), ("<mapping>", dict)),
        Field(description="The name of one of the paper's environments, or an environment written out here."),
    ] = None
    parameters: Annotated[Parameters, Field(description="Given to the policies that take them.")] = {}
    policies: Annotated[
        Annotated[list[str], MinLen(1), Once, Tag("<list>")]
        | Annotated[dict[str, Parameters], MinLen(1), Tag("<mapping>")],
        _one_of_kinds(("<mapping>", dict), ("<list>", list)),
        Field(description="Ids of policies, or a mapping from these to parameters that only this experiment changes."),
    ]
    design: Design = Design()
    scales: Scales = Scales()
    guests: Annotated[
        bool,
        Field(
            description="Whether policies of your own (config/config.yaml) may join; by default they may where the "
            "experiment is one of the paper's own figures, fig..., and not in a supplementary one, s-..."
        ),
    ] = None

    def open_to_guests(self, id: str) -> bool:
        """Whether guests may join the experiment of this id."""
        return is_of_the_paper(id) if self.guests is None else self.guests


class PanelByReading(Written):
    """What a panel has in one reading only."""

    overlay: dict[str, str] = None
    regimes: str = None
    colours: Literal["policy", "series"] = None


class Drawn(Written):
    """What a panel shows, and a figure of kind curves, which is a panel."""

    title: str = ""
    series: Annotated[
        list[str],
        MinLen(1),
        Field(
            description="The series to draw, in the order of the legend, or ids of policies for all series of each; "
            "all of the experiment's if absent."
        ),
    ] = None
    x: Axis = Axis()
    y: Axis = Axis()
    along: Annotated[
        str,
        Field(description="Draw the regret at T against this parameter of the series, not the regret against time."),
    ] = ""
    column: Annotated[
        Literal["", "median", "locked_in"],
        Field(
            description="The column of the summary to draw along a parameter, not the regret; the experiment's design "
            "asks for it."
        ),
    ] = ""
    overlay: Annotated[
        dict[str, str],
        Field(
            description="Bounds to draw as thin lines; a label for the legend, and the function of dpbandits.bounds."
        ),
    ] = {}
    regimes: Annotated[
        str, Field(description="A function of dpbandits.bounds.REGIMES: where on the x axis to draw vertical lines.")
    ] = ""
    colours: Annotated[
        Literal["policy", "series"],
        Field(description="What has a colour of its own; a policy (whose series then differ in the dash) if absent."),
    ] = "policy"
    published: PanelByReading = PanelByReading()
    corrected: PanelByReading = PanelByReading()


class Panel(Drawn):
    """One pair of axes; with a matrix, several."""

    matrix: Matrix = None
    experiment: str
    group: Annotated[
        str,
        Field(
            description="In a figure of kind bars, what is written below this panel's bars; panels of one title share "
            "their axes."
        ),
    ] = ""
    baseline: Annotated[Number, Field(description="In a figure of kind bars, the value where bars begin.")] = 0.0


class Figure(Drawn):
    """A file under figures/."""

    kind: Literal["curves", "grid", "interaction_diagram", "episodes_diagram", "growth", "bars", "contrasts"] = "curves"
    matrix: Matrix = None
    caption: str
    experiment: Annotated[
        str, Field(description="Of a figure of kind curves; the experiment of the figure's own id if absent.")
    ] = None
    columns: Annotated[int, Ge(1), Field(description="Of panels.")] = None
    panels: Annotated[
        list[
            Annotated[
                Annotated[str, Tag("<id>")] | Annotated[Panel, Tag("<panel>")],
                _one_of_kinds(("<id>", str), ("<panel>", dict)),
            ]
        ],
        MinLen(1),
        Field(description="Ids of figures of kind curves, or panels written out here."),
    ] = None


class Claim(Written):
    """A sentence of the paper, how it is measured, and what it expects of the measurement."""

    says: str
    source: str
    experiments: Annotated[
        list[str],
        MinLen(1),
        Field(description="Ids of experiments, or of figures for all experiments that these draw."),
    ]
    kind: Annotated[
        Literal["sentence", "theorem", "privacy"],
        Field(description="A sentence about the experiments, a theorem's bound, or a promise about privacy."),
    ] = "sentence"
    statistic: Annotated[
        Literal["mean", "median", "median_of_means"],
        Field(description="Over the runs; if absent, that of the experiment's design, of its quantity."),
    ] = None
    together: Annotated[
        bool,
        Field(description="One verdict on all the experiments of a reading, for a sentence that compares them."),
    ] = False
    measure: Annotated[
        dict[str, dict[str, Any]],
        Len(1, 1),
        Field(description="One predicate of dpbandits.claims and its arguments."),
    ]
    expect: Annotated[
        dict[Literal["at_most", "at_least", "below", "above"], Number],
        MinLen(1),
        Field(description="What the sentence says of the number that is measured."),
    ]
    because: Annotated[
        dict[str, str],
        Field(
            description="For a reading, or for an experiment, the reason in one sentence; shown where the claim does "
            "not hold."
        ),
    ] = {}


class Paper(Written):
    """A paper file, config/papers/<paper>.yaml."""

    paper: Annotated[str, StringConstraints(pattern=r"^[a-z]+[0-9]{4}$")]
    title: str
    authors: Annotated[list[str], MinLen(1)]
    venue: str
    link: str
    design: WholeDesign
    scales: AllScales
    readings: Annotated[
        ByReading, Field(description="What is run twice because the published figure and the text differ, in words.")
    ] = ByReading()
    reading_names: Annotated[
        ByReading,
        Field(description='What a figure says of its reading, where "published reading" would say too little.'),
    ] = ByReading()
    axes: Axes
    environments: Annotated[
        dict[str, Environment],
        Field(description="Environments that experiments name; the paper's own names, if it has some."),
    ] = {}
    policies: Annotated[dict[Slug, Policy], MinLen(1)]
    experiments: Annotated[dict[FigureId, Experiment], MinLen(1)]
    figures: Annotated[dict[FigureId, Figure], MinLen(1)]
    preview: Annotated[
        list[str],
        MinLen(1),
        Field(description="The figures whose pictures, side by side, are the paper's preview in figures/gallery."),
    ]
    claims: dict[ClaimId, Claim]


class Guest(Written):
    """A policy of your own."""

    label: Annotated[str, Field(description="In legends; {epsilon:g} is the value of the parameter epsilon.")]
    algorithm: Annotated[str, Field(description="A module of dpbandits.algorithms.")]
    takes: Annotated[list[str], Field(description="Which of an experiment's parameters it is given.")] = []
    parameters: Parameters = {}
    papers: Annotated[list[str], Field(description="Only in these papers; in all if absent.")] = None


class Minutes(Written):
    """As many runs as take about that long."""

    minutes: Annotated[Number, Gt(0)]


class Settings(Written):
    """config/config.yaml."""

    seed: Annotated[int, Ge(0), Field(description="Every random number of the runs follows from it.")]
    scale: Annotated[
        Literal["paper", "draft", "smoke"],
        Field(
            description="paper = the papers' horizons and runs; draft = a tenth or less; smoke = seconds, for tests."
        ),
    ]
    estimator: Annotated[
        Literal["default", "paper"],
        Field(description="default = median of means with Gini's mean difference; paper = each paper's own statistic."),
    ]
    block: Annotated[
        Annotated[Literal["auto"], Tag("<auto>")]
        | Annotated[int, Ge(1), Tag("<runs>")]
        | Annotated[Minutes, Tag("<minutes>")],
        _one_of_kinds(("<minutes>", dict), ("<auto>", str), ("<runs>", int)),
        Field(
            description="Runs in one simulate job; auto = as the paper files say; {minutes: 5} = as many as take about "
            "five minutes. Results do not depend on it."
        ),
    ]
    submit_above: Annotated[
        Number,
        Ge(0),
        Field(
            description="On a cluster, jobs whose estimated seconds (dpbandits.costs) are fewer run where Snakemake runs."
        ),
    ]
    formats: Annotated[
        list[Literal["pdf", "png", "svg"]], MinLen(1), Once, Field(description="File formats of the figures.")
    ]
    stamp: Annotated[
        # On the command line Snakemake takes True for a truth value and true for a text.
        Annotated[bool, Tag("<truth>")] | Annotated[Literal["true", "false"], Tag("<text>")],
        _one_of_kinds(("<text>", str), ("<truth>", bool)),
        Field(
            description="Whether the report tells the commit, the versions and how long the run took; it then differs "
            "from run to run."
        ),
    ] = False
    r6a: Annotated[
        str, Field(description="The folder with the ten files of Yahoo!'s news log R6A; empty if you have none.")
    ] = ""
    guests: Annotated[
        dict[Slug, Guest],
        Field(description="Your own policies, drawn beside ours in every main figure whose parameters they take."),
    ] = {}
