"""Judge every claim of a paper in every reading of its experiments."""

from dpbandits import claims
from dpbandits.arena import cells
from dpbandits.errors import run_job
from dpbandits.files import tables, traces

with run_job(snakemake.log[0]):
    params = snakemake.params
    entries = traces.entries_of(params.traces)
    audits = snakemake.input.audits  # read for claims about the cells of an arena
    field = cells.read(params.arena["arena"], params.experiments, entries, audits[0]) if audits else None
    rows = claims.judge_all(params.claims, params.experiments, entries, params.seed, params.figures, field)
    tables.write(snakemake.output[0], claims.as_table(rows))
