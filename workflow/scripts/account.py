"""Write the table of privacy accounts: the promised and the spent epsilon of every policy of a paper."""

from dpbandits.audit import accounts
from dpbandits.errors import run_job
from dpbandits.files import tables

with run_job(snakemake.log[0]):
    tables.write(snakemake.output[0], accounts.table(snakemake.params.experiments))
