"""Draw a figure of a paper."""

from dpbandits import figures
from dpbandits.audit import findings
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job, files = snakemake.params.job, snakemake.input
    refuted = findings.refuted(files.replays)
    figures.make(
        job.figure,
        [experiment.refuting(refuted) for experiment in job.experiments],
        files.summaries,
        files.published,
        job.estimator,
        snakemake.output,
    )
