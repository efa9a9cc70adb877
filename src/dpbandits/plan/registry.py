"""The registry of tables: to add one, write the function that makes it and enter it here.

A key is a file below the results, with gaps such as {paper}; there is a table for each paper, arena, study (either) or experiment
that fills them. The function gets what `given` returns, and is called again when that changes, or one of the files in it, or
the source of its module.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dpbandits import theory
from dpbandits.studies.settings import Effort
from dpbandits.studies.study import Study

if TYPE_CHECKING:
    from dpbandits.plan.plan import Plan

SHARES = 4  # of a study's audited mechanisms, one a job: those of the arena take a minute
GUESTS = "guests"  # a job of their own: they change no other bound


@dataclass(frozen=True)
class Table:
    """How a kind of table is made."""

    function: str
    given: Callable[..., dict[str, Any]]  # the plan, and what is in the gaps -> the arguments of `function`
    in_all: bool = True  # whether a full run makes it


def fillings(plan: "Plan", key: str) -> list[dict[str, str]]:
    """What takes the places of a key's gaps."""
    if "{experiment}" in key:
        return [{"paper": name, "experiment": e} for name, paper in plan.papers.items() for e in paper.experiments]
    if "{theorems}" in key:
        return [{"paper": name, "theorems": table} for name in plan.papers for table in theory.TABLES.get(name, {})]
    if "{part}" in key:
        return [{"study": name, "part": part} for name, study in plan.studies.items() for part in parts_of_audit(study)]
    for gap, names in (("paper", plan.papers), ("arena", plan.arenas), ("study", plan.studies)):
        if f"{{{gap}}}" in key:
            return [{gap: name} for name in names]
    return [{}]


def files_in(given: dict[str, Any]) -> list[str]:
    """The files among a function's arguments: traces, of one experiment or of several, other tables, and published points."""
    traces = given.get("traces", [])
    parts = [part for parts in traces.values() for part in parts] if isinstance(traces, dict) else traces
    found = [file for _, files, _ in parts for file in files]
    found += [*given.get("tests", []), *given.get("parts", []), *given.get("guests", [])]
    found += [given["audits"]] if given.get("audits") else []
    found += [panel[file] for panel in given.get("compared", []) for file in ("summary", "published")]
    return list(dict.fromkeys(found))


def of_experiment(plan: "Plan", paper: str, experiment: str) -> dict[str, Any]:
    """The runs of an experiment, and how they are summarised."""
    found = plan.studies[paper].experiments[experiment]
    design = {key: getattr(found.design, key) for key in ("groups", "columns", "runs_of_paper")}
    return {"traces": plan.runs_of(found), "order": list(found.series), "quantity": found.design.recorded, **design}


def of_study(plan: "Plan", **which: str) -> dict[str, Any]:
    """All experiments of a paper or an arena."""
    (study,) = which.values()
    return {"experiments": list(plan.studies[study].experiments.values())}


def of_audit(plan: "Plan", study: str, part: str) -> dict[str, Any]:
    """A share of the mechanisms of a study, or those of its guests, whose bounds hold by themselves; and how much is played."""
    experiments = [
        replace(each, policies=tuple(p for p in each.policies if p.guest == (part == GUESTS)))
        for each in plan.studies[study].experiments.values()
    ]
    return {
        "experiments": experiments,
        "seed": plan.seed,
        "effort": Effort(**plan.settings["audit"][plan.settings["scale"]]),
        "arena": getattr(plan.studies[study].arena, "epsilons", ()),
        "share": (0, 1) if part == GUESTS else (int(part) - 1, SHARES),
    }


def of_audits(plan: "Plan", study: str) -> dict[str, Any]:
    """The parts of an audit."""
    files = {part: plan.file(f"audits/{study}/{part}") for part in parts_of_audit(plan.studies[study])}
    guests = [files.pop(GUESTS)] if GUESTS in files else []
    return {"parts": list(files.values()), "guests": guests}


def parts_of_audit(study: Study) -> list[str]:
    """Their names."""
    return [*map(str, range(1, SHARES + 1)), *([GUESTS] if study.guests else [])]


def of_tests(plan: "Plan", paper: str) -> dict[str, Any]:
    """All tests of a paper's sentences, and the runs that they are about."""
    return plan.to_judge(plan.papers[paper])


def of_scores(plan: "Plan", arena: str) -> dict[str, Any]:
    """The runs that an arena scores, and the audits of its policies."""
    study = plan.studies[arena]
    scored = [experiment for experiment in study.experiments.values() if experiment.instance in study.arena.instances]
    traces, audits = plan.runs_by_experiment(scored), plan.file(f"audits/{arena}")
    return {"arena": study.arena, "experiments": scored, "traces": traces, "audits": audits}


TABLES = {
    "summaries/{paper}/{experiment}": Table("dpbandits.statistics.summaries.table", of_experiment),
    "tables/{paper}/{theorems}": Table(
        "dpbandits.theory.table", lambda plan, paper, theorems: {"paper": paper, "name": theorems}
    ),
    "accounts/{paper}": Table("dpbandits.audit.accounts.table", of_study),
    "ledgers/{study}": Table("dpbandits.audit.accounts.ledgers", of_study, in_all=False),
    "audits/{study}/{part}": Table("dpbandits.audit.lower_bounds.part", of_audit, in_all=False),
    "audits/{study}": Table("dpbandits.audit.lower_bounds.table", of_audits),
    "{arena}/scores": Table("dpbandits.arena.scores.scores", of_scores),
    "claims/{paper}": Table("dpbandits.verdicts.judging.table", of_tests),
    "sentences": Table(
        "dpbandits.verdicts.sentences.table",
        lambda plan: {"papers": plan.papers, "tests": [plan.file(f"claims/{paper}") for paper in plan.papers]},
    ),
    "distances": Table("dpbandits.studies.published.table", lambda plan: {"compared": plan.compared()}),
}
