# The processes of the jobs: rules with several local jobs share one that has imported numba or matplotlib, which takes longer
# than a short simulation or a drawing (src/dpbandits_jobs).

from collections import Counter

from dpbandits_jobs import start_server, stop_server, use_startup

SEVERAL = 4
IMPORTS = {  # by script
    "simulate": "dpbandits_jobs.simulating",
    "summarise": "dpbandits.files.tables",
    "draw": "dpbandits_jobs.drawing",
}


def prepare_jobs(workflow):
    """Before the first job, start the process that imports what several jobs need."""
    use_startup()
    local = Counter(job.rule.name for job in workflow.dag.needrun_jobs() if workflow.local_exec or job.is_local)
    scripts = [script for script in IMPORTS if local[script] >= SEVERAL]
    if scripts:
        start_server(scripts, [IMPORTS[script] for script in scripts])


if not workflow.is_main_process:
    stop_server()  # a job on a cluster must not run on the machine of the main process, where its server is
