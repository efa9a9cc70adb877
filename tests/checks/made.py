"""Runs that are known exactly, tests about them, and their verdicts."""

from unittest import mock

import numpy as np
import pandas as pd

from dpbandits.checks import judging
from dpbandits.checks.judging import PlacedCheck
from dpbandits.checks.measurement import Runs, sampled
from dpbandits.files import joined
from dpbandits.studies.claim import Check
from dpbandits.studies.experiment import Design, Experiment, Policy, Series

T = (1, 10, 100, 1000)


def runs_of(
    values, t=T, *, along="", policy="p", algorithm="ucb", means=(0.9, 0.6), environment=None, experiment="fig1", paper="toy2020",
    reading="", horizon=None, groups=5, statistic="mean", spread=0.0, **parameters,
):  # fmt: skip
    """The runs of an experiment. values: series -> its runs, (run, checkpoint), or a curve that ten runs are around.

    along: a parameter; then `values` are those of one policy's series, by the parameter's value, named as in p-0.5.
    """
    names = {key: f"{policy}-{key:g}" if along else key for key in values}
    series = [
        Series(name, name, algorithm, parameters | ({along: key} if along else {}), policy if along else name, place, reading=reading)
        for place, (key, name) in enumerate(names.items())
    ]  # fmt: skip
    around = np.linspace(-spread, spread, 10)[:, None]
    given = {names[key]: np.asarray(value, float) for key, value in values.items()}
    given = {
        name: value if value.ndim == 2 else value[None, :] + around for name, value in given.items()
    }
    number = max((len(value) for value in given.values()), default=10)
    policies = dict.fromkeys(s.policy for s in series)
    design = Design(
        horizon=max(2, horizon or t[-1]),
        runs=max(2, number),
        groups=groups,
        block=1,
        checkpoints={},
    )
    vars(design)["rounds"] = tuple(t)  # whatever the horizon is
    made = Experiment(
        id=experiment,
        reading=reading,
        paper=paper,
        environment=environment or {"kind": "bernoulli", "means": list(means)},
        policies={
            name: Policy.model_construct(
                id=name, runs=number, series=tuple(s for s in series if s.policy == name)
            )
            for name in policies
        },
        design=design,
    )
    runs = {
        name: sampled({statistic: value}, name, statistic, statistic, groups)
        for name, value in given.items()
    }
    return Runs(made, np.array(t), runs)


def case(measure, arguments, expect, *runs, kind="claim", figures=(), **further):
    """A test of a claim on these runs."""
    test = Check(
        says="says", experiments=["fig1"], expect={measure: arguments, **expect}, **further
    )
    experiments = tuple(part.experiment for part in runs)
    return PlacedCheck("A1", test, kind, "section 4", experiments, figures)


def judge(measure, arguments, expect, *runs, audits=(), **further):
    """The row of a test of a claim on these runs; `audits`: the rows of their table."""
    of = case(measure, arguments, expect, *runs, **further)
    return judging.judge(of, runs, 1, pd.DataFrame(audits) if audits else None)


def table(cases, traces):
    """The rows of the table of tests; `traces`: experiment -> its traces, which are not in files."""
    entries = {
        name: [(trace.header, [trace]) for trace in listed] for name, listed in traces.items()
    }
    with mock.patch("dpbandits.checks.measurement.read_chunks", joined):
        return judging.table(cases, entries, 1).to_dict("records")
