# What the rules share: the plan of the run (src/dpbandits/plan), and the plan's answers for a job's wildcards. No rule.

import re

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger

from dpbandits.arena import names
from dpbandits.errors import InputError
from dpbandits.plan import costs
from dpbandits.plan.code import code_of, code_of_figure, code_of_runs
from dpbandits.plan.plan import Plan, drawn_in, labels_of

ENVIRONMENT = "../envs/dpbandits.yml"  # of all rules; Snakemake installs it with --sdm conda, and ignores it otherwise

try:
    PLAN = Plan(config)
except InputError as error:
    raise WorkflowError(str(error)) from None
if workflow.is_main_process and workflow.logger_manager.settings.dryrun:
    for line in PLAN.notes():
        logger.info(line)

FILES = PLAN.files
RESULTS = FILES.results


def one_of(names):
    """A pattern that matches only these names, so that a misspelt target is refused at once."""
    return "|".join(sorted(map(re.escape, set(names)))) or "(?!)"


def spec_of(wildcards):
    return PLAN.batches[wildcards.simulation].spec


def number_of_runs(wildcards):
    return int(wildcards.last) - int(wildcards.first) + 1


def experiments_of(wildcards):
    """All experiments of the study, in a list: at top level Snakemake compares only plain values and containers."""
    return list(PLAN.studies[wildcards.paper].experiments.values())


def arena_of(wildcards):
    """What the study scores, in a dict for the same reason."""
    return {"arena": PLAN.studies[wildcards.paper].arena}


def experiment_of(wildcards):
    return PLAN.studies[wildcards.paper].experiments[wildcards.experiment]


def figure_of(wildcards):
    return PLAN.studies[wildcards.paper].figures[wildcards.figure]


def judged(wildcards):
    """A study, with one of its claims, those of one sentence (which is last), or all; and the experiments of these."""
    if "asked" in wildcards.keys():
        study, claims, sentences = PLAN.asked[wildcards.asked]
    else:
        study = PLAN.studies[wildcards.paper]
        claims, sentences = study.claims, []
    return study, claims, PLAN.judged_on(study.id, claims), sentences


def templates_digest():
    from dpbandits import report  # here, since only the page needs it, and importing it takes half a second

    return report.templates_digest()
