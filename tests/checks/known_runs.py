"""Runs that are known exactly, checks on them, and the verdicts."""

import re
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd

from dpbandits.checks import judging
from dpbandits.checks.measurement import Runs, sampled
from dpbandits.checks.placing import PlacedCheck
from dpbandits.files import joined
from dpbandits.studies import strict_yaml
from dpbandits.studies.claim import WINDOWS as NAMES_OF_WINDOWS
from dpbandits.studies.claim import Check
from dpbandits.studies.experiment import Checkpoints, Design, Experiment, Policy, Series

T = (1, 10, 100, 1000)
WINDOWS, TEST = set(NAMES_OF_WINDOWS), "as a test has it"
VERDICTS = strict_yaml.read_yaml(Path(__file__).with_name("verdicts.yaml"))
# Three runs without further regret and one that loses half the gap (0.25) per round in its second
# half.
SOME = [[4, 100, 100], [4, 100, 104], [4, 80, 80], [4, 80, 205]]


def runs_of(
    values,
    t=T,
    *,
    along="",
    policy="p",
    algorithm="ucb",
    means=(0.9, 0.6),
    environment=None,
    experiment="fig1",
    reading="",
    horizon=None,
    groups=5,
    statistic="mean",
    spread=0.0,
    **parameters,
):
    """The runs of an experiment.

    values: series -> its runs, (run, checkpoint), or a curve; ten runs then lie around it.

    along: a parameter. The keys of `values` are then its values, one for each series of a policy,
    whose names are as in p-0.5.
    """
    around = np.linspace(-spread, spread, 10)[:, None]
    curves, series = {}, []
    for key, value in values.items():
        name, own = (f"{policy}-{key:g}", {along: key}) if along else (key, {})
        of_policy, value = policy if along else name, np.array(value, float)
        curves[name] = value if value.ndim == 2 else value + around
        series.append(Series(name, name, algorithm, parameters | own, of_policy, reading=reading))
    number = max(map(len, curves.values()), default=10)
    policies = {policy: tuple(series)} if along else {each.name: (each,) for each in series}
    design = Design(
        horizon=max(2, horizon or t[-1]),
        runs=max(2, number),
        groups=groups,
        block=1,
        checkpoints=Checkpoints(),
    )
    vars(design)["rounds"] = tuple(t)  # for any horizon
    played = Experiment(
        id=experiment,
        reading=reading,
        paper="toy2020",
        environment=environment or {"kind": "bernoulli", "means": list(means)},
        policies={
            name: Policy(id=name, runs=number, series=of_it) for name, of_it in policies.items()
        },
        design=design,
    )
    runs = {
        name: sampled({statistic: value}, name, statistic, statistic, groups)
        for name, value in curves.items()
    }
    return Runs(played, np.array(t), runs)


def placed(measure, arguments, expect, *runs, kind="experiment", figures=(), **further):
    """A check on these runs; `expect`: its threshold, or the kind of sentence that has one."""
    if isinstance(expect, str):
        further, expect = {"sentence": expect, **further}, {}
    else:
        further = {"sentence": "better", "departs": TEST, **further}
    if WINDOWS & arguments.keys():
        further["window"] = TEST
    expect = {measure: arguments, **expect}
    definition = Check(says="says", experiments=["fig1"], expect=expect, **further)
    experiments = tuple(part.experiment for part in runs)
    return PlacedCheck("A1", definition, kind, "section 4", experiments, figures)


def judge(measure, arguments, expect, *runs, audits=(), **further):
    """The row of a check on these runs; `audits`: the rows of their table."""
    check = placed(measure, arguments, expect, *runs, **further)
    row = judging.judge(check, runs, 1, pd.DataFrame(audits) if audits else None)
    return row | {"evidence": re.sub(f"; (departs|window): {TEST}", "", row["evidence"])}


def table(checks, traces):
    """The rows of the table of checks; `traces`: experiment -> its traces, without files."""
    entries = {
        name: [(trace.header, [trace]) for trace in listed] for name, listed in traces.items()
    }
    with mock.patch("dpbandits.checks.measurement.read_chunks", joined):
        return judging.table(checks, entries, 1).to_dict("records")
