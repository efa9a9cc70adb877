# The plan of a run and the names of its targets, for the display (src/snakemake_logger_plugin_dpbandits).

from collections import Counter

from snakemake.logging import logger

from snakemake_logger_plugin_dpbandits.targets import ANNOUNCED

from dpbandits.progress import Task, duration


def paper_of(job):
    """The paper that a job belongs to, or the arena; "" if it belongs to all."""
    wildcards = dict(job.wildcards.items())
    if "simulation" in wildcards:
        return spec_of(job.wildcards)["paper"]
    if job.rule.name.endswith("_arena"):
        return arena_names.ID
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


def known_targets():
    """The names of all rules without wildcards, the claims, and the files of all papers."""
    names = [rule.name for rule in workflow.rules if not rule.wildcard_names]
    files = [
        file
        for paper in PAPERS
        for file in (
            *results_of(paper),
            *pictures_of(paper),
            accounts_of(paper),
            *audits_of(paper),
            *traces_of_paper(paper),
        )
    ]
    claims = [f"{VERDICTS}/{claim}" for claim in CLAIMS]
    files += [*results_of_arena(), f"{RESULTS}/verification.txt", f"{RESULTS}/report.html"]
    return [*names, *claims, *files]


def traces_of_paper(paper):
    return files_of(PAPERS[paper].experiments.values())


if workflow.is_main_process:
    ANNOUNCED.announce(config["scale"], known_targets)
