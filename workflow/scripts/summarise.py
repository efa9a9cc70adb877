"""Join the blocks of every policy of an experiment and write the summary table."""

from dpbandits.errors import run_job
from dpbandits.files import tables, traces
from dpbandits.statistics.summaries import summary_of

with run_job(snakemake.log[0]):
    params = snakemake.params
    runs = (traces.read_blocks(part["files"], part["spec"], part["series"]) for part in params.traces)
    options = (params.groups, params.columns, params.quantity, params.order, params.runs_of_paper)
    table = summary_of(runs, *options)
    tables.write(snakemake.output[0], table)
