"""Draw a figure of a paper."""

from dpbandits import figures
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job, files = snakemake.params.job, snakemake.input
    figures.make(
        job.figure,
        job.experiments,
        files.summaries,
        files.published,
        job.estimator,
        snakemake.output,
    )
