"""Compute a table that a paper proves."""

from importlib import import_module

from dpbandits import files
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    compute = getattr(import_module(job.module), job.function)
    files.write(snakemake.output[0], compute())
