"""Audit a share of the policies of a study."""

from dpbandits import files
from dpbandits.audit import lower_bounds
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    table = lower_bounds.part(job.experiments, job.seed, job.effort, job.arena, job.share)
    files.write(snakemake.output[0], table)
