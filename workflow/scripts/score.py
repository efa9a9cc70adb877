"""Score the policies of an arena."""

from dpbandits import files
from dpbandits.arena import scores
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    traces = files.entries(job.simulations, snakemake.input.traces)
    audits, replays = snakemake.input.audits, snakemake.input.replays
    table = scores.scores(job.arena, job.experiments, traces, audits, replays)
    files.write(snakemake.output[0], table)
