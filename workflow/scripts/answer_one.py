"""Print the verdicts of one check, or the answer to one claim with its checks."""

from dpbandits import files
from dpbandits.checks import answers
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    traces = files.entries(job.simulations, snakemake.input.traces)
    audits = snakemake.input.audits or ""
    text = answers.print_answer(
        job.study, job.claims, job.checks, traces, job.seed, audits, job.scale
    )
    files.write(snakemake.output[0], text)
