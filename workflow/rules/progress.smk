# The plan of a run, for the progress display (src/snakemake_logger_plugin_dpbandits).

from collections import Counter

from snakemake.logging import logger

from dpbandits.progress import Task, duration


def paper_of(job):
    """The paper that a job belongs to; "" if it belongs to all."""
    wildcards = dict(job.wildcards.items())
    if "simulation" in wildcards:
        return spec_of(job.wildcards)["paper"]
    return wildcards.get("paper", job.rule.name if job.rule.name in PAPERS else "")


def estimated_seconds(job):
    if "simulation" in dict(job.wildcards.items()):
        return costs.seconds(spec_of(job.wildcards), runs_of(job.wildcards))
    return costs.SECONDS_OF_OTHER_RULES.get(job.rule.name, 0.0)


def announce_plan(workflow):
    """Before the first job, log what will run, in a record that carries the plan."""
    jobs = list(workflow.dag.needrun_jobs())
    plan = {job.jobid: Task(paper_of(job), estimated_seconds(job)) for job in jobs}
    at_once = workflow.cores if workflow.local_exec else workflow.nodes
    rules = ", ".join(f"{count} {rule}" for rule, count in Counter(job.rule.name for job in jobs).most_common())
    seconds = sum(task.seconds for task in plan.values())
    logger.info(
        f"{len(plan)} jobs: {rules}; estimated computing time {duration(seconds)}",
        extra={"plan": plan, "at_once": at_once},
    )
