"""Expands a validated paper file: matrices, readings, sweeps, scales, checkpoints, panels."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dpbandits.errors import InputError, check_known, nearest
from dpbandits.studies import arena, matrix, model
from dpbandits.studies.study import (
    CORRECTED,
    PUBLISHED,
    Arena,
    Design,
    Experiment,
    Figure,
    Panel,
    Paper,
    Policy,
    Series,
    checkpoints,
)

NASH_REGRET = "nash_regret"


@dataclass(frozen=True)
class Source:
    """A validated paper file with its matrices expanded."""

    id: str
    file: str
    paper: model.Paper
    experiments: Mapping[str, model.Experiment]
    aliases: Mapping[str, str]  # another id of an experiment -> its id
    figures: Mapping[str, model.Figure]
    guests: Mapping[tuple[str, str], model.Policy] = field(default_factory=dict)  # by experiment and guest

    def policy(self, base: str, name: str) -> model.Policy:
        """A policy as it plays an experiment."""
        return self.guests.get((base, name)) or self.paper.policies[name]

    def place(self, base: str, name: str) -> str:
        """The beginning of an error message about a policy in an experiment."""
        if (base, name) in self.guests:
            return f"config/config.yaml: guests.{name}: in {self.id} {base}"
        return f"{self.file}: experiments.{base}.policies.{name}"

    def environment(self, base: str) -> model.Environment:
        """The environment of an experiment, looked up if it is given by name."""
        environment = self.experiments[base].environment
        where = f"{self.file}: experiments.{base}"
        if environment is None:
            raise InputError(f"{where}: 'environment' is missing; add it")
        if isinstance(environment, str):
            check_known(where, "environment", [environment], self.paper.environments)
            return self.paper.environments[environment]
        return environment

    def design(self, base: str) -> model.Design:
        """The paper's design with the experiment's changes, at the paper's scale."""
        return model.Design(**{**self.paper.design.as_written(), **self.experiments[base].design.as_written()})


def source(written: model.Paper, file: str, scale: str) -> Source:
    """Expand the matrices of a validated file."""
    id = Path(file).stem
    if not re.match(model.STUDY_ID, id):
        raise InputError(f"{file}: '{id}' cannot be used as a name here; rename the file like {model.STUDY_ID}")
    if written.paper not in (id, None):
        raise InputError(f"{file}: paper: '{written.paper}' should be '{id}', as the file is called")
    experiments, aliases = matrix.experiments(written, file)
    _check_streams(experiments, file)
    _check_runs(written, experiments, file)
    if written.arena:
        written, experiments = arena.at_scale(written, experiments, file, scale)
    return Source(id, file, written, experiments, aliases, matrix.figures(written, file))


def _check_streams(experiments: Mapping[str, model.Experiment], file: str) -> None:
    """Refuse the stream of an experiment that has none of its own, or that has another environment."""
    for id, experiment in experiments.items():
        if not experiment.stream:
            continue
        where, known = f"{file}: experiments.{id}.stream", [id for id, e in experiments.items() if not e.stream]
        check_known(where, "experiment", [experiment.stream], known)
        if experiment.environment != experiments[experiment.stream].environment:
            raise InputError(f"{where}: {experiment.stream} has another environment; write the same in both")


def _check_runs(written: model.Paper, experiments: Mapping[str, model.Experiment], file: str) -> None:
    """Refuse runs of a policy in an experiment that is unknown."""
    for name, policy in written.policies.items():
        check_known(f"{file}: policies.{name}.more_runs", "experiment", policy.more_runs, experiments)


def expand(source: Source, scale: str) -> Paper:
    """Expand a paper file for one scale."""
    written, file = source.paper, source.file
    experiments = {id: _experiment(source, id, scale) for id in source.experiments}
    figures = {figure.id: figure for name in source.figures for figure in _figures(source, name, experiments)}
    check_known(f"{file}: preview", "figure", written.preview, figures)
    study = Paper(
        id=source.id,
        file=file,
        title=written.title,
        authors=tuple(written.authors),
        venue=written.venue,
        link=written.link,
        readings=written.readings.as_written(),
        experiments=experiments,
        figures=figures,
        preview=tuple(written.preview),
        sentences=written.sentences,
        environments={
            base: experiment.environment
            for base, experiment in source.experiments.items()
            if isinstance(experiment.environment, str)
        },
        arena=_arena(source, experiments) if written.arena else None,
        guests=tuple(dict.fromkeys(name for _, name in source.guests)),
    )
    return replace(study, figures={name: _with_lines(figure, study) for name, figure in figures.items()})


def _arena(source: Source, experiments: Mapping[str, Experiment]) -> Arena:
    """What the study scores; the label of a policy is one for all experiments and epsilons."""
    labels = {}
    guests = {name: policy for (_, name), policy in source.guests.items()}
    policies = {**source.paper.policies, **guests}
    for name, policy in policies.items():
        for_all = policy.model_copy(update={"label": without_parameter(policy.label, "epsilon")})
        labels[name] = _label(for_all, policy.parameters, f"{source.file}: policies.{name}")
    written = source.paper.model_copy(update={"policies": policies})
    return arena.expanded(written, source.id, source.file, experiments, labels, guests)


# Experiments.


def _experiment(source: Source, id: str, scale: str) -> Experiment:
    """An experiment with the series of both readings."""
    where = f"{source.file}: experiments.{id}"
    written, experiment, environment = source.paper, source.experiments[id], source.environment(id)
    ours = [policy for policy in experiment.policies if (id, policy) not in source.guests]
    check_known(f"{where}.policies", "policy", ours, written.policies)
    accepted = {parameter for policy in ours for parameter in written.policies[policy].takes}
    for parameter in experiment.parameters:
        if parameter not in accepted:
            raise InputError(f"{where}.parameters: no policy here takes '{parameter}'; {nearest(parameter, accepted)}")

    played = {"kind": environment.kind, **environment.model_extra}
    design = _design(source, id, scale)
    policies: list[Policy] = []
    for name, change in experiment.policies.items():
        place, own = source.place(id, name), source.policy(id, name)
        policy = Policy(
            name,
            series_of(own, name, experiment, change, place),
            _number_of_runs(source, id, name, design.runs, scale),
            audit_games=(own.audit_games or 0) if scale == "paper" else 0,
        )
        policies.append(arena.at_equal_privacy(policy, played, design.horizon, place) if written.arena else policy)
    ids = [series.id for policy in policies for series in policy.series]
    if twice := {one for one in ids if ids.count(one) > 1}:
        raise InputError(f"{where}: two series are called '{min(twice)}'; give one of the policies another name")
    return Experiment(
        id=id,
        paper=source.id,
        environment=played,
        policies=tuple(policies),
        design=design,
        stream=experiment.stream,
        label=environment.label or (experiment.environment if isinstance(experiment.environment, str) else id),
    )


def _number_of_runs(source: Source, base: str, policy: str, runs: int, scale: str) -> int:
    """A policy's number of runs in an experiment whose design has `runs`."""
    written = source.policy(base, policy)
    usual = runs if written.runs is None else min(written.runs, source.design(base).most_runs or written.runs)
    own = written.more_runs.get(base, usual)
    return own if scale == "paper" else min(own, runs)


def _design(source: Source, base: str, scale: str) -> Design:
    written, experiment = source.paper, source.experiments[base]
    merged = source.design(base).as_written()
    whole = merged["horizon"]
    if scale != "paper":
        merged |= getattr(written.scales, scale).as_written() | getattr(experiment.scales, scale).as_written()
    design = model.WholeDesign(**merged)
    runs = max(_number_of_runs(source, base, policy, design.runs, scale) for policy in experiment.policies)
    return Design(
        horizon=design.horizon,
        runs=design.runs,
        groups=design.groups,
        block=design.block,
        checkpoints=checkpoints(design.horizon, design.checkpoints.model_dump()),
        statistic=design.statistic,
        runs_of_paper=design.runs_of_paper if runs > (design.runs_of_paper or runs) else None,
        band=design.band,
        columns=tuple(design.columns),
        # The Nash regret is one number for all runs; the regret is summarised run by run beside it.
        quantity="regret" if design.quantity == NASH_REGRET else design.quantity,
        horizon_of_paper=whole if design.horizon < whole else None,
        judged=NASH_REGRET if design.quantity == NASH_REGRET else design.statistic.replace("mean_std", "mean"),
    )


def series_of(
    policy: model.Policy, name: str, experiment: model.Experiment, change: Mapping[str, Any], where: str
) -> tuple[Series, ...]:
    """The series of a policy in an experiment, in both readings where these differ: one, or one for each value of its sweep.

    `change`: parameters that only this experiment changes.
    """
    published, corrected = (
        _in_reading(policy, name, experiment, change, reading, where) for reading in (PUBLISHED, CORRECTED)
    )
    if [replace(series, reading="") for series in published] == [replace(series, reading="") for series in corrected]:
        return tuple(replace(series, reading="") for series in published)
    return (*published, *corrected)


def _in_reading(
    policy: model.Policy, name: str, experiment: model.Experiment, change: Mapping[str, Any], reading: str, where: str
) -> list[Series]:
    given = experiment.parameters
    for parameter in policy.takes:
        if parameter not in given and parameter not in change:
            raise InputError(f"{where}: it takes '{parameter}'; add it to the experiment's parameters")
    common = {parameter: given[parameter] for parameter in policy.takes if parameter in given}
    common |= {**policy.parameters, **getattr(policy, reading), **change}
    algorithm = policy.algorithm if isinstance(policy.algorithm, str) else getattr(policy.algorithm, reading)
    regret: dict[str, Any] = {}
    for counted in (experiment.regret, policy.regret):
        regret |= {**counted.model_extra, **getattr(counted, reading)}
    _check_words(policy, common.values(), where)
    if policy.sweep is None:
        return [Series(name, _label(policy, common, where), algorithm, common, name, 0, regret, reading)]
    series = []
    for variant, values in enumerate(zip(*policy.sweep.values(), strict=True)):
        parameters = common | dict(zip(policy.sweep, values, strict=True))
        suffix = str(values[0]).lower().replace("_", "-")
        label = _label(policy, parameters, where)
        series.append(Series(f"{name}-{suffix}", label, algorithm, parameters, name, variant, regret, reading))
    return series


def _check_words(policy: model.Policy, common: Iterable[Any], where: str) -> None:
    """Refuse words for a value that no parameter has, in either reading."""
    swept = [value for values in (policy.sweep or {}).values() for value in values]
    values = [*common, *policy.published.values(), *policy.corrected.values(), *swept]
    for word in policy.words:
        if word not in values:
            known = [value for value in values if isinstance(value, str)]
            raise InputError(f"{where}: words: '{word}' is no value of a parameter; {nearest(word, known)}")


def _label(policy: model.Policy, parameters: Mapping[str, Any], where: str) -> str:
    """The label with the parameters' values in it, or the words for them."""
    words = {True: "on", False: "off"} | policy.words
    shown = {key: words.get(v, v) if isinstance(v, bool | str) else v for key, v in parameters.items()}
    try:
        return policy.label.format(**shown)
    except (KeyError, IndexError, AttributeError) as error:
        raise InputError(
            f"{where}: label: '{policy.label}' names {error}, which is no parameter of the policy"
        ) from None
    except ValueError as error:
        raise InputError(
            f"{where}: label: '{policy.label}' does not fit the values {dict(parameters)}: {error}"
        ) from None


def without_parameter(label: str, parameter: str) -> str:
    """The label of all series of a sweep together: without the parameter's value and the words that introduce it."""
    value = rf"\{{{parameter}[^}}]*\}}"
    label = re.sub(rf"([(,])[^(),{{}}]*{value}|\s*{value}", lambda found: "(" if found[1] == "(" else "", label)
    return re.sub(r"\s*\(\s*\)", "", label.replace("(, ", "(")).strip()


# Figures.


def _figures(source: Source, name: str, experiments: Mapping[str, Experiment]) -> list[Figure]:
    """A figure in its published reading and, where one of its experiments has two readings, in the corrected one."""
    where = f"{source.file}: figures.{name}"
    figure = source.figures[name]
    panels = panels_of(source, name, where)
    differ = any(len(experiments[base].readings) > 1 for base, _, _ in panels)
    figures = []
    for reading in (PUBLISHED, CORRECTED) if differ else ("",):
        drawn = []
        for base, id, panel in panels:
            experiment = experiments[base].in_reading(reading)
            ours = _panel(source, panel, experiment, reading or PUBLISHED, id, where)
            drawn.append(_with_guests(source, name, experiment, ours))
        values = [_values_of(source, experiments[panel.experiment], panel.series) for panel in drawn]
        reading_name = getattr(source.paper.reading_names, reading) if reading else ""
        figures.append(
            Figure(
                name=name,
                kind=figure.kind,
                reading=reading,
                reading_name=reading_name or (f"{reading} reading" if reading else ""),
                title=_with_values(figure.title, values, f"{where}: title"),
                caption=_with_values(figure.caption, values, f"{where}: caption"),
                columns=figure.columns or min(2, max(1, len(drawn))),
                panels=tuple(drawn),
            )
        )
    return figures


def _values_of(source: Source, experiment: Experiment, series: Iterable[str]) -> dict[str, Any]:
    """The parameters of an experiment, and those of its drawn series that have one value only."""
    found: dict[str, list] = {}
    ours = [
        experiment.series[id] for id in series if (experiment.id, experiment.series[id].policy) not in source.guests
    ]
    for each in ours:
        for parameter, value in each.parameters.items():
            found.setdefault(parameter, []).append(value)
    single = {parameter: values[0] for parameter, values in found.items() if all(v == values[0] for v in values)}
    return single | source.experiments[experiment.id].parameters


def _with_values(text: str, panels: Sequence[Mapping[str, Any]], where: str) -> str:
    """A text of a figure with the values of parameters, as in {epsilon:g}, which all of its panels have in common."""

    def value(match: re.Match) -> str:
        values = [panel.get(match[1]) for panel in panels]
        if not values or None in values or any(repr(each) != repr(values[0]) for each in values):
            known = nearest(match[1], {name for panel in panels for name in panel})
            raise InputError(f"{where}: '{match[0]}' names no parameter with one value for all that is drawn; {known}")
        try:
            return format(values[0], match[2] or "")
        except (TypeError, ValueError) as error:
            raise InputError(f"{where}: '{match[0]}' does not fit the value {values[0]!r}: {error}") from None

    return re.sub(r"\{([a-z]\w*)(?::([^{}]*))?\}", value, text)


def panels_of(source: Source, name: str, where: str) -> list[tuple[str, str, model.Panel | model.Figure]]:
    """A figure's panels, each with the base id of its experiment and the id of the figure that it is by itself, or "".

    Curves without `panels` are a single panel.
    """
    figure = source.figures[name]
    alone = [id for id, other in source.figures.items() if other.kind == "curves" and other.panels is None]
    if figure.experiment is not None and name not in alone:
        raise InputError(
            f"{where}: only curves in a single panel may have 'experiment'; each of several panels has its own"
        )
    if name in alone:
        return [(_base(source, figure.experiment or name, where), name, figure)]
    if (figure.panels is None) != ("diagram" in figure.kind):
        raise InputError(f"{where}: points have 'panels', and a diagram has none")
    found = []
    for panel in figure.panels or ():
        if isinstance(panel, str):
            if panel not in alone:
                raise InputError(
                    f"{where}: panels: '{panel}' is no figure of curves in a panel; {nearest(panel, alone)}"
                )
            found += panels_of(source, panel, where)
        else:
            found += [(_base(source, each.experiment, where), "", each) for each in matrix.panels(panel, where)]
    return found


def _base(source: Source, id: str, where: str) -> str:
    """The base id of the experiment of this id."""
    base = source.aliases.get(id, id)
    check_known(where, "experiment", [base], [*source.experiments, *source.aliases])
    return base


def _panel(
    source: Source, panel: model.Panel | model.Figure, experiment: Experiment, reading: str, id: str, where: str
) -> Panel:
    names = _drawn_series(source, panel, experiment, where)
    series = [experiment.by_name[name].id for name in names]
    for name in series if panel.along else ():
        if panel.along not in experiment.series[name].parameters:
            known = nearest(panel.along, experiment.series[name].parameters)
            raise InputError(f"{where}: along: series '{name}' has no parameter '{panel.along}'; {known}")
    if panel.column and panel.column not in experiment.design.columns:
        raise InputError(
            f"{where}: column: {experiment.id} does not ask for '{panel.column}'; "
            f"add design: {{columns: [{panel.column}]}} to it"
        )
    for name in panel.labels:
        if name not in names:
            raise InputError(f"{where}: labels: '{name}' is no series of the panel; {nearest(name, names)}")
    options = {key: getattr(panel, key) for key in ("overlay", "regimes")}
    options |= getattr(panel, reading).as_written()
    nash = source.design(experiment.id).quantity == NASH_REGRET
    values = [_values_of(source, experiment, series)]
    return Panel(
        title=_with_values(panel.title, values, f"{where}: title"),
        experiment=experiment.id,
        series=tuple(series),
        x={**source.paper.axes.x.as_written(), **panel.x.as_written()},
        y={**source.paper.axes.y.as_written(), **panel.y.as_written()},
        along=panel.along,
        overlay=options["overlay"],
        column=panel.column,
        line=panel.column or (NASH_REGRET if nash else "median_of_means"),
        drawn_as=id if reading == PUBLISHED and model.is_of_the_paper(id) else "",
        group=_with_values(getattr(panel, "group", ""), values, f"{where}: group"),
        baseline=getattr(panel, "baseline", 0.0),
        regimes=options["regimes"],
        legend=panel.legend,
        labels={experiment.by_name[name].id: label for name, label in panel.labels.items()},
    )


def _with_guests(source: Source, figure: str, experiment: Experiment, panel: Panel) -> Panel:
    """The panel with the guests of its experiment: of a sweep, those values that the panel has of ours. A supplementary figure
    draws guests only where the paper file opens the experiment to them."""
    if not (model.is_of_the_paper(figure) or source.experiments[experiment.id].guests):
        return panel
    shown, labels = [experiment.series[id].parameters for id in panel.series], dict(panel.labels)
    drawn: list[str] = []
    for policy in experiment.policies:
        guest = source.guests.get((experiment.id, policy.id))
        if guest is None:
            continue
        swept = next(iter(guest.sweep or {}), "")
        values = [parameters[swept] for parameters in shown if swept in parameters]
        for series in policy.series:
            if (not panel.along or panel.along in series.parameters) and (
                not values or series.parameters[swept] in values
            ):
                drawn.append(series.id)
                if panel.along:
                    for_all = guest.model_copy(update={"label": without_parameter(guest.label, panel.along)})
                    labels[series.id] = _label(for_all, series.parameters, source.place(experiment.id, policy.id))
    return replace(panel, series=(*panel.series, *drawn), labels=labels)


def _with_lines(figure: Figure, study: Paper) -> Figure:
    """The figure with the statistic of every panel's lines: the paper's own where a test judges that one on the panel, and the
    mean where bands are its standard errors."""
    judged = {
        (id, test.statistic or study.experiments[id].design.judged)
        for name, sentence in study.sentences.items()
        if model.kind_of(name) != model.PRIVACY
        for test in sentence.tests.values()
        for id in study.experiments_of(test.experiments)
    }
    panels = []
    for panel in figure.panels:
        experiment = study.experiments[panel.experiment]
        own = "mean" if experiment.design.statistic == "mean_std" else experiment.design.statistic
        line = own if (experiment.id, own) in judged else "mean" if experiment.design.band == "errors" else panel.line
        panels.append(replace(panel, line=line) if panel.line == "median_of_means" else panel)
    return replace(figure, panels=tuple(panels))


def _drawn_series(source: Source, panel: model.Panel | model.Figure, experiment: Experiment, where: str) -> list[str]:
    """The names of our series that a panel draws; a policy's id is replaced by those of all its series."""
    ours = [policy for policy in experiment.policies if (experiment.id, policy.id) not in source.guests]
    of_policy = {policy.id: [series.name for series in policy.series] for policy in ours}
    series = [s for name in panel.series or of_policy for s in of_policy.get(name, [name])]
    check_known(f"{where}: series", "series", series, experiment.by_name)
    return series
