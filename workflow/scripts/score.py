"""Score all policies of an arena, and compare every pair of them."""

from dpbandits.arena import cells, scores
from dpbandits.errors import run_job
from dpbandits.files import tables, traces

with run_job(snakemake.log[0]):
    params, output = snakemake.params, snakemake.output
    entries = traces.entries_of(params.traces)
    field = cells.read(params.arena["arena"], params.experiments, entries, snakemake.input.audits)
    tables.write(output.scores, scores.table(field))
    tables.write(output.differences, scores.differences(field, params.seed))
