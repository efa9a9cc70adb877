"""Draw a figure of an arena."""

from dpbandits.arena import pictures
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    pictures.make(job.name, job.arena, snakemake.input.scores, snakemake.output)
