"""Answer the claims of all papers by their checks."""

from dpbandits import files
from dpbandits.checks import answers
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    table = answers.table(snakemake.params.job.papers, snakemake.input.checks)
    files.write(snakemake.output[0], table)
