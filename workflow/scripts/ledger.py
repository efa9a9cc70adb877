"""Write what the ledgers of a study book, release by release."""

from dpbandits.audit import ledgers
from dpbandits.errors import run_job
from dpbandits.files import tables

with run_job(snakemake.log[0]):
    tables.write(snakemake.output[0], ledgers.table(snakemake.params.experiments))
