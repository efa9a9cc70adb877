"""Simulate a chunk of runs of a batch of policies in one experiment."""

from dpbandits import files
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    log = next(iter(snakemake.input.log), None)
    files.write(snakemake.output[0], job.simulation.run(job.first, job.last, log))
