# Paths, wildcards, parameters and input functions of the rules, and the files of a whole run.

import re
from functools import partial
from pathlib import Path


pathvars:
    results=PLAN.layout.results,
    figures=PLAN.layout.figures,
    logs=f"{PLAN.layout.results}/logs",


def one_of(names):
    """Return a pattern of exactly these names, so that a misspelt target is refused at once."""
    return "|".join(sorted(map(re.escape, names))) or "(?!)"


wildcard_constraints:
    study=one_of(PLAN.studies),
    paper=one_of(PLAN.papers),
    arena=one_of(PLAN.arenas),
    experiment=one_of({name for _, name in PLAN.batches}),
    policies=one_of({batch.policies for each in PLAN.batches.values() for batch in each}),
    first=r"\d+",
    last=r"\d+",
    policy=one_of(PLAN.settings.guests),
    figure=one_of({name for study in PLAN.studies for name in jobs.figures(PLAN, study)}),


# ---- parameters
#
# The arguments of a job besides files follow from the configuration: a function of
# dpbandits.plan.jobs returns them for the wildcards of the job, as one object. Snakemake hands this
# object to the script, but neither stores nor compares it. Snakemake compares a digest: of the
# object, of the code that the script imports (with the policies and bandits that it plays, without
# comments), and of the versions of the libraries that this code imports. A change of
#
#   one epsilon        runs the simulations of that policy again, and the jobs that depend on them
#   a label            draws again, and repeats the accounts and audits that print it
#   a policy's code    runs the simulations and audits of that policy again
#   a colour           draws again
#   matplotlib         draws again


def arguments(function):
    """Return the arguments of a job besides files."""
    return lambda wildcards: function(PLAN, **wildcards)


def digest(script, function):
    """Return the digest that decides whether a job runs again."""
    path = workflow.source_path(f"../scripts/{script}.py")
    return lambda wildcards: fingerprints.digest(path, arguments(function)(wildcards))


# ---- input functions
#
# Files of the repository are marked `local()` in the rules, so that neither a prefix nor a storage
# provider changes them.


def traces_of(function):
    """The traces of the simulations that a job reads, in their order."""
    return lambda wildcards: [
        "<results>/traces/{paper}/{experiment}/{name}/".format(**header) + f"{first}-{last}.npz"
        for batches in arguments(function)(wildcards).simulations.values()
        for header, chunks in batches
        for first, last in chunks
    ]


def audits_of(function, paper):
    """The audits of a paper, if a job judges a promise of privacy."""
    return branch(
        lambda wildcards: jobs.judges_promises(arguments(function)(wildcards)),
        then=f"<results>/audits/{paper}.csv",
    )


def replays_of(wildcards):
    """The replays of a study's policies and guests, which may contradict their ledgers."""
    study = wildcards.get("study") or wildcards.arena
    return tables([f"replays/{study}", *of_guests(PLAN.studies[study].guests)])


def replays_of_figure(wildcards):
    """The replays of the guests in a figure, whose labels say what a replay contradicts."""
    return tables(of_guests(jobs.guests_in(PLAN, **wildcards)))


def of_guests(guests):
    return [f"replays/guests/{guest}" for guest in guests]


def has_guests(wildcards):
    return PLAN.studies[wildcards.study].guests


def is_guest(wildcards):
    return wildcards.policies in PLAN.settings.guests


def plays_log(wildcards):
    return jobs.reads_log(PLAN, wildcards.study, wildcards.experiment)


def summaries_of_figure(wildcards):
    return tables(jobs.tables_behind(PLAN, wildcards.paper, wildcards.figure))


def reference_files():
    """The tables and digests of the reference, as far as they exist."""
    folder = Path(PLAN.layout.reference)
    digests = filter(Path.exists, (folder / verification.SUMS, folder / verification.DRAWN))
    return [*map(str, verification.tables_of(folder).values()), *map(str, digests)]


# ---- the files of a run


def tables(names):
    return expand("<results>/{name}.csv", name=names)


def figures(names):
    return expand("<figures>/{name}.{format}", name=names, format=config["formats"])


def drawn_data(names):
    """The digests of the data that figures show."""
    return expand("<results>/pictures/{name}.digest", name=names)


def names_of_figures(study):
    return [f"{study}/{name}" for name in jobs.figures(PLAN, study)]


NAMES_OF_FIGURES = [name for study in PLAN.studies for name in names_of_figures(study)]
FIGURES = figures(NAMES_OF_FIGURES)
TABLES = tables(jobs.table_names(PLAN))
STUDY_FILES = [
    file for study in PLAN.studies.values() for file in (study.file, study.claims_file) if file
]


def results_with(guest):
    """The figures and tables that a guest is in."""
    drawn, audited = jobs.guest_results(PLAN, guest)
    audits = [f"audits/{study}" for study in audited]
    return figures(drawn) + tables([*audits, *of_guests([guest])])


def single_answers():
    """The kind, the paper and the id of each check and each claim."""
    return [
        (kind, id, name)
        for id, paper in PLAN.papers.items()
        for kind in ("checks", "claims")
        for name in getattr(paper, kind)
    ]


def targets_by_name():
    """Return the targets that follow from the configuration, each with its files."""
    return {
        **{
            study: figures(names_of_figures(study)) + tables(jobs.tables(PLAN, study))
            for study in PLAN.studies
        },
        **{name: figures([name]) for name in NAMES_OF_FIGURES},
        **{f"{paper}/checks": f"<results>/checks/{paper}.csv" for paper in PLAN.papers},
        **{f"guest/{guest}": results_with(guest) for guest in PLAN.settings.guests},
    }


def known_targets():
    """Return the names with which a misspelt target is compared."""
    files = [*FIGURES, *TABLES]
    named = [rule.name for rule in workflow.rules if not rule.wildcard_names]
    return [*named, *map(workflow.pathvars.apply, files)]
