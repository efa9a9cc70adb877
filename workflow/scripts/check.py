"""Judge the checks of a paper on its traces and audits."""

from dpbandits import files
from dpbandits.checks import judging
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    traces = files.entries(job.simulations, snakemake.input.traces)
    audits = snakemake.input.audits or ""
    files.write(snakemake.output[0], judging.table(job.checks, traces, job.seed, audits))
