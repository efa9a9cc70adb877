"""The registry of tables: to add one, write the function that makes it and enter it here.

The function gets what is given here, and is called again when that changes, or one of the files in it, or the source of its
module.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpbandits import theory
from dpbandits.studies.model import Study

if TYPE_CHECKING:
    from dpbandits.plan.plan import Plan

SHARES = 4  # of a study's audited mechanisms, one a job: those of the arena take a minute


@dataclass(frozen=True)
class Table:
    """How a table is made."""

    function: str
    given: dict[str, Any]
    in_all: bool = True  # whether a full run makes it


def tables(plan: "Plan") -> dict[str, Table]:
    """All tables; each is a file of its name below the results."""
    found = {}
    for id, study in plan.studies.items():
        found |= (of_arena if study.arena else of_paper)(plan, study) | audits_of(plan, study)
        booked = {"experiments": list(study.experiments.values())}
        found[f"ledgers/{id}"] = Table("dpbandits.audit.accounts.ledgers", booked, in_all=False)
    claims = [plan.file(f"claims/{paper}") for paper in plan.papers]
    found["sentences"] = Table("dpbandits.verdicts.sentences.table", {"papers": plan.papers, "files": claims})
    found["distances"] = Table("dpbandits.studies.published.table", {"compared": plan.compared()})
    return found


def of_paper(plan: "Plan", paper: Study) -> dict[str, Table]:
    """Summaries of its runs, accounts of privacy, tests of its sentences, and tables of its theorems."""
    id, experiments = paper.id, list(paper.experiments.values())
    found = {
        f"accounts/{id}": Table("dpbandits.audit.accounts.table", {"experiments": experiments}),
        f"claims/{id}": Table("dpbandits.verdicts.judging.table", plan.to_judge(paper)),
    }
    for name in theory.TABLES.get(id, {}):
        found[f"tables/{id}/{name}"] = Table("dpbandits.theory.table", {"paper": id, "name": name})
    for each in experiments:
        design = {key: getattr(each.design, key) for key in ("groups", "columns", "runs_of_paper")}
        given = {"traces": plan.runs_of(each), "order": list(each.series), "quantity": each.design.recorded, **design}
        found[f"summaries/{id}/{each.id}"] = Table("dpbandits.statistics.summaries.table", given)
    return found


def of_arena(plan: "Plan", study: Study) -> dict[str, Table]:
    """Its scores, from runs and from the audits of its policies."""
    scored = list(study.experiments.values())
    traces, audits = plan.runs_by_experiment(scored), plan.file(f"audits/{study.id}")
    given = {"arena": study.arena, "experiments": scored, "traces": traces, "audits": audits}
    return {f"{study.id}/scores": Table("dpbandits.arena.scores.scores", given)}


def audits_of(plan: "Plan", study: Study) -> dict[str, Table]:
    """The audits of its mechanisms, in SHARES parts; those of guests apart, with a confidence of their own; and their union."""
    place, effort = f"audits/{study.id}", plan.settings.audit[plan.settings.scale]
    played = {"seed": plan.seed, "effort": effort, "arena": getattr(study.arena, "epsilons", ())}

    def parts(guests: bool, names: list[str]) -> dict[str, Table]:
        experiments = [
            each.model_copy(update={"policies": {id: p for id, p in each.policies.items() if p.guest == guests}})
            for each in study.experiments.values()
        ]
        given = [{"experiments": experiments, **played, "share": (n, len(names))} for n in range(len(names))]
        made = [Table("dpbandits.audit.lower_bounds.part", each, in_all=False) for each in given]
        return {f"{place}/{name}": table for name, table in zip(names, made, strict=True)}

    ours = parts(False, [str(n + 1) for n in range(SHARES)])
    of_guests = parts(True, ["guests"]) if study.guests else {}
    files = {"parts": list(map(plan.file, ours)), "guests": list(map(plan.file, of_guests))}
    return ours | of_guests | {place: Table("dpbandits.audit.lower_bounds.table", files)}


def files_in(given: Any) -> list[str]:
    """The files among a function's arguments: all strings that end like those of traces and tables."""
    if isinstance(given, str):
        return [given] if given.endswith((".npz", ".csv")) else []
    values = given.values() if isinstance(given, dict) else given if isinstance(given, list | tuple) else ()
    return list(dict.fromkeys(file for value in values for file in files_in(value)))
