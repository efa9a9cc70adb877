# The plan of a run and the names of its targets, for the display (src/snakemake_logger_plugin_dpbandits).

from collections import Counter

from snakemake.logging import logger

from snakemake_logger_plugin_dpbandits.targets import ANNOUNCED

from dpbandits.progress import Task, duration

SECONDS = {  # of a job, by rule; used for the remaining time only; measured on two cores at the smoke scale
    "draw": costs.FIGURE_SECONDS,
    "summarise": costs.SUMMARY_SECONDS,
    "judge": costs.CLAIMS_SECONDS,
    "judge_one": costs.CLAIMS_SECONDS,
    "sentences": 1.0,
    "account": 1.2,
    "ledger": 1.0,
    "distances": 1.0,
    "audit_study": 4.0,
    "tabulate": 2.5,
    "compare": 1.0,
    "verify": 1.0,
    "report": 3.0,
    "score": 3.0,
    "draw_scores": 2.0,
    "read_log": 300.0,
}


def study_of(job):
    """The study that a job belongs to; "" if it belongs to all."""
    wildcards = dict(job.wildcards.items())
    if "simulation" in wildcards:
        return spec_of(job.wildcards)["paper"]
    return wildcards.get("paper", job.rule.name if job.rule.name in PLAN.studies else "")


def estimated_seconds(job):
    if "simulation" in dict(job.wildcards.items()):
        return costs.seconds(spec_of(job.wildcards), number_of_runs(job.wildcards))
    return SECONDS.get(job.rule.name, 0.0)


def announce_plan(workflow):
    """Before the first job, log what will run, in a record that carries the plan."""
    jobs = list(workflow.dag.needrun_jobs())
    plan = {job.jobid: Task(study_of(job), estimated_seconds(job)) for job in jobs}
    at_once = workflow.cores if workflow.local_exec else workflow.nodes
    rules = ", ".join(f"{count} {rule}" for rule, count in Counter(job.rule.name for job in jobs).most_common())
    seconds = sum(task.seconds for task in plan.values())
    logger.info(
        f"{len(plan)} jobs: {rules}; estimated computing time {duration(seconds)}",
        extra={"plan": plan, "at_once": at_once},
    )
    for line in PLAN.times_of_guests(dict(job.wildcards.items()) for job in jobs):
        logger.info(line)


def known_targets():
    """The names of all rules without wildcards, and all files that can be asked for."""
    return [*(rule.name for rule in workflow.rules if not rule.wildcard_names), *PLAN.targets()]


if workflow.is_main_process:
    ANNOUNCED.scale, ANNOUNCED.known, ANNOUNCED.times = config["scale"], known_targets, PLAN.times_of_guests
