"""Draw a figure of an arena."""

from dpbandits.arena.scores import read
from dpbandits.errors import run_job
from dpbandits.figures import arena

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    arena.draw(job.name, job.arena, read(snakemake.input.scores), snakemake.output)
