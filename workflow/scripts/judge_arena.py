"""Judge our own claims about the arena."""

from dpbandits.arena import cells, claims
from dpbandits.errors import run_job
from dpbandits.files import tables

with run_job(snakemake.log[0]):
    params = snakemake.params
    field = cells.read(params.arena["arena"], cells.entries_of(params.traces), snakemake.input.audits)
    tables.write(snakemake.output[0], claims.table(field, params.seed))
