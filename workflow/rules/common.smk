# Functions that the rules share: the papers, the files of a paper, and the inputs and parameters of a job. No rule.

import re
from dataclasses import replace
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

from dpbandits import algorithms, claims, environments, studies, simulation, theory, verification
from dpbandits.plan import batches, costs
from dpbandits.arena import expanding as arenas
from dpbandits.arena import names as arena_names
from dpbandits.arena.claims import check as check_arena
from dpbandits.environments.logs import _r6a
from dpbandits.errors import InputError
from dpbandits.studies import checking
from dpbandits.files.fingerprints import fingerprint, fingerprint_of_parts
from dpbandits.theory import bounds

# ---- the configuration and the paper files


try:
    studies.validate_settings(config)
    checking.check_guests(config.get("guests", {}))
    PAPERS = studies.load_all("config/papers", config["scale"], config.get("guests"))
    R6A = _r6a.days(config["r6a"]) if config.get("r6a") else []  # the real news log, if available
    RESULTS = f"results/{config['scale']}" + ("-r6a" if R6A else "")
    if R6A:
        real = {"kind": "news_log", "source": _r6a.source(config["r6a"]), "folder": f"{RESULTS}/news"}
        PAPERS = {
            name: studies.replace_environment(paper, "news", real, keeping=("live",)) for name, paper in PAPERS.items()
        }
    for paper in PAPERS.values():
        checking.check(paper)
    ARENA = None  # without its file there is no arena
    if Path("config/arena.yaml").exists():
        ARENA = arenas.load("config/arena.yaml", config["scale"], config.get("guests"))
        check_arena(ARENA)
except InputError as error:
    raise WorkflowError(str(error)) from None
if workflow.is_main_process:
    for line in studies.guests_report(PAPERS.values()) + (arenas.guests_report(ARENA) if ARENA else []):
        logger.info(line, extra={"at_the_end": True})  # of a dry run

ENVIRONMENT = "../envs/dpbandits.yml"  # of all rules; Snakemake installs it with --sdm conda, and ignores it otherwise
FIGURES = "figures" if RESULTS == "results/paper" else f"{RESULTS}/figures"
VERDICTS = "claims" if RESULTS == "results/paper" else f"{RESULTS}/claims"
REFERENCE = RESULTS.replace("results", "reference") if RESULTS != "results/paper" else "reference"


def one_of(names):
    """A pattern that matches only these names, so that a misspelt target is refused at once."""
    return "|".join(sorted(map(re.escape, set(names)))) or "(?!)"


def code_of(*modules):
    """The hash of the source code of these modules and of all that they import, as a parameter of a rule."""
    return lambda wildcards: fingerprint(*modules)


# ---- simulate: one job simulates a block of runs of a batch of policies


# "<paper>/<experiment>/<batch>" -> the experiment and the batch; a policy that is the same in both readings is here once.
BATCHES = {
    f"{paper.id}/{experiment.id}/{batch.id}": (experiment, batch)
    for paper in PAPERS.values()
    for experiment in paper.experiments.values()
    for batch in batches.batches(experiment, config["seed"], apart=config["guests"])
}
for experiment in ARENA.experiments.values() if ARENA else []:
    for batch in batches.batches(experiment, config["seed"], config["guests"], **arena_names.JOBS):
        BATCHES[f"{experiment.paper}/{experiment.id}/{batch.id}"] = (experiment, batch)
BATCH_OF = {
    (experiment.paper, experiment.id, policy): name
    for name, (experiment, batch) in BATCHES.items()
    for policy in batch.policies
}


def spec_of(wildcards):
    return BATCHES[wildcards.simulation][1].spec


def runs_of(wildcards):
    return int(wildcards.last) - int(wildcards.first) + 1


def blocks(name):
    """The first and last run of every block of a batch."""
    _, batch = BATCHES[name]
    size = config["block"]
    if size == "auto":
        size = batch.block
    elif isinstance(size, dict):
        size = costs.runs_in(size["minutes"], batch.spec)
    return [(first, min(first + size, batch.runs) - 1) for first in range(0, batch.runs, size)]


def traces_of(name):
    """The files of a batch's runs."""
    return [f"{RESULTS}/traces/{name}/{first}-{last}.npz" for first, last in blocks(name)]


def worth_submitting(name):
    """Whether a batch's jobs, all of one size except for the last, are submitted to the cluster, if there is one."""
    if not config["submit_above"]:
        return True
    first, last = blocks(name)[0]
    return costs.seconds(BATCHES[name][1].spec, last - first + 1) >= config["submit_above"]


if workflow.is_main_process:
    for line in batches.times_of(config["guests"], [batch for _, batch in BATCHES.values()]):
        logger.info(line, extra={"at_the_end": True})

SUBMITTED = {name for name in BATCHES if worth_submitting(name)}

RECORDS = [f"{RESULTS}/news/{name}" for name in ("events.bin", "tables.npz", "report.json")]


def records_of(wildcards):
    """The files that an experiment on a recorded news log reads."""
    return RECORDS[:2] if spec_of(wildcards)["environment"]["kind"] == "news_log" else []


# ---- summarise, draw, judge, tabulate, account


def experiment_of(wildcards):
    return PAPERS[wildcards.paper].experiments[wildcards.experiment]


def runs_of_experiment(experiment):
    """The traces of an experiment: the specification of the simulation, the files, and the experiment's series."""
    series_of_batch = {}
    for policy in experiment.policies:
        batch = BATCH_OF[experiment.paper, policy.home, policy.id]
        series_of_batch.setdefault(batch, []).extend(series.id for series in policy.series)
    return [
        {"spec": BATCHES[batch][1].spec, "files": traces_of(batch), "series": series}
        for batch, series in series_of_batch.items()
    ]


def files_of(experiments):
    """The files of all traces of these experiments, each once."""
    return list(dict.fromkeys(file for e in experiments for part in runs_of_experiment(e) for file in part["files"]))


def figure_of(wildcards):
    return PAPERS[wildcards.paper].figures[wildcards.figure]


def labels_of(wildcards):
    """The labels of a figure in Snakemake's own report."""
    figure = figure_of(wildcards)
    panel = re.sub("^fig(?=[0-9])", "Figure ", figure.id.removesuffix(".corrected"))
    return {"panel": panel, "reading": figure.reading or "both", "shows": figure.title or figure.caption}


def claimed(paper):
    """The experiments, in all their readings, that a paper's claims are about."""
    paper = PAPERS[paper]
    bases = dict.fromkeys(base for claim in paper.claims for base in claim.experiments)
    return [experiment for base in bases for experiment in paper.readings_of(base)]


# "<paper>/<claim>" -> the claim and the experiments, in those readings in which it is judged.
CLAIMS = {
    f"{paper.id}/{claim.id}": (
        claim,
        [e for base in claim.experiments for e in paper.readings_of(base) if claims.is_judged(claim, e)],
    )
    for paper in PAPERS.values()
    for claim in paper.claims
}


def drawn_in(paper):
    """Experiment -> the figures that draw it."""
    return {e: [f.id for f in PAPERS[paper].figures.values() if e in f.experiments] for e in PAPERS[paper].experiments}


def series_of_guests():
    """Guest -> its series in all papers, and its names in the arena, which the reference does not have."""
    experiments = [experiment for paper in PAPERS.values() for experiment in paper.experiments.values()]
    series = [(s.policy, s.id) for experiment in experiments for s in experiment.series.values()]
    if ARENA:
        series += [(member.first or name, name) for name, member in ARENA.members.items()]
    return {guest: sorted({id for policy, id in series if policy == guest}) for guest in config["guests"]}


def traces_of_arena():
    """Experiment -> its traces."""
    return {experiment.id: runs_of_experiment(experiment) for experiment in ARENA.experiments.values()}


def audited_in_arena():
    """The arena's experiments as an audit sees them: a second self is the same mechanism as the first."""
    first = {name for name, member in ARENA.members.items() if not member.first}
    return [
        replace(experiment, policies=tuple(policy for policy in experiment.policies if policy.id in first))
        for experiment in ARENA.experiments.values()
    ]


def without_claims(arena):
    """The arena as scores and figures see it, so that a change of a claim does not repeat these."""
    return replace(arena, claims=())


# ---- the files of a paper


def figures_of(paper):
    """All figure files of a paper."""
    return [f"{FIGURES}/{paper}/{figure}.{kind}" for figure in PAPERS[paper].figures for kind in config["formats"]]


def pictures_of(paper):
    """The pictures of a paper's figures in the report, and the files with their values."""
    return [
        f"{RESULTS}/pictures/{paper}/{figure}.{kind}" for figure in PAPERS[paper].figures for kind in ("png", "json")
    ]


def summaries_of(paper):
    """Every summary of a paper. They are separate targets: a deleted one is recreated even if its figure exists."""
    return [f"{RESULTS}/summaries/{paper}/{experiment}.csv" for experiment in PAPERS[paper].experiments]


def claims_of(paper):
    return f"{RESULTS}/claims/{paper}.csv"


def accounts_of(paper):
    return f"{RESULTS}/accounts/{paper}.csv"


def audits_of(paper):
    """The audits of a paper's policies, and the figure of them."""
    return [
        f"{RESULTS}/audits/{paper}.csv",
        *(f"{FIGURES}/{paper}/s-audit.{kind}" for kind in config["formats"]),
    ]


def tables_of(paper):
    return [f"{RESULTS}/tables/{paper}/{table}.csv" for table in theory.TABLES.get(paper, {})]


def results_of(paper):
    """All files of a paper's target."""
    return [*figures_of(paper), *summaries_of(paper), claims_of(paper), *tables_of(paper)]


def results_of_arena():
    """All files of the arena's target."""
    if not ARENA:
        return []
    figures = [f"{FIGURES}/arena/{figure}.{kind}" for figure in arena_names.FIGURES for kind in config["formats"]]
    return figures + [f"{RESULTS}/arena/{table}.csv" for table in arena_names.TABLES]


def shown_of_arena():
    """The files of the arena that the report shows."""
    if not ARENA:
        return []
    tables = [f"{RESULTS}/arena/{table}.csv" for table in arena_names.TABLES]
    kinds = ("png", "json")
    return tables + [f"{RESULTS}/pictures/arena/{figure}.{kind}" for figure in arena_names.FIGURES for kind in kinds]


def logs_of_batch(name):
    """The logs of a batch's simulate jobs, which tell what they cost."""
    return [f"{RESULTS}/logs/simulate/{name}/{first}-{last}.log" for first, last in blocks(name)]


def logs_of(paper):
    """Those of all simulate jobs of a paper or of the arena."""
    return [file for name in BATCHES if name.startswith(f"{paper}/") for file in logs_of_batch(name)]


# ---- the source code that a result depends on


def code_of_figure(wildcards):
    """The hash of the code of figures, and of those bounds of the theory that this figure shows."""
    figure = figure_of(wildcards)
    of_others = {"theory.bounds", "figures.diagrams"} if figure.panels else {"theory.bounds"}  # a diagram has no panels
    shown = {name for panel in figure.panels for name in (*panel.overlay.values(), panel.regimes) if name}
    parts = [fingerprint_of_parts(bounds.module_name(name), [name]) for name in sorted(shown)]
    return " ".join([fingerprint("figures", without=of_others), *parts])


def algorithms_of(experiments):
    return {algorithms.module_name(series.algorithm) for e in experiments for series in e.series.values()}


def code_of_accounts(paper):
    """The hash of the code of a paper's algorithms and environments, and of the accounts table."""
    experiments = paper.experiments.values()
    played = {environments.module_name(e.environment["kind"]) for e in experiments}
    return fingerprint("audit.accounts", "files.tables", *played, *algorithms_of(experiments))


def code_of_audits(experiments):
    """The hash of the code of the audits, and of the algorithms, whose kernels they play."""
    return fingerprint("audit.lower_bounds", "files.tables", *algorithms_of(experiments.values()))


def code_of_claims(experiments):
    """The hash of the code of the measures, and of the algorithms, whose promises and schedules some measures use."""
    return fingerprint("claims", "files.traces", "files.tables", *algorithms_of(experiments))


def code_of_arena(module):
    """The hash of a module of the arena and of its algorithms, whose promises it reads."""
    return fingerprint(module, "files.traces", "files.tables", *algorithms_of(ARENA.experiments.values()))


def templates_digest(wildcards):
    from dpbandits import report  # here, since only the page needs it, and importing it takes half a second

    return report.templates_digest()
