"""The registry of tables: to add one, write the function that makes it and enter it here.

An entry's key is the table's file below the results, with a gap for each of `which`. The workflow calls the function with what
`given` returns, whenever that changes, or what `reads` returns, or the source of the function's module.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from dpbandits import theory
from dpbandits.studies.model import Effort

if TYPE_CHECKING:
    from dpbandits.plan.plan import Plan

Given = dict[str, Any]


def studies(plan: "Plan") -> list[tuple[str, ...]]:
    """One table for each paper and each arena."""
    return [(study,) for study in plan.studies]


def papers(plan: "Plan") -> list[tuple[str, ...]]:
    """One for each paper."""
    return [(paper,) for paper in plan.papers]


def arenas(plan: "Plan") -> list[tuple[str, ...]]:
    """One for each arena."""
    return [(arena,) for arena in plan.arenas]


def experiments(plan: "Plan") -> list[tuple[str, ...]]:
    """One for each experiment of each paper; those of an arena have scores."""
    return [(name, experiment) for name, paper in plan.papers.items() for experiment in paper.experiments]


def theorems(plan: "Plan") -> list[tuple[str, ...]]:
    """Those that a paper's theorems give without any run."""
    return [pair for paper in plan.papers for pair in product([paper], theory.TABLES.get(paper, {}))]


def all_papers(plan: "Plan") -> list[tuple[str, ...]]:
    """One table of all papers, if there is a paper."""
    return [()] if plan.papers else []


def drawn_papers(plan: "Plan") -> list[tuple[str, ...]]:
    """One table, if some paper's authors drew curves that ours can be compared with."""
    return [()] if plan.compared() else []


def of_experiment(plan: "Plan", study: str, experiment: str) -> Given:
    """The runs of an experiment, and how they are summarised."""
    found = plan.studies[study].experiments[experiment]
    design = found.design
    return {
        "traces": plan.runs_of(found),
        "order": list(found.series),
        "groups": design.groups,
        "columns": list(design.columns),
        "quantity": design.quantity,
        "runs_of_paper": design.runs_of_paper,
    }


def of_study(plan: "Plan", study: str) -> Given:
    """All experiments of a study."""
    return {"experiments": list(plan.studies[study].experiments.values())}


def of_audit(plan: "Plan", study: str) -> Given:
    """The policies of a study, and how much is played to measure their privacy."""
    return {
        "experiments": plan.audited(study),
        "seed": plan.seed,
        "effort": Effort(**plan.settings["audit"][plan.settings["scale"]]),
        "guests": sorted(plan.guests),
        "arena": getattr(plan.studies[study].arena, "epsilons", ()),
    }


def of_tests(plan: "Plan", paper: str) -> Given:
    """All tests of a paper's sentences, and the runs that they are about."""
    return plan.to_judge(plan.papers[paper])


def of_scores(plan: "Plan", study: str) -> Given:
    """The runs that an arena scores, and the audits of its policies."""
    scored = plan.scored(study)
    arena, traces = plan.studies[study].arena, plan.runs_by_experiment(scored)
    return {"arena": arena, "experiments": scored, "traces": traces, "audits": plan.audits_of(study)}


def of_differences(plan: "Plan", study: str) -> Given:
    """The same, and the seed of resamples."""
    return {**of_scores(plan, study), "seed": plan.seed}


def of_sentences(plan: "Plan") -> Given:
    """The papers, and the tables of their tests."""
    return {"papers": plan.papers, "tests": [plan.file(f"claims/{paper}") for paper in plan.papers]}


@dataclass(frozen=True)
class Table:
    """How a kind of table is made."""

    function: str  # below dpbandits
    which: Callable[["Plan"], Iterable[tuple[str, ...]]]  # what takes the places of the gaps
    given: Callable[..., Given] = lambda plan, *which: {}  # of the plan and of what is in the gaps
    reads: Callable[[Given], list[str]] = lambda given: []  # the files
    in_all: bool = True  # whether it is among the results of a whole run


def runs(given: Given) -> list[str]:
    """The files of an experiment's runs."""
    return [file for _, files, _ in given["traces"] for file in files]


def all_runs(given: Given) -> list[str]:
    """The files of the runs of several experiments, each once, and the audits."""
    files = [file for entries in given["traces"].values() for _, files, _ in entries for file in files]
    return list(dict.fromkeys([*files, *filter(None, [given["audits"]])]))


TABLES = {
    "summaries/{}/{}": Table("statistics.summaries.table", experiments, of_experiment, runs),
    "tables/{}/{}": Table("theory.table", theorems, lambda plan, paper, table: {"paper": paper, "name": table}),
    "accounts/{}": Table("audit.accounts.table", papers, of_study),
    "audits/{}": Table("audit.lower_bounds.table", studies, of_audit),
    "ledgers/{}": Table("audit.ledgers.table", studies, of_study, in_all=False),
    "{}/scores": Table("arena.scores.scores", arenas, of_scores, all_runs),
    "{}/differences": Table("arena.scores.differences_of", arenas, of_differences, all_runs),
    "claims/{}": Table("verdicts.judging.table", papers, of_tests, all_runs),
    "sentences": Table("verdicts.sentences.table", all_papers, of_sentences, lambda given: given["tests"]),
    "distances": Table(
        "studies.published.table",
        drawn_papers,
        lambda plan: {"compared": plan.compared()},
        lambda given: [panel[file] for panel in given["compared"] for file in ("summary", "published")],
    ),
}
