"""A paper file, validated, as plain dataclasses: the vocabulary of everything above.

A paper is reproduced in up to two readings. A policy whose parameters differ between them is simulated twice, in the
experiments `fig2a` (published) and `fig2a.corrected`; a policy that is the same in both is simulated once, in `fig2a`,
and both experiments refer to that trace.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import jsonschema
import yaml

from dpbandits.errors import InputError, nearest

PUBLISHED, CORRECTED = "published", "corrected"


@dataclass(frozen=True)
class Series:
    """One curve: an algorithm with all its parameters."""

    id: str
    label: str
    algorithm: str
    parameters: Mapping[str, Any]
    policy: str
    variant: int  # position in the policy's sweep; 0 where there is none


@dataclass(frozen=True)
class Policy:
    """One or (a sweep) several series that are simulated in one job; `home` is the experiment whose traces they are."""

    id: str
    home: str
    series: tuple[Series, ...]


@dataclass(frozen=True)
class Design:
    """How long, how often, and how it is summarised."""

    horizon: int
    runs: int
    groups: int
    block: int
    checkpoints: tuple[int, ...]
    statistic: str
    gmd_scale: str
    columns: tuple[str, ...] = ()  # of the summary, beyond those that every experiment has
    quantity: str = "regret"  # what of a run is summarised, drawn and claimed of, where nothing else is said


@dataclass(frozen=True)
class Experiment:
    """An environment, the policies that play it, and the design, in one reading."""

    id: str
    base: str
    reading: str
    paper: str
    environment: Mapping[str, Any]
    policies: tuple[Policy, ...]
    design: Design

    @property
    def series(self) -> dict[str, Series]:
        """All series in the order of the legend."""
        return {series.id: series for policy in self.policies for series in policy.series}

    def policy(self, policy: str) -> Policy:
        """The policy of that id."""
        return next(p for p in self.policies if p.id == policy)

    def spec(self, policy: str, seed: int) -> dict[str, Any]:
        """All that a simulation of a policy depends on, as plain data."""
        it = self.policy(policy)
        return {
            "paper": self.paper,
            "experiment": it.home,
            "stream": self.base,
            "policy": it.id,
            "environment": dict(self.environment),
            "horizon": self.design.horizon,
            "checkpoints": list(self.design.checkpoints),
            "series": {s.id: {"algorithm": s.algorithm, "parameters": dict(s.parameters)} for s in it.series},
            "seed": seed,
        }


@dataclass(frozen=True)
class Panel:
    """One pair of axes: which series of which experiment, and how the axes look."""

    title: str
    experiment: str
    series: tuple[str, ...]
    x: Mapping[str, Any]
    y: Mapping[str, Any]
    along: str = ""  # the parameter on the x axis, for final regrets of a sweep; "" for regret against time
    overlay: Mapping[str, str] = field(default_factory=dict)  # label -> a theorem's bound, drawn as a thin line
    column: str = ""  # of the summary: what is drawn along the parameter; "" for the regret
    group: str = ""  # of bars: what this panel's bars are called, below the axis
    baseline: float = 0.0  # of bars: where they begin
    regimes: str = ""  # one of theory.bounds.REGIMES: where on the x axis the theory sees a change
    colours: str = "policy"  # what has a colour of its own: a policy, whose series differ in the dash, or every series


@dataclass(frozen=True)
class Figure:
    """A file under figures/: its kind, its panels, and its reading ("" where there is only one)."""

    id: str
    kind: str
    reading: str
    reading_name: str  # what the figure says of its reading
    title: str
    caption: str
    columns: int
    panels: tuple[Panel, ...]

    @property
    def experiments(self) -> list[str]:
        """The experiments whose summaries it draws."""
        return list(dict.fromkeys(panel.experiment for panel in self.panels))


@dataclass(frozen=True)
class Claim:
    """Something the paper says, the measure that tests it, and what it expects of the number."""

    id: str
    says: str
    source: str
    experiments: tuple[str, ...]  # base ids; each is judged in every reading that it has
    statistic: str
    predicate: str
    arguments: Mapping[str, Any]
    expect: Mapping[str, float]
    because: Mapping[str, str]
    together: bool = False  # one verdict on all experiments of a reading, not one on each
    kind: str = "sentence"  # or theorem, or privacy


@dataclass(frozen=True)
class Paper:
    """A paper file."""

    id: str
    file: str
    title: str
    authors: tuple[str, ...]
    venue: str
    link: str
    readings: Mapping[str, str]
    experiments: Mapping[str, Experiment]
    figures: Mapping[str, Figure]
    preview: tuple[str, ...]
    claims: tuple[Claim, ...]

    def readings_of(self, base: str) -> list[Experiment]:
        """An experiment in every reading that it has, the published one first."""
        return [e for e in self.experiments.values() if e.base == base]


def load(
    path: str | Path, schema: str | Path, scale: str = "paper", guests: Mapping[str, Mapping] | None = None
) -> Paper:
    """Read and validate a paper file for one scale; `guests` are policies that join every main figure's experiment."""
    file = str(path)
    raw = validated(read_yaml(path), schema, file)
    raw["guests"] = {
        name: it for name, it in (guests or {}).items() if raw["paper"] in it.get("papers", [raw["paper"]])
    }
    for name in raw["guests"].keys() & raw["policies"].keys():
        raise InputError(
            f"config/config.yaml: guests: '{name}' is a policy of {raw['paper']} already; choose another name"
        )
    raw["policies"] |= raw["guests"]
    if raw["paper"] != Path(path).stem:
        raise InputError(f"{file}: paper: '{raw['paper']}' should be '{Path(path).stem}', as the file is called")
    experiments: dict[str, Experiment] = {}
    for base, what in raw["experiments"].items():
        for experiment in _experiments(raw, base, what, scale, file):
            experiments[experiment.id] = experiment
    figures = {f.id: f for name, what in raw["figures"].items() for f in _figures(raw, name, what, experiments, file)}
    for name in raw["preview"]:
        if name not in figures:
            raise InputError(f"{file}: preview: unknown figure '{name}'; {nearest(name, figures)}")
    return Paper(
        id=raw["paper"],
        file=file,
        title=raw["title"],
        authors=tuple(raw["authors"]),
        venue=raw["venue"],
        link=raw["link"],
        readings=raw.get("readings", {}),
        experiments=experiments,
        figures=figures,
        preview=tuple(raw["preview"]),
        claims=tuple(_claim(name, what, raw, file) for name, what in raw["claims"].items()),
    )


def instead(paper: Paper, kind: str, environment: Mapping[str, Any], keep: tuple[str, ...] = ()) -> Paper:
    """The paper with another environment for all experiments of this kind, which keeps some keys of the old one."""
    experiments = {
        name: replace(it, environment={**environment, **{key: it.environment[key] for key in keep}})
        if it.environment["kind"] == kind
        else it
        for name, it in paper.experiments.items()
    }
    return replace(paper, experiments=experiments)


class _StrictLoader(yaml.SafeLoader):
    """YAML in which a key may stand only once."""

    def construct_mapping(self, node, deep=False):
        merge = "tag:yaml.org,2002:merge"
        keys = [self.construct_object(key, deep=True) for key, _ in node.value if key.tag != merge]
        for key in keys:
            if keys.count(key) > 1:
                line = node.start_mark.line + 1
                raise InputError(f"{self.name}: key '{key}' stands twice in the block at line {line}; keep one of them")
        return super().construct_mapping(node, deep)


def read_yaml(path: str | Path) -> Any:
    """The content of a YAML file; what is wrong with it, if anything, in one line."""
    try:
        with open(path, encoding="utf-8") as file:
            return yaml.load(file, _StrictLoader)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not a text in UTF-8 ({error.reason}); save it as UTF-8") from None
    except (yaml.YAMLError, ValueError, TypeError) as error:
        if isinstance(error, InputError):
            raise
        mark = getattr(error, "problem_mark", None)
        place = f", line {mark.line + 1}" if mark else ""
        raise InputError(f"{path}{place}: not valid YAML: {getattr(error, 'problem', None) or error}") from None


def validated(content: Any, schema: str | Path, file: str) -> Any:
    """`content` if it complies with the JSON schema; else one message with file, key, value and remedy."""
    checker = _Validator(read_yaml(schema))
    error = min(checker.iter_errors(content), key=lambda e: (len(e.absolute_path), str(e.absolute_path)), default=None)
    if error is None:
        return content
    key = ".".join(map(str, error.absolute_path))
    where = f"{file}: {key}" if key else file
    value, rule = error.instance, error.validator_value
    if error.validator == "additionalProperties" and isinstance(value, Mapping):
        unknown = next(name for name in value if name not in error.schema.get("properties", {}))
        raise InputError(f"{where}: unknown key '{unknown}'; {nearest(unknown, error.schema.get('properties', {}))}")
    if error.validator == "required":
        missing = [name for name in rule if name not in value]
        raise InputError(f"{where}: '{missing[0]}' is missing; add it")
    if error.validator == "type":
        kinds = rule if isinstance(rule, list) else [rule]
        hint = ""
        if isinstance(value, (str, float)) and {"number", "integer"} & set(kinds):
            try:
                hint = f"; write {int(float(value)) if 'integer' in kinds else repr(float(value))}"
            except (ValueError, OverflowError):
                hint = ""
        raise InputError(f"{where}: {value!r} should be {' or '.join(_KINDS[k] for k in kinds)}{hint}")
    if error.validator == "enum":
        raise InputError(
            f"{where}: {value!r} is not one of {', '.join(map(str, rule))}; {nearest(value, map(str, rule))}"
        )
    if error.validator in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"):
        says = {
            "minimum": "at least",
            "exclusiveMinimum": "above",
            "maximum": "at most",
            "exclusiveMaximum": "below",
        }
        raise InputError(f"{where}: {value!r} should be {says[error.validator]} {rule}")
    if error.validator == "anyOf":
        raise InputError(
            f"{where}: {value!r} is none of what can stand here. {error.schema.get('description', '')}".strip()
        )
    if error.validator == "pattern":
        raise InputError(f"{where}: '{value}' cannot be used as a name here; it should look like {rule}")
    raise InputError(f"{where}: {error.message}")


# To JSON Schema 100.0 is an integer; to a loop it is not.
_Validator = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int),
)

_KINDS = {
    "object": "a mapping of keys to values",
    "array": "a list",
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}


def checkpoints(horizon: int, rule: Mapping[str, Any]) -> tuple[int, ...]:
    """The rounds after which a run is looked at: the first few, evenly spaced in log t or t, powers of two, and others;
    none before `least`."""
    chosen = {horizon, *range(1, rule.get("first", 0) + 1), *rule.get("also", [])}
    logarithmic, linear = rule.get("log", 0), rule.get("linear", 0)
    chosen |= {round(math.exp(math.log(horizon) * i / logarithmic)) for i in range(1, logarithmic + 1)}
    chosen |= {round(horizon * i / linear) for i in range(1, linear + 1)}
    if rule.get("powers_of_two"):
        chosen |= {1 << k for k in range(horizon.bit_length())}
    return tuple(sorted(t for t in chosen if rule.get("least", 1) <= t <= horizon))


def _design(raw: Mapping, experiment: Mapping, scale: str, where: str) -> Design:
    merged = {"statistic": "mean", "gmd_scale": "sigma", **raw["design"], **experiment.get("design", {})}
    if scale != "paper":
        merged |= raw["scales"][scale] | experiment.get("scales", {}).get(scale, {})
    if merged["runs"] % merged["groups"]:
        raise InputError(
            f"{where}: groups: {merged['runs']} runs cannot be cut into {merged['groups']} equal groups; "
            f"write a divisor of {merged['runs']}"
        )
    merged["columns"] = tuple(merged.get("columns", ()))
    return Design(**{**merged, "checkpoints": checkpoints(merged["horizon"], merged["checkpoints"])})


def _experiments(raw: Mapping, base: str, what: Mapping, scale: str, file: str) -> list[Experiment]:
    where = f"{file}: experiments.{base}"
    shared = what.get("parameters", {})
    listed = what["policies"] if isinstance(what["policies"], Mapping) else {policy: {} for policy in what["policies"]}
    if base.startswith("fig"):
        listed = {**listed, **{g: {} for g, it in raw["guests"].items() if set(it.get("takes", [])) <= set(shared)}}
    for policy in listed:
        if policy not in raw["policies"]:
            raise InputError(f"{where}.policies: unknown policy '{policy}'; {nearest(policy, raw['policies'])}")
    wanted = {name for policy in listed for name in raw["policies"][policy].get("takes", [])}
    for name in shared:
        if name not in wanted:
            raise InputError(f"{where}.parameters: no policy here takes '{name}'; {nearest(name, wanted)}")

    def policies(reading: str) -> dict[str, tuple[Series, ...]]:
        return {
            policy: _series(raw["policies"][policy], policy, shared, extra, reading, f"{where}.policies.{policy}")
            for policy, extra in listed.items()
        }

    published, corrected = ((policies(it), _environment(what["environment"], it)) for it in (PUBLISHED, CORRECTED))
    readings = [(PUBLISHED, base, *published)]
    if corrected != published:
        readings.append((CORRECTED, f"{base}.{CORRECTED}", *corrected))
    design = _design(raw, what, scale, where)
    return [
        Experiment(
            id=name,
            base=base,
            reading=reading if len(readings) > 1 else "",
            paper=raw["paper"],
            environment=environment,
            policies=tuple(
                Policy(policy, base if (series, environment) == (published[0][policy], published[1]) else name, series)
                for policy, series in found.items()
            ),
            design=design,
        )
        for reading, name, found, environment in readings
    ]


def _environment(environment: Mapping, reading: str) -> dict[str, Any]:
    """The environment of a reading."""
    common = {key: value for key, value in environment.items() if key not in (PUBLISHED, CORRECTED)}
    return common | environment.get(reading, {})


def _series(
    policy: Mapping, name: str, shared: Mapping, extra: Mapping, reading: str, where: str
) -> tuple[Series, ...]:
    """The series of a policy: one, or one for each value of its sweep."""
    for taken in policy.get("takes", []):
        if taken not in shared and taken not in extra:
            raise InputError(f"{where}: it takes '{taken}'; add it to the experiment's parameters")
    common = {taken: shared[taken] for taken in policy.get("takes", []) if taken in shared}
    common |= {**policy.get("parameters", {}), **policy.get(reading, {}), **extra}
    ((swept, values),) = policy.get("sweep", {None: [None]}).items()
    series = []
    for variant, value in enumerate(values):
        parameters = common if swept is None else {**common, swept: value}
        try:
            shown = {key: {True: "on", False: "off"}[v] if isinstance(v, bool) else v for key, v in parameters.items()}
            label = policy["label"].format(**shown)
        except (KeyError, IndexError, AttributeError) as error:
            raise InputError(
                f"{where}: label: '{policy['label']}' names {error}, which is no parameter of the policy"
            ) from None
        except ValueError as error:
            raise InputError(
                f"{where}: label: '{policy['label']}' does not fit the values {dict(parameters)}: {error}"
            ) from None
        suffix = "" if swept is None else "-" + str(value).lower().replace("_", "-")
        series.append(Series(name + suffix, label, policy["algorithm"], parameters, name, variant))
    return tuple(series)


def _figures(raw: Mapping, name: str, what: Mapping, experiments: Mapping, file: str) -> list[Figure]:
    where = f"{file}: figures.{name}"
    for key, kinds in (("experiment", ("curves",)), ("panels", ("grid", "growth", "bars", "contrasts"))):
        if (key in what) != (what["kind"] in kinds):
            raise InputError(f"{where}: a figure of kind {' or '.join(kinds)} has '{key}', and no other kind has")
    written = [what] if "experiment" in what else what.get("panels", [])
    panels = [_written_out(panel, raw, where) for panel in written]
    for panel in panels:
        if panel["experiment"] not in raw["experiments"]:
            known = nearest(panel["experiment"], raw["experiments"])
            raise InputError(f"{where}: unknown experiment '{panel['experiment']}'; {known}")
    twice = any(f"{panel['experiment']}.{CORRECTED}" in experiments for panel in panels)
    figures = []
    for reading in (PUBLISHED, CORRECTED) if twice else ("",):
        suffix = f".{CORRECTED}" if reading == CORRECTED else ""
        drawn = [
            _panel(
                panel,
                experiments.get(panel["experiment"] + suffix, experiments[panel["experiment"]]),
                reading or PUBLISHED,
                raw,
                where,
            )
            for panel in panels
        ]
        figures.append(
            Figure(
                id=name + suffix,
                kind=what["kind"],
                reading=reading,
                reading_name=raw.get("reading_names", {}).get(reading, f"{reading} reading" if reading else ""),
                title=what.get("title", ""),
                caption=what["caption"],
                columns=what.get("columns", min(2, max(1, len(drawn)))),
                panels=tuple(drawn),
            )
        )
    return figures


def _written_out(panel: str | Mapping, raw: Mapping, where: str) -> Mapping:
    if isinstance(panel, Mapping):
        return panel
    if panel not in raw["figures"] or raw["figures"][panel]["kind"] != "curves":
        curves = [name for name, figure in raw["figures"].items() if figure["kind"] == "curves"]
        raise InputError(f"{where}: panels: '{panel}' is no figure of kind curves; {nearest(panel, curves)}")
    return _written_out(raw["figures"][panel], raw, where)


def _panel(panel: Mapping, experiment: Experiment, reading: str, raw: Mapping, where: str) -> Panel:
    panel = {**panel, **panel.get(reading, {})}
    # The id of a policy stands for all its series.
    of_policy = {policy.id: [it.id for it in policy.series] for policy in experiment.policies}
    series = [s for name in panel.get("series", experiment.series) for s in of_policy.get(name, [name])]
    series = [*series, *(s for s, it in experiment.series.items() if it.policy in raw["guests"] and s not in series)]
    for name in series:
        if name not in experiment.series:
            raise InputError(f"{where}: series: unknown series '{name}'; {nearest(name, experiment.series)}")
    axes = {axis: {**raw["axes"][axis], **panel.get(axis, {})} for axis in ("x", "y")}
    along = panel.get("along", "")
    for name in series if along else ():
        if along not in experiment.series[name].parameters:
            known = nearest(along, experiment.series[name].parameters)
            raise InputError(f"{where}: along: series '{name}' has no parameter '{along}'; {known}")
    column = panel.get("column", "")
    if column and not along:
        raise InputError(f"{where}: column: '{column}' is drawn along a parameter; add along: <parameter>")
    if column and column not in experiment.design.columns:
        raise InputError(
            f"{where}: column: {experiment.id} does not ask for '{column}'; add design: {{columns: [{column}]}} to it"
        )
    return Panel(
        panel.get("title", ""),
        experiment.id,
        tuple(series),
        axes["x"],
        axes["y"],
        along,
        panel.get("overlay", {}),
        column,
        panel.get("group", ""),
        panel.get("baseline", 0.0),
        panel.get("regimes", ""),
        panel.get("colours", "policy"),
    )


def _claim(name: str, what: Mapping, raw: Mapping, file: str) -> Claim:
    for experiment in what["experiments"]:
        if experiment not in raw["experiments"]:
            known = nearest(experiment, raw["experiments"])
            raise InputError(f"{file}: claims.{name}.experiments: unknown experiment '{experiment}'; {known}")
    ((predicate, arguments),) = what["measure"].items()
    return Claim(
        id=name,
        says=what["says"],
        source=what["source"],
        experiments=tuple(what["experiments"]),
        statistic=what.get("statistic", "mean"),
        predicate=predicate,
        arguments=arguments,
        expect=what["expect"],
        because=what.get("because", {}),
        together=what.get("together", False),
        kind=what.get("kind", "sentence"),
    )
