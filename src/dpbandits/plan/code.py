"""On which source code a result depends: the hash of it is a parameter of the result's job."""

from collections.abc import Collection, Mapping
from typing import Any

from dpbandits import algorithms, environments
from dpbandits.plan.fingerprints import fingerprint, fingerprint_of_parts, fingerprint_of_runs
from dpbandits.studies.study import Experiment, Figure
from dpbandits.theory import bounds

# A kind of result -> the modules that make it.
MODULES = {
    "summary": ("statistics.summaries",),
    "claims": ("verdicts", "files.traces", "files.tables"),
    "sentences": ("verdicts.sentences", "files.tables"),
    "tables": ("theory", "files.tables"),
    "distances": ("studies.published",),
    "accounts": ("audit.accounts", "files.tables"),
    "ledgers": ("audit.ledgers", "files.tables"),
    "audits": ("audit.lower_bounds", "files.tables"),
    "scores": ("arena.scores", "files.traces", "files.tables"),
    "figures of scores": ("arena.pictures",),
    "verification": ("verification",),
    "report": ("report", "report.stamp"),
    "records of R6A": ("environments.logs._r6a",),
}


def code_of(result: str, experiments: Collection[Experiment] = ()) -> str:
    """The code of a kind of result, and of the bandits and algorithms of these experiments.

    For results that do not come from traces alone: audits play an algorithm's kernel; accounts, ledgers, claims and scores ask for
    its promise, or for its schedule.
    """
    bandits = {environments.module_name(experiment.environment["kind"]) for experiment in experiments}
    players = {algorithms.module_name(series.algorithm) for e in experiments for series in e.series.values()}
    return fingerprint(*MODULES[result], *bandits, *players)


def code_of_figure(figure: Figure) -> str:
    """The code of figures, and of those bounds of the theory that this figure shows."""
    of_others = {"theory.bounds", "figures.diagrams"} if figure.panels else {"theory.bounds"}  # a diagram has no panels
    shown = {name for panel in figure.panels for name in (*panel.overlay.values(), panel.regimes) if name}
    parts = [fingerprint_of_parts(bounds.module_name(name), [name]) for name in sorted(shown)]
    return " ".join([fingerprint("figures", without=of_others), *parts])


def code_of_runs(spec: Mapping[str, Any]) -> str:
    """The code that a simulation of this specification runs."""
    played = {algorithms.module_name(entry["algorithm"]) for entry in spec["series"].values()}
    return fingerprint_of_runs("simulation", environments.module_name(spec["environment"]["kind"]), *played)
