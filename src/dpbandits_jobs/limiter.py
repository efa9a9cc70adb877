"""Remove Snakemake's limit of jobs per second, which costs more than most jobs.

It leaves a chain of timers after each job: 1,000 CPU-seconds for 688 jobs
(https://github.com/snakemake/snakemake/issues/3804). No option removes it.
tests/test_patches.py fails when the patch is no longer needed.
"""

DEFAULT = (100, 1)  # jobs per seconds; another limit is the user's wish


def remove(workflow):
    """Remove the limit, if it is the default one."""
    limit = workflow.scheduler.job_rate_limiter
    if limit and (limit.max_jobs, limit.timespan) == DEFAULT:
        workflow.scheduler.job_rate_limiter = None
