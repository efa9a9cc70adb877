"""Draw a figure of an arena."""

from dpbandits.errors import run_job
from dpbandits.figures import arena

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    arena.make(job.name, job.arena, snakemake.input.scores, snakemake.output)
