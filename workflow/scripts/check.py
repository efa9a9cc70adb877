"""Judge the checks of a paper on its runs, ledgers and audits."""

from dpbandits import files
from dpbandits.checks import judging
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job, audits = snakemake.params.job, snakemake.input.audits
    traces = files.entries(job.simulations, snakemake.input.traces)
    table = judging.table(job.checks, traces, job.seed, audits[0] if audits else "")
    files.write(snakemake.output[0], table)
