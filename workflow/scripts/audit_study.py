"""Join the audits of a study, those of guests last."""

from dpbandits import files
from dpbandits.audit import lower_bounds
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    table = lower_bounds.table(snakemake.input.parts, snakemake.input.guests)
    files.write(snakemake.output[0], table)
