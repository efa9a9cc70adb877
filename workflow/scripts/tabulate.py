"""Write one table of a paper's theorems."""

from dpbandits import theory
from dpbandits.errors import run_job
from dpbandits.files import tables

with run_job(snakemake.log[0]):
    tables.write(snakemake.output[0], theory.TABLES[snakemake.wildcards.paper][snakemake.wildcards.table]())
