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


def series(name, algorithm="ucb", policy="", variant=0, **parameters):
    return Series(name, f"label of {name}", algorithm, parameters, policy or name, variant)


def experiment(*all_series, runs=50, **design):
    """An experiment on two arms; series of one policy are its sweep."""
    policies = {}
    for each in all_series:
        policies.setdefault(each.policy, []).append(each)
    models = {
        name: Policy(id=name, series=tuple(members), runs=runs)
        for name, members in policies.items()
    }
    settings = {"groups": 5, "checkpoints": Checkpoints(also=T.tolist()), **design}
    environment = {"kind": "bernoulli", "means": [0.9, 0.6]}
    design = Design(horizon=10_000, runs=runs, block=runs, **settings)
    return Experiment(
        id="toy", paper="paper", environment=environment, policies=models, design=design
    )


def summary(played, **columns):
    """The medians of means are 0, 9, 90 ... for the first series, and larger for the others.

    The mean is 2% above them.
    """
    parts = []
    for order, name in enumerate(played.series, start=1):
        line = order * 0.9 * (T - 1.0)
        result = {
            "policy": name,
            "t": T,
            "runs": 50,
            "mean": 1.02 * line,
            "std": line / 2,
            "median_of_means": line,
            "gmd_below": 0.1 * line,
            "gmd_above": 0.2 * line,
            "min": 0.5 * line,
            "max": 2 * line,
        }
        parts.append(
            pd.DataFrame(result | {name: factor * line for name, factor in columns.items()})
        )
    return pd.concat(parts, ignore_index=True)


def panel(played, axes=LOG, title="A panel", **options):
    x, y = axes
    keys = {"series": list(options.pop("series", played.series)), **options}
    return Panel(title=title, experiment=played.id, x=x, y=y, **keys)


def points(*names):
    """What the authors drew, near the line of each series."""
    return {
        name: np.array([T[1:], order * T[1:]], float) for order, name in enumerate(names, start=1)
    }


def figure_of(*panels, played=None, numbers=None, estimator="default", points=None, **options):
    """A figure of panels on one experiment, by default of two policies, and its parts."""
    played = PLAYED if played is None else played
    numbers = summary(played) if numbers is None else numbers
    parts = [
        Part(each, played, numbers, estimator, (points or {}).get(each.drawn_as, {}))
        for each in panels
    ]
    keys = {
        "name": "s-toy",
        "title": "A title",
        "caption": "",
        "columns": 2,
        "ours": True,
        **options,
    }
    return Figure(**keys, **({"panels": list(panels)} if panels else {})), parts


def labels(axis):
    """The labels of its ticks."""
    return [label.get_text() for label in axis.get_ticklabels()]


def draw(*panels, **keys):
    return figures.draw(*figure_of(*panels, **keys))


PLAYED = experiment(series("a"), series("b", "dp_se", epsilon=1.0))
