"""The arguments of each job besides files: one function for each rule that needs any.

A function takes the plan and the wildcards of the rule. It returns a namespace, which Snakemake
hands to the script of the rule. Snakemake compares only the `digest`. The `modules`, if any, are
policies, bandits, measures or theorems that the job runs and that its script does not import.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from dpbandits import theory
from dpbandits.arena import FIGURES as ARENA_FIGURES
from dpbandits.bandits import BANDITS
from dpbandits.checks.judging import needs_runs
from dpbandits.errors import check_known
from dpbandits.plan.layout import USUAL_SEED
from dpbandits.plan.plan import Plan
from dpbandits.policies import POLICIES
from dpbandits.studies.claim import PRIVACY
from dpbandits.studies.experiment import Experiment, Policy
from dpbandits.theory import bounds

# The header of a simulation's traces, and the first and last run of each.
Simulated = tuple[dict[str, Any], Sequence[tuple[int, int]]]
SHARES = ("1", "2", "3", "4")  # of a study's audited mechanisms: those of an arena take a minute
GUESTS = "guests"  # the share of the audits of guests, whose confidence is their own


# ---- simulations and what is computed from their traces


def simulation(
    plan: Plan, study: str, experiment: str, policies: str, first: str, last: str
) -> SimpleNamespace:
    """A chunk of runs of a batch."""
    batch, chunk = plan.batch(study, experiment, policies), (int(first), int(last))
    if chunk not in batch.chunks:
        known = ["{}-{}".format(*each) for each in batch.chunks]
        check_known("", f"chunk of {policies}", [f"{first}-{last}"], known)
    simulation = batch.simulation
    parts = [simulation, simulation.bandit, *simulation.policies.values()]
    return SimpleNamespace(
        simulation=simulation,
        first=chunk[0],
        last=chunk[1],
        modules=tuple(sorted({type(each).__module__ for each in parts})),
    )


def reads_log(plan: Plan, study: str, experiment: str) -> bool:
    """Whether an experiment plays Yahoo!'s news log."""
    return plan.experiment(study, experiment).environment["kind"] == "news_log"


def summary(plan: Plan, paper: str, experiment: str) -> SimpleNamespace:
    """The statistics of an experiment. A Nash regret is computed from the regrets of all runs."""
    summarised = plan.experiment(paper, experiment)
    design = summarised.design
    return SimpleNamespace(
        simulations=_simulations(plan, [summarised]),
        order=list(summarised.series),
        quantity=design.quantity.removeprefix("nash_"),
        groups=design.groups,
        columns=design.columns,
        runs_of_paper=design.runs_of_paper,
    )


def checks(plan: Plan, paper: str, ids: Collection[str] | None = None) -> SimpleNamespace:
    """The checks of a paper, or those of these ids, and the batches whose runs they measure."""
    chosen = [each for each in plan.checks[paper] if ids is None or each.id in ids]
    measured: dict[str, set[str]] = {}  # experiment -> policies
    for check in (each for each in chosen if needs_runs(each.measure)):
        for each in check.experiments:
            policies = {series.policy for series in check.series_of(each)}
            measured.setdefault(each.id, set()).update(policies)
    return SimpleNamespace(
        checks=chosen,
        simulations=_simulations(plan, (plan.experiment(paper, id) for id in measured), measured),
        seed=plan.settings.seed,
        modules=(
            *_played(experiment for each in chosen for experiment in each.experiments),
            *sorted({each.measure.__module__ for each in chosen}),
            *bounds.MODULES,
        ),
    )


def answer(plan: Plan, kind: str, paper: str, id: str) -> SimpleNamespace:
    """One check (`kind` is checks), or one claim with all of its checks (`kind` is claims)."""
    study = plan.studies[paper]
    claims = [id] if kind == "claims" else []
    ids = study.claims[id].all_checks if claims else [id]
    scale = plan.settings.scale
    return SimpleNamespace(
        study=study, claims=claims, scale=scale, **vars(checks(plan, paper, ids))
    )


def judges_promises(job: SimpleNamespace) -> bool:
    """Whether some of a job's checks need the audits."""
    return any(check.kind == PRIVACY for check in job.checks)


def claims(plan: Plan) -> SimpleNamespace:
    """The claims of all papers."""
    return SimpleNamespace(papers=plan.papers)


def scores(plan: Plan, arena: str) -> SimpleNamespace:
    """The scores of an arena's policies."""
    study = plan.studies[arena]
    experiments = list(study.experiments.values())
    simulations = _simulations(plan, experiments)
    return _playing(experiments, arena=study.arena, simulations=simulations)


# ---- privacy


def promises(plan: Plan, study: str) -> SimpleNamespace:
    """The promises of a study's policies, and their ledgers."""
    return _playing(plan.studies[study].experiments.values())


def audit(plan: Plan, study: str, share: str) -> SimpleNamespace:
    """A share of the audits of a study's policies, or all of those of guests."""
    return _playing(
        _with(plan, [study], lambda policy: policy.guest == (share == GUESTS)),
        seed=plan.settings.seed,
        effort=plan.settings.audit[plan.settings.scale],
        arena=getattr(plan.studies[study].arena, "epsilons", ()),
        share=(0, 1) if share == GUESTS else (SHARES.index(share), len(SHARES)),
    )


def replays(plan: Plan, study: str) -> SimpleNamespace:
    """The policies of a study that are replayed; a guest has a table of its own."""
    return _playing(_with(plan, [study], lambda policy: not policy.guest))


def policy(plan: Plan, policy: str) -> SimpleNamespace:
    """A guest of all studies, without labels: a new one repeats no simulation."""
    experiments = []
    for each in _with(plan, plan.studies, lambda one: one.id == policy):
        series = [replace(one, label=policy) for one in each.policies[policy].series]
        nameless = replace(each.policies[policy], label=policy, series=tuple(series))
        experiments.append(replace(each, policies={policy: nameless}))
    return _playing(experiments)


def theory_table(plan: Plan, paper: str, table: str) -> SimpleNamespace:
    """A table that a paper proves: a function of the paper's module."""
    check_known("", f"table of {paper}", [table], theory.TABLES.get(paper, ()))
    module = f"dpbandits.theory.{paper}"
    return SimpleNamespace(module=module, function=table, modules=(module,))


# ---- figures


def figure(plan: Plan, paper: str, figure: str) -> SimpleNamespace:
    """A figure of a paper."""
    study = plan.studies[paper]
    drawn = plan.figure(paper, figure)
    experiments = [
        replace(each, policies=_with_looks(plan, each.policies))
        for each in map(study.experiments.get, drawn.experiments)
    ]
    shows_theorems = any(panel.overlay or panel.regimes for panel in drawn.panels)
    return SimpleNamespace(
        experiments=experiments,
        figure=drawn,
        estimator=plan.settings.estimator,
        modules=(*_played(experiments), *(bounds.MODULES if shows_theorems else ())),
    )


def points_in(plan: Plan, paper: str, figure: str) -> list[str]:
    """The files of the points that a figure shows."""
    files = plan.published[paper] if plan.settings.published_points in (True, "true") else {}
    panels = plan.figure(paper, figure).panels
    return [files[panel.drawn_as] for panel in panels if panel.drawn_as in files]


def guests_in(plan: Plan, paper: str, figure: str) -> list[str]:
    """The guests that a figure shows."""
    shown = {series for panel in plan.figure(paper, figure).panels for series in panel.series}
    return [guest for guest, series in plan.studies[paper].guests.items() if shown & series]


def compared_panels(plan: Plan) -> SimpleNamespace:
    """The panels whose points the authors drew, each with its experiment."""
    panels = [
        (panel, plan.experiment(paper, panel.experiment))
        for paper, files in plan.published.items()
        for name in files
        for panel in plan.figure(paper, name).panels
    ]
    return SimpleNamespace(panels=panels)


def scored_figure(plan: Plan, arena: str, figure: str) -> SimpleNamespace:
    """A figure of an arena."""
    scored = plan.studies[arena].arena
    shown = replace(scored, members=_with_looks(plan, scored.members))
    return SimpleNamespace(name=figure, arena=shown)


# ---- the run as a whole


def figures(plan: Plan, study: str) -> list[str]:
    """The names of a study's figures."""
    return list(ARENA_FIGURES if plan.studies[study].arena else plan.studies[study].figures)


def tables(plan: Plan, study: str) -> list[str]:
    """The names of a study's tables in a full run: files below the folder of the results."""
    if plan.studies[study].arena:
        return [f"audits/{study}", f"replays/{study}", f"{study}/scores"]
    per_study = [f"{table}/{study}" for table in ("audits", "replays", "accounts", "checks")]
    theorems = [f"tables/{study}/{table}" for table in theory.TABLES.get(study, ())]
    summaries = [f"summaries/{study}/{name}" for name in plan.studies[study].experiments]
    return [*per_study, *theorems, *summaries]


def table_names(plan: Plan) -> list[str]:
    """The names of all tables in a full run."""
    of_studies = [name for study in plan.studies for name in tables(plan, study)]
    return [*of_studies, "claims", "distances"]


def tables_behind(plan: Plan, study: str, figure: str) -> list[str]:
    """The tables from which a figure is drawn."""
    if plan.studies[study].arena:
        return [f"{study}/scores"]
    experiments = plan.figure(study, figure).experiments
    return [f"summaries/{study}/{experiment}" for experiment in experiments]


def comparison(plan: Plan, study: str = "") -> SimpleNamespace:
    """The tables of a run, or of one study, and the options of `verification.verify_run`."""
    settings, layout = plan.settings, plan.layout
    guests = {
        name
        for each in plan.studies.values()
        for guest, series in each.guests.items()
        for name in (guest, *series)
    }
    behind = {
        f"{id}/{figure}": tables_behind(plan, id, figure)
        for id in ([study] if study else plan.studies)
        for figure in figures(plan, id)
    }
    with_guests = {name for guest in settings.guests for name in guest_results(plan, guest)[0]}
    as_usual = settings.estimator == "default" and settings.published_points in (True, "true")
    options = {
        "figures": behind,
        "reference": layout.reference,
        "formats": settings.formats,
        "guests": sorted(guests),
        "changed": sorted(with_guests if as_usual else behind),
        "is_usual": layout.seed == USUAL_SEED and not layout.real_log,
        "study": study,
    }
    names = tables(plan, study) if study else table_names(plan)
    return SimpleNamespace(tables=names, options=options)


def page(plan: Plan) -> SimpleNamespace:
    """The studies, and the settings that the page shows."""
    shown = plan.settings.model_dump(include={"seed", "scale", "estimator", "formats", "r6a"})
    return SimpleNamespace(studies=plan.studies, settings=shown)


def guest_results(plan: Plan, guest: str) -> tuple[list[str], list[str]]:
    """The figures that a guest is in, and the studies whose audits it is in."""
    drawn, audited = [], []
    for id, study in plan.studies.items():
        shown = [name for name in study.figures if guest in guests_in(plan, id, name)]
        names = ARENA_FIGURES if study.arena else shown
        if guest in study.guests:
            drawn += [f"{id}/{name}" for name in names]
            audited.append(id)
    return drawn, audited


# ---- parts of several jobs


def nothing(plan: Plan, **wildcards: str) -> SimpleNamespace:
    """Files alone."""
    return SimpleNamespace()


def _playing(experiments: Iterable[Experiment], **further: Any) -> SimpleNamespace:
    """Experiments with the modules that they play, and further arguments."""
    experiments = list(experiments)
    return SimpleNamespace(experiments=experiments, modules=_played(experiments), **further)


def _with_looks(plan: Plan, policies: Mapping[str, Policy]) -> dict[str, Policy]:
    """The policies with the looks of guests, on which only drawings depend."""
    chosen = {name: guest.look for name, guest in plan.settings.guests.items()}
    return {
        id: replace(p, series=tuple(replace(each, look=chosen.get(id)) for each in p.series))
        for id, p in policies.items()
    }


def _simulations(
    plan: Plan,
    experiments: Iterable[Experiment],
    policies: Mapping[str, Collection[str]] | None = None,
) -> dict[str, list[Simulated]]:
    """Experiment -> its batches, whose traces a job reads; `policies`: those of each experiment."""
    return {
        e.id: [
            (batch.header, batch.chunks)
            for batch in plan.batches[e.paper, e.id]
            if policies is None or not policies[e.id].isdisjoint(batch.ids)
        ]
        for e in experiments
    }


def _with(plan: Plan, studies: Iterable[str], plays: Callable[[Policy], bool]) -> list[Experiment]:
    """The experiments of studies with some of their policies."""
    return [
        replace(each, policies={id: one for id, one in each.policies.items() if plays(one)})
        for study in studies
        for each in plan.studies[study].experiments.values()
        if any(map(plays, each.policies.values()))
    ]


def _played(experiments: Iterable[Experiment]) -> tuple[str, ...]:
    """The modules of the policies and bandits of experiments."""
    experiments = list(experiments)
    played = {series.algorithm for each in experiments for series in each.series.values()}
    kinds = {each.environment["kind"] for each in experiments}
    return tuple(sorted({*map(BANDITS.module_of, kinds), *map(POLICIES.module_of, played)}))
