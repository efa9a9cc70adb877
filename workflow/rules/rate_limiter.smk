# Snakemake 9.27 with a limit on jobs per time span, which it always has (100 a second unless --max-jobs-per-timespan says
# otherwise), starts a timer thread in every scheduling pass, and each timer causes another pass: one endless chain for each
# finished job. 688 jobs leave hundreds of threads and cost 1,000 CPU-seconds
# (https://github.com/snakemake/snakemake/issues/3804). No option means "no limit", and the timers of a longer span delay the
# exit. Without its rate limiter the scheduler starts none. tests/workflow/test_scheduler.py fails
# when Snakemake no longer needs this.


def switch_off_rate_limiter(workflow):
    """Before the first job, remove the limit on jobs per second, and with it the timers."""
    workflow.scheduler.job_rate_limiter = None
