# Scripts on this machine run in forks of a process that has imported numba or matplotlib, which takes longer than a short
# simulation or a drawing (src/dpbandits_jobs).

from dpbandits_jobs import use_forks

IMPORTS = {  # by rule
    "simulate": "dpbandits_jobs.simulating",
    "simulate_here": "dpbandits_jobs.simulating",
    "table": "dpbandits_jobs.simulating",
    "draw": "dpbandits_jobs.drawing",
}


def prepare_jobs(workflow):
    """Before the first job, say what jobs of this run import."""
    if not workflow.is_main_process:
        return  # on a cluster's node
    rules = {job.rule.name for job in workflow.dag.needrun_jobs() if workflow.local_exec or job.is_local}
    use_forks(module for rule, module in IMPORTS.items() if rule in rules)
