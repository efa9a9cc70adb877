"""The registry of jobs: to add a table, write the function that makes it and enter it here, in `tables` or what it calls.

A job is a call of a function, which is repeated when what the function is given changes, or a file in it, or the code that it runs.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpbandits import theory
from dpbandits.arena import FIGURES as SCORES
from dpbandits.plan.fingerprints import code_of
from dpbandits.studies.experiment import Experiment
from dpbandits.studies.model import Study
from dpbandits.studies.sentence import PRIVACY
from dpbandits.verdicts.judging import Case, needs_runs

if TYPE_CHECKING:
    from dpbandits.plan.plan import Plan

SHARES = 4  # of a study's audited mechanisms, one a job: those of the arena take a minute


@dataclass(frozen=True)
class Call:
    """How something is made: function(**given)."""

    function: str
    given: dict[str, Any]
    in_all: bool = True  # whether a full run makes it, if it is a table
    reads: tuple[str, ...] = ()  # files besides those that are given
    more_code: str = ""

    @property
    def files(self) -> list[str]:
        """The files that it reads."""
        return [*self.reads, *files_in(self.given)]

    @property
    def job(self) -> dict[str, Any]:
        """The call and its code, as the parameter of a job."""
        code = code_of(self.function, self.given) + self.more_code
        return {"function": self.function, "given": self.given, "code": code}


def files_in(given: Any) -> list[str]:
    """The files among a function's arguments: all strings that end like those of traces and tables."""
    if isinstance(given, str):
        return [given] if given.endswith((".npz", ".csv")) else []
    values = given.values() if isinstance(given, dict) else given if isinstance(given, list | tuple) else ()
    return list(dict.fromkeys(file for value in values for file in files_in(value)))


def traces(plan: "Plan") -> dict[str, Call]:
    """`<study>/<experiment>/<batch>/<first>-<last>` -> how these runs are simulated.

    A guest's runs without compilation are made again with it, so that no figure hides a kernel that cannot be compiled.
    """
    plain, found = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"), {}
    for batch in (each for several in plan.batches.values() for each in several):
        for chunk in batch:
            spec = chunk["spec"]
            reads = tuple(plan.records) if spec["environment"]["kind"] == "news_log" else ()
            more_code = " plain" if plain and spec["policy"] in plan.guests else ""
            found[name_of(chunk)] = Call("dpbandits.simulation.simulate", chunk, reads=reads, more_code=more_code)
    return found


def name_of(chunk: Mapping[str, Any]) -> str:
    """The name of a chunk's trace."""
    return "{paper}/{experiment}/{policy}".format(**chunk["spec"]) + "/{first}-{last}".format(**chunk)


def runs_of(plan: "Plan", experiments: Iterable[Experiment]) -> dict[str, list[tuple]]:
    """Experiment -> the specifications of its simulations, with their files, in all readings."""
    return {
        e.id: [
            (batch[0]["spec"], [f"{plan.results}/traces/{name_of(chunk)}.npz" for chunk in batch])
            for batch in plan.batches[e.paper, e.id]
        ]
        for e in experiments
    }


def tables(plan: "Plan") -> dict[str, Call]:
    """All tables; each is a file of its name below the results."""
    found = {}
    for id, study in plan.studies.items():
        found |= (of_arena if study.arena else of_paper)(plan, study) | audits_of(plan, study)
        booked = {"experiments": list(study.experiments.values())}
        found[f"ledgers/{id}"] = Call("dpbandits.audit.accounts.ledgers", booked, in_all=False)
    claims = [plan.file(f"claims/{paper}") for paper in plan.papers]
    found["sentences"] = Call("dpbandits.verdicts.sentences.table", {"papers": plan.papers, "files": claims})
    compared = []  # panels with published points
    for id, files in plan.drawn.items():
        for name, file in files.items():
            (panel,) = plan.papers[id].figures[name].panels
            experiment, summary = (
                plan.papers[id].experiments[panel.experiment],
                plan.file(f"summaries/{id}/{panel.experiment}"),
            )
            compared.append({"panel": panel, "experiment": experiment, "summary": summary, "published": file})
    found["distances"] = Call("dpbandits.studies.published.table", {"compared": compared})
    return found


def of_paper(plan: "Plan", paper: Study) -> dict[str, Call]:
    """Summaries of its runs, accounts of privacy, tests of its sentences, and tables of its theorems."""
    id, experiments = paper.id, list(paper.experiments.values())
    found = {
        f"accounts/{id}": Call("dpbandits.audit.accounts.table", {"experiments": experiments}),
        f"claims/{id}": Call("dpbandits.verdicts.judging.table", to_judge(plan, paper, plan.cases[id])),
    }
    for name in theory.TABLES.get(id, {}):
        found[f"tables/{id}/{name}"] = Call("dpbandits.theory.table", {"paper": id, "name": name})
    for each, runs in zip(experiments, runs_of(plan, experiments).values(), strict=True):
        design = {key: getattr(each.design, key) for key in ("groups", "columns", "runs_of_paper")}
        given = {"traces": runs, "order": list(each.series), "quantity": each.design.recorded, **design}
        found[f"summaries/{id}/{each.id}"] = Call("dpbandits.statistics.summaries.table", given)
    return found


def of_arena(plan: "Plan", study: Study) -> dict[str, Call]:
    """Its scores, from runs and from the audits of its policies."""
    scored = list(study.experiments.values())
    given = {"arena": study.arena, "experiments": scored, "traces": runs_of(plan, scored)}
    return {
        f"{study.id}/scores": Call("dpbandits.arena.scores.scores", given | {"audits": plan.file(f"audits/{study.id}")})
    }


def audits_of(plan: "Plan", study: Study) -> dict[str, Call]:
    """The audits of its mechanisms, in SHARES parts; those of guests apart, with a confidence of their own; and their union."""
    place, ours = f"audits/{study.id}", [str(n + 1) for n in range(SHARES)]
    given = {
        "seed": plan.seed,
        "effort": plan.settings.audit[plan.scale],
        "arena": getattr(study.arena, "epsilons", ()),
    }
    files: dict[str, list[str]] = {"parts": [], "guests": []}
    found = {}
    for who, names in {"parts": ours, "guests": ["guests"] if study.guests else []}.items():
        experiments = [
            each.model_copy(
                update={"policies": {id: p for id, p in each.policies.items() if p.guest == (who == "guests")}}
            )
            for each in study.experiments.values()
        ]
        for n, name in enumerate(names):
            part = {"experiments": experiments, **given, "share": (n, len(names))}
            found[f"{place}/{name}"] = Call("dpbandits.audit.lower_bounds.part", part, in_all=False)
            files[who].append(plan.file(f"{place}/{name}"))
    return found | {place: Call("dpbandits.audit.lower_bounds.table", files)}


def figures(plan: "Plan") -> dict[str, Call]:
    """`<study>/<figure>` -> how it is drawn."""
    found = {}
    for id, study in plan.studies.items():
        files = plan.drawn.get(id, {}) if plan.settings.published_points in (True, "true") else {}
        for name, figure in study.figures.items():
            given = {
                "figure": figure,
                "experiments": [study.experiments[e] for e in figure.experiments],
                "summaries": [plan.file(f"summaries/{id}/{e}") for e in figure.experiments],
                "published": [files[p.drawn_as] for p in figure.panels if p.drawn_as in files],
                "estimator": plan.settings.estimator,
            }
            found[f"{id}/{name}"] = Call("dpbandits.figures.make", given)
        for name in SCORES if study.arena else ():
            given = {"name": name, "arena": study.arena, "scores": plan.file(f"{id}/scores")}
            found[f"{id}/{name}"] = Call("dpbandits.arena.pictures.make", given)
    for name, call in found.items():
        small = [f"{plan.results}/pictures/{name}.{kind}" for kind in ("png", "svg")]
        call.given["outputs"] = [*plan.pictures(name), *small]
    return found


def asked(plan: "Plan") -> dict[str, Call]:
    """`claims/<study>/<test>`, `sentences/<study>/<sentence>` -> how a test, or those of a sentence, are judged and printed."""
    found = {}
    for id, study in plan.papers.items():
        wanted = {f"claims/{id}/{test}": ([], [test]) for test in study.tests}
        wanted |= {f"sentences/{id}/{name}": ([name], said.all_tests) for name, said in study.sentences.items()}
        for target, (names, tests) in wanted.items():
            judged = to_judge(plan, study, [case for case in plan.cases[id] if case.id in tests])
            found[target] = Call("dpbandits.verdicts.sentences.said", {"study": study, "names": names, **judged})
    return found


def to_judge(plan: "Plan", study: Study, judged: list[Case]) -> Mapping[str, Any]:
    """These cases with the files of their runs and, for promises of privacy, the audits."""
    measured = {e.id: e for case in judged if needs_runs(case.measure) for e in case.experiments}
    audits = plan.file(f"audits/{study.id}") if any(case.kind == PRIVACY for case in judged) else ""
    return {"cases": judged, "traces": runs_of(plan, measured.values()), "seed": plan.seed, "audits": audits}


def others(plan: "Plan") -> dict[str, Call]:
    """What a run makes once: the records of R6A, the comparison with the reference, and the page."""
    records = dict(zip(("events", "tables", "report"), plan.records, strict=True))
    compared = {
        "figures": {name: [f for f in call.files if f.startswith(plan.results)] for name, call in plan.figures.items()},
        "tables": [plan.file(name) for name, table in plan.tables.items() if table.in_all],
        "folders": [plan.results, f"{plan.top}figures", plan.reference],
        "formats": plan.settings.formats,
        "guests": plan.names_of_guests(),
    }
    page = {"studies": plan.studies, "folders": compared["folders"][:2], "settings": dict(plan.settings)}
    return {
        "records": Call("dpbandits.environments.logs._r6a.read", {"files": plan.log_of_news, **records}),
        "comparison": Call("dpbandits.verification.compare", compared),
        "verify": Call("dpbandits.verification.verify", compared),
        "page": Call("dpbandits.report.write", page),
    }
