"""Small figures with numbers by hand: two or three policies, no simulation."""

import numpy as np
import pandas as pd

from dpbandits import figures
from dpbandits.figures.bands import Part
from dpbandits.studies.experiment import Checkpoints, Design, Experiment, Policy, Series
from dpbandits.studies.model import Axis, Figure, Panel

T = np.array([1, 10, 100, 1000, 10_000])
LOG = Axis("time step t", "log"), Axis("regret", "log")
LINEAR = Axis("time step t", "linear"), Axis("regret", "linear")


def series(name, algorithm="ucb", policy="", **parameters):
    return Series(name, f"label of {name}", algorithm, parameters, policy or name)


def sweep(algorithm, parameter, values, policy="a"):
    """The series of one policy."""
    return [series(f"{policy}-{x:g}", algorithm, policy, **{parameter: x}) for x in values]


def experiment(*all_series, runs=50, **design):
    """An experiment on two arms; series of one policy are its sweep."""
    policies = {}
    for each in all_series:
        policies.setdefault(each.policy, []).append(each)
    settings = {"groups": 5, "checkpoints": Checkpoints(also=T.tolist()), **design}
    return Experiment(
        id="toy",
        paper="paper",
        environment={"kind": "bernoulli", "means": [0.9, 0.6]},
        policies={name: Policy(id=name, series=(*of,), runs=runs) for name, of in policies.items()},
        design=Design(horizon=10_000, runs=runs, block=runs, **settings),
    )


PLAYED = experiment(series("a"), series("b", "dp_se", epsilon=1.0))
# The columns of a summary, in units of its median of means.
COLUMNS = {"mean": 1.02, "std": 0.5, "median_of_means": 1, "gmd_below": 0.1, "gmd_above": 0.2}
COLUMNS |= {"min": 0.5, "max": 2}
END = 0.9 * 9999  # of the median of means of the first series


def summary(played=PLAYED, **columns):
    """The medians of means are 0, 8.1, 89.1 ... for the first series, and larger for the others."""
    table = pd.DataFrame([(name, t) for name in played.series for t in T], columns=["policy", "t"])
    order = table["policy"].map({name: n for n, name in enumerate(played.series, start=1)})
    line = order * 0.9 * (table["t"] - 1.0)
    return table.assign(runs=50, **{name: x * line for name, x in (COLUMNS | columns).items()})


def panel(played=PLAYED, axes=LOG, title="A panel", **options):
    x, y = axes
    keys = {"series": list(options.pop("series", played.series)), **options}
    return Panel(title=title, experiment=played.id, x=x, y=y, **keys)


def points(*names):
    """What the authors drew, near the line of each series."""
    return {name: np.array([T[1:], order * T[1:]], float) for order, name in enumerate(names, 1)}


def figure_of(*panels, played=PLAYED, numbers=None, estimator="default", points=None, **options):
    """A figure of panels on one experiment, by default of two policies, and its parts."""
    numbers, points = summary(played) if numbers is None else numbers, points or {}
    parts = [
        Part(each, played, numbers, estimator, points.get(each.drawn_as, {})) for each in panels
    ]
    keys = {"name": "s-toy", "title": "A title", "caption": "", "columns": 2, "ours": True}
    return Figure(**keys | options, **({"panels": list(panels)} if panels else {})), parts


def draw(*panels, outputs=(), **keys):
    return figures.draw(*figure_of(*panels, **keys), outputs)


def labels(axis):
    """The labels of its ticks."""
    return [label.get_text() for label in axis.get_ticklabels()]


def legend(ax):
    """The texts of its legend."""
    return [text.get_text() for text in ax.get_legend().get_texts()]
