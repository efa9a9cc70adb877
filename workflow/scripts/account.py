"""Add up what every policy of a paper spends of its privacy budget."""

from dpbandits import accounts, tables
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    tables.write(snakemake.output[0], accounts.table(snakemake.params.experiments))
