"""Write the table of the audits of a study's policies."""

from dpbandits.audit import lower_bounds
from dpbandits.errors import run_job
from dpbandits.files import tables
from dpbandits.studies.model import Effort

with run_job(snakemake.log[0]):
    params = snakemake.params
    table = lower_bounds.table(params.experiments, params.seed, Effort(**params.effort), params.guests, params.arena)
    tables.write(snakemake.output.table, table)
