"""Write the table of the audits of a paper's policies."""

from dpbandits.audit import lower_bounds as audit
from dpbandits.errors import run_job
from dpbandits.files import tables
from dpbandits.studies.model import Effort

with run_job(snakemake.log[0]):
    params = snakemake.params
    effort = Effort(**params.effort)
    table = audit.table(params.experiments, params.seed, effort, params.guests, params.arena)
    tables.write(snakemake.output.table, table)
