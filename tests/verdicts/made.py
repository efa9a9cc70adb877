"""Runs that are known exactly, claims about them, and their verdicts."""

import numpy as np

from dpbandits import verdicts
from dpbandits.studies.study import Claim, Design, Experiment, Policy, Series

T = (1, 10, 100, 1000)


def runs_of(
    values,
    t=T,
    *,
    along="",
    policy="p",
    algorithm="ucb",
    means=(0.9, 0.6),
    environment=None,
    base="fig1",
    reading="",
    horizon=None,
    groups=5,
    statistic="mean",
    spread=0.0,
    **parameters,
):
    """The runs of an experiment. values: series -> its runs, (run, checkpoint), or a curve that ten runs are around.

    along: a parameter; then `values` are those of one policy's series, by the parameter's value, named as in p-0.5.
    """
    names = {key: f"{policy}-{key:g}" if along else key for key in values}
    series = [
        Series(
            name,
            name,
            algorithm,
            parameters | ({along: key} if along else {}),
            policy if along else name,
            place,
            reading=reading,
        )
        for place, (key, name) in enumerate(names.items())
    ]
    around = np.linspace(-spread, spread, 10)[:, None]
    given = {names[key]: np.asarray(value, float) for key, value in values.items()}
    given = {name: value if value.ndim == 2 else value[None, :] + around for name, value in given.items()}
    number = max((len(value) for value in given.values()), default=10)
    experiment = Experiment(
        id=base,
        reading=reading,
        paper="toy2020",
        environment=environment or {"kind": "bernoulli", "means": list(means)},
        policies=tuple(
            Policy(name, tuple(s for s in series if s.policy == name), number)
            for name in dict.fromkeys(s.policy for s in series)
        ),
        design=Design(horizon or t[-1], number, groups, 10, tuple(t), "mean"),
    )
    return verdicts.Runs(experiment, np.array(t), given, statistic)


def claim(measure, arguments, expect, **further):
    """A claim about fig1 and its mean, unless `further` says otherwise."""
    usual = {"experiments": ("fig1",), "statistic": "mean", "cause": {}}
    return Claim("A1", "says", "source", measure=measure, arguments=arguments, expect=expect, **usual | further)


def judged(sentences, experiments, traces):
    """The rows of the claims table; `traces`: experiment -> its traces, which are not in files."""
    entries = {
        name: [(trace.header, [f"{name} {i}"], list(trace.header["series"])) for i, trace in enumerate(listed)]
        for name, listed in traces.items()
    }

    def read(files, _):
        name, i = files[0].rsplit(" ", 1)
        return traces[name][int(i)]

    figures = {(experiment.id, experiment.reading): [experiment.id] for experiment in experiments}
    return verdicts.judge_all(sentences, experiments, entries, 1, figures, read=read)
