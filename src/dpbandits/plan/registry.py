"""The registry of jobs: to add a table, write the function that makes it and enter it here, in `tables` or what it calls.

A job is a call of a function, which is repeated when its arguments, a file that they name, or the code that it runs changes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpbandits import theory
from dpbandits.arena import FIGURES as SCORES
from dpbandits.checks.judging import PlacedCheck, needs_runs
from dpbandits.plan.fingerprints import code_of
from dpbandits.studies.claim import PRIVACY
from dpbandits.studies.model import Study

if TYPE_CHECKING:
    from dpbandits.plan.plan import Plan

SHARES = 4  # of a study's audited mechanisms, one a job: those of the arena take a minute


@dataclass(frozen=True)
class Call:
    """How something is made: function(**given)."""

    function: str
    given: dict[str, Any]
    in_all: bool = True  # whether a full run makes it, if it is a table

    @property
    def files(self) -> list[str]:
        """The files that it reads."""
        return files_in(self.given)

    @property
    def job(self) -> dict[str, Any]:
        """The call and its code, as the parameter of a job."""
        return {
            "function": self.function,
            "given": self.given,
            "code": code_of(self.function, self.given),
        }


Calls = Iterator[tuple[str, Call]]  # by the name of what is made


def files_in(given: Any) -> list[str]:
    """The files among a function's arguments: all strings that end like those of traces and tables."""
    if isinstance(given, str):
        return [given] if given.endswith((".npz", ".csv")) else []
    values = (
        given.values()
        if isinstance(given, dict)
        else given
        if isinstance(given, list | tuple)
        else ()
    )
    return list(dict.fromkeys(file for value in values for file in files_in(value)))


def name_of(chunk: Mapping[str, Any]) -> str:
    """The name of a chunk's trace: `<study>/<experiment>/<batch>/<first>-<last>`."""
    return "{paper}/{experiment}/{policy}".format(**chunk["spec"]) + "/{first}-{last}".format(
        **chunk
    )


def traces(plan: "Plan") -> Calls:
    """All traces."""
    for chunk in (chunk for found in plan.batches.values() for batch in found for chunk in batch):
        yield name_of(chunk), Call("dpbandits.simulation.simulate", chunk)


def tables(plan: "Plan") -> Calls:
    """All tables; each is a file of its name below the results."""
    compared: list[dict[str, Any]] = []  # panels whose points the authors drew
    for id, study in plan.studies.items():
        experiments = list(study.experiments.values())
        yield (
            f"ledgers/{id}",
            Call("dpbandits.audit.accounts.ledgers", {"experiments": experiments}, in_all=False),
        )
        yield from audits_of(plan, study)
        if study.arena:
            given = {
                "arena": study.arena,
                "experiments": experiments,
                "audits": plan.file(f"audits/{id}"),
            }
            yield (
                f"{id}/scores",
                Call(
                    "dpbandits.arena.scores.scores", given | {"traces": plan.runs_of(experiments)}
                ),
            )
            continue
        for name, file in plan.drawn[id].items():
            (panel,) = study.figures[name].panels
            files = {"summary": plan.file(f"summaries/{id}/{panel.experiment}"), "published": file}
            compared.append(
                {"panel": panel, "experiment": study.experiments[panel.experiment], **files}
            )
        yield f"accounts/{id}", Call("dpbandits.audit.accounts.table", {"experiments": experiments})
        yield (
            f"checks/{id}",
            Call("dpbandits.checks.judging.table", to_judge(plan, study, plan.cases[id])),
        )
        for name in theory.TABLES.get(id, ()):
            yield f"tables/{id}/{name}", Call(f"dpbandits.theory.{id}.{name}", {})
        for name, runs in plan.runs_of(experiments).items():
            experiment = study.experiments[name]
            design = {
                key: getattr(experiment.design, key)
                for key in ("groups", "columns", "runs_of_paper")
            }
            quantity = experiment.design.quantity.removeprefix(
                "nash_"
            )  # which is made of the runs' regrets
            given = {
                "traces": runs,
                "order": list(experiment.series),
                "quantity": quantity,
                **design,
            }
            yield f"summaries/{id}/{name}", Call("dpbandits.statistics.summaries.table", given)
    checks = [plan.file(f"checks/{paper}") for paper in plan.papers]
    yield (
        "claims",
        Call("dpbandits.checks.answers.table", {"papers": plan.papers, "files": checks}),
    )
    yield "distances", Call("dpbandits.studies.drawn_points.table", {"compared": compared})


def audits_of(plan: "Plan", study: Study) -> Calls:
    """The audits of its mechanisms, in SHARES parts; those of guests apart, with a confidence of their own; and their union."""
    given = {"seed": plan.seed, "effort": plan.settings.audit[plan.scale]}
    given["arena"] = getattr(study.arena, "epsilons", ())
    files: dict[str, list[str]] = {"parts": [], "guests": []}
    for who, names in {
        "parts": range(1, SHARES + 1),
        "guests": ["guests"] if study.guests else [],
    }.items():
        experiments = []
        for each in study.experiments.values():
            policies = {
                id: policy
                for id, policy in each.policies.items()
                if policy.guest == (who == "guests")
            }
            experiments.append(each.model_copy(update={"policies": policies}))
        for n, name in enumerate(names):
            part = {"experiments": experiments, **given, "share": (n, len(names))}
            yield (
                f"audits/{study.id}/{name}",
                Call("dpbandits.audit.lower_bounds.part", part, in_all=False),
            )
            files[who].append(plan.file(f"audits/{study.id}/{name}"))
    yield f"audits/{study.id}", Call("dpbandits.audit.lower_bounds.table", files)


def figures(plan: "Plan") -> Calls:
    """All figures: `<study>/<figure>`."""

    def outputs(name: str) -> list[str]:
        of_page = [f"{plan.results}/pictures/{name}.{kind}" for kind in ("png", "svg")]
        return plan.pictures(name) + of_page

    for id, study in plan.studies.items():
        points = plan.drawn.get(id, {}) if plan.settings.published_points in (True, "true") else {}
        for name, figure in study.figures.items():
            given = {
                "figure": figure,
                "experiments": [study.experiments[e] for e in figure.experiments],
                "summaries": [plan.file(f"summaries/{id}/{e}") for e in figure.experiments],
                "published": [
                    points[panel.drawn_as] for panel in figure.panels if panel.drawn_as in points
                ],
                "estimator": plan.settings.estimator,
                "outputs": outputs(f"{id}/{name}"),
            }
            yield f"{id}/{name}", Call("dpbandits.figures.make", given)
        for name in SCORES if study.arena else ():
            given = {"name": name, "arena": study.arena, "scores": plan.file(f"{id}/scores")}
            yield (
                f"{id}/{name}",
                Call("dpbandits.figures.arena.make", given | {"outputs": outputs(f"{id}/{name}")}),
            )


def asked(plan: "Plan") -> Calls:
    """What is judged and printed alone: `checks/<study>/<check>`, `claims/<study>/<claim>` with its checks."""
    for id, study in plan.papers.items():
        wanted = {f"checks/{id}/{check}": ([], [check]) for check in study.checks}
        wanted |= {
            f"claims/{id}/{name}": ([name], said.all_checks) for name, said in study.claims.items()
        }
        for target, (names, checks) in wanted.items():
            judged = to_judge(plan, study, [case for case in plan.cases[id] if case.id in checks])
            yield (
                target,
                Call(
                    "dpbandits.checks.answers.print_answer",
                    {"study": study, "claims": names, **judged},
                ),
            )


def to_judge(plan: "Plan", study: Study, judged: list[PlacedCheck]) -> Mapping[str, Any]:
    """These cases with the files of their runs and, for promises of privacy, the audits."""
    measured = {e.id: e for case in judged if needs_runs(case.measure) for e in case.experiments}
    audits = plan.file(f"audits/{study.id}") if any(case.kind == PRIVACY for case in judged) else ""
    return {
        "checks": judged,
        "traces": plan.runs_of(measured.values()),
        "seed": plan.seed,
        "audits": audits,
    }


def others(plan: "Plan") -> Calls:
    """What a run makes once: the records of R6A, the comparison with the reference, the page, and a new reference."""
    experiments = [e for study in plan.studies.values() for e in study.experiments.values()]
    guests = [
        policy
        for experiment in experiments
        for policy in experiment.policies.values()
        if policy.guest
    ]
    compared = {
        "figures": {
            name: [f for f in call.files if f.startswith(plan.results)]
            for name, call in plan.figures.items()
        },
        "tables": [plan.file(name) for name, table in plan.tables.items() if table.in_all],
        "folders": [plan.results, f"{plan.top}figures", plan.reference],
        "formats": plan.settings.formats,
        "guests": sorted(
            {
                name
                for guest in guests
                for name in (guest.id, *(series.id for series in guest.series))
            }
        ),
    }
    # Those that the page shows; with all of them a cluster, which has another `submit_above`, would write it again.
    shown = plan.settings.model_dump(include={"seed", "scale", "estimator", "formats", "r6a"})
    page = {"studies": plan.studies, "folders": compared["folders"][:2], "settings": shown}
    yield (
        "records",
        Call("dpbandits.environments.logs._r6a.read", {"files": plan.log_of_news, **plan.records}),
    )
    yield "comparison", Call("dpbandits.verification.compare", compared)
    yield "verify", Call("dpbandits.verification.verify", compared)
    yield "page", Call("dpbandits.page.site.write", page)
    copied = {"studies": plan.studies, "pictures": list(plan.figures)} | {
        k: compared[k] for k in ("tables", "folders")
    }
    yield "reference", Call("dpbandits.publish.make", copied)
