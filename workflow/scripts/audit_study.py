"""Join the audits of a study, those of guests last, with the verdicts on the promises."""

from dpbandits import files
from dpbandits.audit import accounts, lower_bounds
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job, inputs = snakemake.params.job, snakemake.input
    promises = accounts.table(job.experiments, inputs.replays)
    table = lower_bounds.table(inputs.parts, inputs.guests, promises)
    files.write(snakemake.output[0], table)
