"""The arguments of jobs that are not files: a function for each rule that needs any.

A function takes the plan and the wildcards of the rule. Its result has the arguments of the
function or the script that the job runs. `simulations` has the headers of the traces that the job
reads, in the order of the plan's table. `modules`, if any, are code that the job runs and does not
import: measures, theorems, and the policies and bandits of other things than `experiments`.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dpbandits import __version__, theory
from dpbandits.audit.mechanisms import mechanisms
from dpbandits.errors import check_known, in_one_line
from dpbandits.parameters import file_of
from dpbandits.plan.batches import Batch
from dpbandits.plan.layout import USUAL_SEED
from dpbandits.plan.plan import Plan
from dpbandits.plan.tables import BATCH, GUESTS, SHARES
from dpbandits.policies import POLICIES
from dpbandits.studies.experiment import Experiment, Policy
from dpbandits.theory import bounds

Arguments = dict[str, Any]
# The header of a simulation's traces, and the first and last run of each.
Simulated = tuple[dict[str, Any], Sequence[tuple[int, int]]]
SHOWN = ("seed", "scale", "estimator", "formats", "r6a")  # settings on the page


# ---- simulations and what is computed from their traces


def simulation(
    plan: Plan, study: str, experiment: str, policies: str, first: str, last: str
) -> Arguments:
    """A chunk of runs of a batch."""
    batch, chunk = plan.batch(study, experiment, policies), (int(first), int(last))
    if chunk not in batch.chunks:
        known = ["{}-{}".format(*each) for each in batch.chunks]
        check_known("", f"chunk of {policies}", [f"{first}-{last}"], known)
    played = plan.simulation(batch)
    parts = [played, played.bandit, *played.policies.values()]
    modules = sorted({type(each).__module__ for each in parts})
    return {"simulation": played, "first": chunk[0], "last": chunk[1], "modules": modules}


def summary(plan: Plan, paper: str, experiment: str) -> Arguments:
    """The statistics of an experiment. A Nash regret is computed from the regrets of all runs."""
    summarised = plan.experiment(paper, experiment)
    design = summarised.design
    return {
        "simulations": _simulations(plan, plan.batches[paper, experiment]),
        "order": list(summarised.series),
        "quantity": design.quantity.removeprefix("nash_"),
        "groups": design.groups,
        "columns": design.columns,
        "runs_of_paper": design.runs_of_paper,
    }


def checks(plan: Plan, paper: str, ids: Collection[str] | None = None) -> Arguments:
    """The checks of a paper, or those of these ids, and the simulations that they measure."""
    chosen = [each for each in plan.checks[paper] if ids is None or each.id in ids]
    measured = plan.measured(paper, {each.id for each in chosen})[BATCH].drop_duplicates()
    return {
        "checks": chosen,
        "simulations": _simulations(plan, (plan.batch(*names) for names in measured.to_numpy())),
        "seed": plan.settings.seed,
        "modules": [
            *(each.measure.__module__ for each in chosen),
            *(name for each in chosen for one in each.experiments for name in one.modules),
            *bounds.MODULES,
        ],
    }


def answer(plan: Plan, paper: str, claims: Sequence[str], ids: Collection[str]) -> Arguments:
    """Some checks of a paper, and the claims that they answer."""
    about = {"study": plan.studies[paper], "claims": claims, "scale": plan.settings.scale}
    return about | checks(plan, paper, ids)


def claims(plan: Plan) -> Arguments:
    """The claims of all papers."""
    return {"papers": plan.papers}


def scores(plan: Plan, arena: str) -> Arguments:
    """The scores of an arena's policies."""
    study = plan.studies[arena]
    batches = (each for name in study.experiments for each in plan.batches[arena, name])
    played = {"arena": study.arena, "simulations": _simulations(plan, batches)}
    return promises(plan, arena) | played


# ---- privacy


def promises(plan: Plan, study: str) -> Arguments:
    """The promises of a study's policies, and their ledgers."""
    return {"experiments": list(plan.studies[study].experiments.values())}


def audit(plan: Plan, study: str, share: str) -> Arguments:
    """A share of the audits of a study's policies, or all of those of guests.

    An arena's are audited at its smallest and its largest epsilon, because audits at the others
    decided nothing. A replay serves every epsilon.
    """
    arena = plan.studies[study].arena
    ends = {min(arena.epsilons), max(arena.epsilons)} if arena else ()
    return {
        "experiments": _with(plan, [study], lambda policy: policy.guest == (share == GUESTS)),
        "seed": plan.settings.seed,
        "effort": plan.settings.audit[plan.settings.scale],
        "arena": sorted(ends),
        "share": (0, 1) if share == GUESTS else (SHARES.index(share), len(SHARES)),
    }


def replays(plan: Plan, study: str) -> Arguments:
    """The policies of a study that are replayed; a guest has a table of its own."""
    return {"table": "table", "experiments": _with(plan, [study], lambda policy: not policy.guest)}


def guest(plan: Plan, policy: str) -> Arguments:
    """The mechanisms of a guest in all studies: other runs, epsilons or labels repeat no replay.

    Simulations of the guest wait for its replay.
    """
    module = POLICIES.module_of(plan.settings.guests[policy].algorithm)
    with in_one_line(file_of(module)):
        rows = mechanisms(_with(plan, plan.studies, lambda one: one.id == policy))
    rows = rows.assign(label=policy).drop_duplicates().to_dict("records")
    return {"table": "table_of_guest", "mechanisms": rows, "modules": [module]}


def theorem(plan: Plan, paper: str, table: str) -> Arguments:
    """A table that a paper proves: a function of the paper's module."""
    check_known("", f"table of {paper}", [table], theory.TABLES.get(paper, ()))
    return {"modules": [POLICIES.module_of(name) for name in theory.LEDGERS.get(table, ())]}


# ---- figures


def figure(plan: Plan, paper: str, figure: str) -> Arguments:
    """A figure of a paper."""
    drawn = plan.figure(paper, figure)
    known = plan.studies[paper].experiments
    experiments = [
        replace(known[name], policies=_with_looks(plan, known[name].policies))
        for name in drawn.experiments
    ]
    shows_theorems = any(panel.overlay or panel.regimes for panel in drawn.panels)
    return {
        "experiments": experiments,
        "figure": drawn,
        "estimator": plan.settings.estimator,
        "modules": bounds.MODULES if shows_theorems else (),
    }


def compared_panels(plan: Plan) -> Arguments:
    """The panels whose points the authors drew, each with its experiment."""
    panels = [
        (panel, plan.experiment(paper, panel.experiment))
        for paper, files in plan.published.items()
        for name in files
        for panel in plan.figure(paper, name).panels
    ]
    return {"panels": panels}


def scored_figure(plan: Plan, arena: str, figure: str) -> Arguments:
    """A figure of an arena."""
    scored = plan.studies[arena].arena
    return {
        "name": figure,
        "arena": replace(scored, members=_with_looks(plan, scored.members)),
    }


# ---- the run as a whole


def comparison(plan: Plan, study: str = "") -> Arguments:
    """The tables of a run, or of one study, and the options of `verification.verify_run`."""
    settings, layout = plan.settings, plan.layout
    names = plan.figures(study)
    drawn = plan.outputs[plan.outputs["kind"] == "figure"].set_index("name").loc[names]
    as_usual = settings.estimator == "default" and plan.shows_points
    series = {
        name
        for each in plan.studies.values()
        for guest, shown in each.guests.items()
        for name in (guest, *shown)
    }
    options = {
        "figures": drawn["draws"].to_dict(),
        "reference": layout.reference,
        "formats": settings.formats,
        "guests": sorted(series),
        "changed": sorted(drawn.index[drawn["guests"].astype(bool)] if as_usual else names),
        "is_usual": layout.seed == USUAL_SEED and not layout.real_log,
        "study": study,
    }
    return {"tables": plan.tables(study), "options": options}


def page(plan: Plan) -> Arguments:
    """The studies, and the settings that the page shows."""
    shown = {key: getattr(plan.settings, key) for key in SHOWN}
    return {"studies": plan.studies, "settings": shown | {"version": __version__}}


# ---- parts of several jobs


def _with_looks(plan: Plan, policies: Mapping[str, Policy]) -> dict[str, Policy]:
    """The policies with the looks of guests, on which only drawings depend."""
    chosen = {name: guest.look for name, guest in plan.settings.guests.items()}
    return {
        id: each.changed(lambda series: replace(series, look=chosen.get(series.policy)))
        for id, each in policies.items()
    }


def _simulations(plan: Plan, batches: Iterable[Batch]) -> dict[str, list[Simulated]]:
    """Experiment -> its batches, whose traces a job reads."""
    result: dict[str, list[Simulated]] = {}
    for batch in batches:
        traces = plan.simulation(batch).header, batch.chunks
        result.setdefault(batch.experiment.id, []).append(traces)
    return result


def _with(plan: Plan, studies: Iterable[str], plays: Callable[[Policy], bool]) -> list[Experiment]:
    """The experiments of studies with some of their policies."""
    return [
        replace(each, policies={id: one for id, one in each.policies.items() if plays(one)})
        for study in studies
        for each in plan.studies[study].experiments.values()
        if any(map(plays, each.policies.values()))
    ]
