"""Your own policies, from config/config.yaml: the figures that they join, and where they end among the papers' policies."""

from collections.abc import Callable, Mapping
from typing import Any

from dpbandits import simulation
from dpbandits.audit.promises import promise_of
from dpbandits.statistics.summaries import read_summary
from dpbandits.studies.study import Experiment, Paper, Series


def gather(papers: Mapping[str, Paper], summary: Callable[[str, str], Any], name: Callable[[str], str]) -> list[dict]:
    """Every guest once. `summary`: paper and experiment -> the file; `name`: figure or experiment -> its name."""
    known = dict.fromkeys(offer.guest for paper in papers.values() for offer in paper.guests)
    return [entry for guest in known if (entry := _guest(guest, papers, summary, name))]


def _guest(guest: str, papers: Mapping[str, Paper], summary: Callable, name: Callable) -> dict[str, Any]:
    rows, absent, shown = [], [], None
    for paper in papers.values():
        for experiment in (part for each in paper.experiments.values() for part in each.by_reading):
            for policy in experiment.policies:
                if policy.id == guest:
                    shown = shown or _shown(policy.series[0], experiment)
                    rows += _standings(guest, experiment, summary(paper.id, experiment.id), name)
        reasons: dict[str, list[str]] = {}
        for offer in paper.guests:
            if offer.guest == guest and offer.reason:
                reasons.setdefault(offer.reason, []).extend(map(name, offer.figures))
        absent += [{"paper": paper.id, "reason": reason, "figures": found} for reason, found in reasons.items()]
    shown = shown or {"label": guest, "algorithm": "", "promises": False}
    return {"name": guest, **shown, "rows": rows, "absent": absent}


def _shown(series: Series, experiment: Experiment) -> dict[str, Any]:
    """What the page says of a guest's algorithm."""
    number_of_arms = simulation.make_environment(experiment.environment).number_of_arms
    promise = promise_of(series.algorithm, series.parameters, experiment.design.horizon, number_of_arms)
    return {"label": series.label, "algorithm": series.algorithm, "promises": promise is not None}


def _standings(guest: str, experiment: Experiment, file: Any, name: Callable) -> list[dict[str, Any]]:
    """The mean of each of a guest's series at the end, and its place among all series by regret."""
    table = read_summary(file)
    end = max(table["t"])
    last = {p: float(m) for p, t, m in zip(table["policy"], table["t"], table["mean"], strict=True) if t == end}
    ours = [series.id for series in experiment.series.values() if series.policy != guest]
    rows = []
    for series in experiment.policy(guest).series:
        mean = last[series.id]
        better = sum(last[other] < mean for other in ours)
        rows.append(
            {
                "paper": experiment.paper,
                "experiment": experiment.id,
                "figure": name(experiment.id),
                "reading": experiment.reading or "both",
                "label": series.label,
                "quantity": experiment.design.quantity.replace("_", " "),
                "mean": f"{mean:.6g}",
                "place": f"{better + 1} of {len(ours) + 1}" if experiment.design.quantity == "regret" else "–",
            }
        )
    return rows
