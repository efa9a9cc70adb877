"""Patches of Snakemake for things that no option changes: the bar, the forks, the limiter.

A run can do without each of them. Under another version than the tested one, or where
Snakemake lacks what a patch needs, the run goes on without the patch and logs why.
"""

TESTED = "9.27"  # the version of Snakemake for which the patches are written


def attach_bar(workflow, known_targets):
    """Print progress and errors in one line each. Call it first in the Snakefile.

    Parameters
    ----------
    workflow : snakemake.workflow.Workflow
    known_targets : callable
        Returns the names of all targets; called only if a target does not exist.
    """
    from dpbandits_jobs import bar

    _patch(workflow, "no progress bar", bar.attach, known_targets)


def start(workflow):
    """Let jobs start without a limit per second and in forks. Call it in ``onstart:``."""
    from dpbandits_jobs import forks, limiter

    _patch(workflow, "the limit of jobs per second stays", limiter.remove)
    _patch(workflow, "jobs start a Python each", forks.use)


def _patch(workflow, plain_way, apply, *arguments):
    """Apply a patch, or log the plain alternative. Jobs on a cluster need no patch."""
    from snakemake import __version__
    from snakemake.logging import logger

    try:
        if not workflow.is_main_process:
            return
        if not __version__.startswith(f"{TESTED}."):
            raise NotImplementedError(f"tested: {TESTED}")
        apply(workflow, *arguments)
    except Exception as failure:  # of any kind: Snakemake differs from what the patch expects
        logger.warning(f"Snakemake {__version__}: {plain_way} ({failure})")
