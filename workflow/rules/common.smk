# Paths, wildcards, parameters and input functions of all rules.

import re
from pathlib import Path


pathvars:
    results=PLAN.layout.results,
    figures=PLAN.layout.figures,
    logs=f"{PLAN.layout.results}/logs",
    top=PLAN.layout.top,  # of claims/ and checks/ as targets: empty at the paper's scale


def one_of(names):
    """A pattern of exactly these names, so that a misspelt target is refused at once."""
    return "|".join(sorted(map(re.escape, names))) or "(?!)"


POLICIES = {id for each in PLAN.batches for id in PLAN.experiment(*each).policies}


wildcard_constraints:
    study=one_of(PLAN.studies),
    paper=one_of(PLAN.papers),
    arena=one_of(PLAN.arenas),
    experiment=one_of({name for _, name in PLAN.batches}),
    policies=one_of({batch.policies for each in PLAN.batches.values() for batch in each}),
    first=r"\d+",
    last=r"\d+",
    policy=one_of(POLICIES),
    figure=one_of({name for study in PLAN.studies for name in jobs.figures(PLAN, study)}),


# ---- parameters
#
# What a job is given besides files follows from the configuration: a function of
# dpbandits.plan.jobs returns it for the wildcards of a job, as an object. Snakemake hands such an
# object to the script, but neither stores nor compares it. It compares the digest: of this object,
# of the code that the script imports (the policies and bandits that it plays included; comments do
# not count), and of the versions of the libraries that this code imports. So
#
#   one epsilon        runs the simulations of that policy again, and what depends on them
#   a label            draws again, and repeats the accounts and audits that print it
#   a policy's code    runs the simulations and audits of that policy again
#   a new matplotlib   draws again


def given(function):
    """The object that a job is given."""
    return lambda wildcards: function(PLAN, **dict(wildcards.items()))


def digest(script, function):
    """The digest that decides whether a job runs again."""
    path = workflow.source_path(f"../scripts/{script}.py")
    return lambda wildcards: fingerprints.digest(path, given(function)(wildcards))


# ---- input functions; files of the repository are marked `local()` in the rules, so that neither
# a prefix nor a storage provider touches them


def traces_of(job):
    """The traces of the simulations that a job reads, in their order."""
    return [
        "<results>/traces/{paper}/{experiment}/{name}/".format(**header) + f"{first}-{last}.npz"
        for batches in job.simulations.values()
        for header, chunks in batches
        for first, last in chunks
    ]


def traces_of_experiment(wildcards):
    return traces_of(given(jobs.summary)(wildcards))


def traces_of_checks(wildcards):
    return traces_of(given(jobs.checks)(wildcards))


def traces_of_answer(wildcards):
    return traces_of(given(jobs.answer)(wildcards))


def traces_of_arena(wildcards):
    return traces_of(given(jobs.scores)(wildcards))


def audits_of_promises(job, paper):
    """The audits, if the job judges a promise of privacy."""
    return [f"<results>/audits/{paper}.csv"] if jobs.judges_promises(job) else []


def audits_of_checks(wildcards):
    return audits_of_promises(given(jobs.checks)(wildcards), wildcards.paper)


def audits_of_answer(wildcards):
    return audits_of_promises(given(jobs.answer)(wildcards), wildcards.paper)


def audit_parts(wildcards):
    return [f"<results>/audits/{wildcards.study}/{share}.csv" for share in jobs.SHARES]


def audit_of_guests(wildcards):
    """The audit of the policies in config.yaml, if some play in this study."""
    guests = [jobs.GUESTS] if PLAN.studies[wildcards.study].guests else []
    return [f"<results>/audits/{wildcards.study}/{share}.csv" for share in guests]


def counts_of_guest(wildcards):
    """The check of a guest's counts, if a simulation is a guest's."""
    guests = [wildcards.policies] if wildcards.policies in PLAN.settings.guests else []
    return [f"<results>/replays/guests/{guest}.csv" for guest in guests]


def records_of_log(wildcards):
    """The records of Yahoo!'s news log, if an experiment plays it."""
    reads_log = jobs.reads_log(PLAN, wildcards.study, wildcards.experiment)
    return [rules.read_log.output.tables, rules.read_log.output.events] if reads_log else []


def summaries_of_figure(wildcards):
    experiments = PLAN.figure(wildcards.paper, wildcards.figure).experiments
    return [f"<results>/summaries/{wildcards.paper}/{name}.csv" for name in experiments]


def points_of_figure(wildcards):
    """The points that the authors drew, where they are known: files of the repository."""
    return jobs.points_in(PLAN, wildcards.paper, wildcards.figure)


def summaries_beside_points(wildcards):
    compared = jobs.compared_panels(PLAN).panels
    return [f"<results>/summaries/{e.paper}/{e.id}.csv" for _, e in compared]


def published_points(wildcards):
    """All points that the authors drew, of panels whose games are as long as theirs."""
    return [file for files in PLAN.published.values() for file in files.values()]


def reference_tables(wildcards):
    """The tracked tables with which a run is compared: files of the repository."""
    files = [Path(PLAN.layout.reference, f"{name}.csv") for name in jobs.table_names(PLAN)]
    return [str(file) for file in files if file.exists()]


def reference_sums(wildcards):
    """The digests of the reference's pictures."""
    file = Path(PLAN.layout.reference, "SHA256SUMS")
    return [str(file)] if file.exists() else []


def files_of_studies(wildcards):
    """The YAML files that the page offers: files of the repository."""
    files = [file for study in PLAN.studies.values() for file in (study.file, study.claims_file)]
    return [file for file in files if file]


def pictures_of_page(wildcards):
    names = names_of_figures(*PLAN.studies)
    return expand("<results>/pictures/{name}.{format}", name=names, format=["png", "svg"])


# ---- all results


def tables_of(*studies):
    return [f"<results>/{name}.csv" for study in studies for name in jobs.tables(PLAN, study)]


def names_of_figures(*studies):
    return [f"{study}/{name}" for study in studies for name in jobs.figures(PLAN, study)]


def figures_of(*studies):
    names = names_of_figures(*studies)
    return expand("<figures>/{name}.{format}", name=names, format=config["formats"])


TABLES = [f"<results>/{name}.csv" for name in jobs.table_names(PLAN)]
FIGURES = figures_of(*PLAN.studies)


def results_with(guest):
    """The figures and tables that a guest is in."""
    figures, studies = jobs.guest_results(PLAN, guest)
    drawn = expand("<figures>/{name}.{format}", name=figures, format=config["formats"])
    audits = expand("<results>/audits/{study}.csv", study=studies)
    return [*drawn, *audits, f"<results>/replays/guests/{guest}.csv"]


def targets_by_name():
    """Targets that follow from the configuration, each with its files."""
    return {
        **{study: figures_of(study) + tables_of(study) for study in PLAN.studies},
        **{f"{paper}/checks": f"<results>/checks/{paper}.csv" for paper in PLAN.papers},
        **{f"guest/{guest}": results_with(guest) for guest in PLAN.settings.guests},
    }


def known_targets():
    """The names with which a misspelt target is compared."""
    single = [
        f"<top>{kind}/{id}/{name}"
        for id, paper in PLAN.papers.items()
        for kind, names in (("checks", paper.checks), ("claims", paper.claims))
        for name in names
    ]
    ledgers = expand("<results>/ledgers/{study}.csv", study=PLAN.studies)
    replays = expand("<top>replay/{policy}", policy=sorted(POLICIES))
    files = [*FIGURES, *TABLES, *ledgers, *single, *replays]
    named = [rule.name for rule in workflow.rules if not rule.wildcard_names]
    return [*named, *map(workflow.pathvars.apply, files)]
