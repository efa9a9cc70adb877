"""Add up what the policies of a study promise and spend."""

from dpbandits import files
from dpbandits.audit import accounts
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    files.write(snakemake.output[0], accounts.table(job.experiments, snakemake.input.replays))
