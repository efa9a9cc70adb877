"""Print the verdicts of one check, or the answer to one claim with its checks."""

from dpbandits import files
from dpbandits.checks import answers
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job, audits = snakemake.params.job, snakemake.input.audits
    traces = files.entries(job.simulations, snakemake.input.traces)
    audits = audits[0] if audits else ""
    text = answers.said(
        job.study, job.claims, checks=job.checks, traces=traces, seed=job.seed, audits=audits
    )
    files.write(snakemake.output[0], text)
