"""Print the verdicts of one check, or the answer to one claim with its checks."""

from dpbandits import files
from dpbandits.checks import answers, judging
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    traces = files.entries(job.simulations, snakemake.input.traces)
    audits = snakemake.input.audits or ""
    table = judging.table(job.checks, traces, job.seed, audits)
    print(answers.in_words(job.study, job.claims, table, job.scale), end="")
