"""Join the blocks of every policy of an experiment and write the summary table."""

from dpbandits import tables, traces
from dpbandits.errors import told_plainly

with told_plainly(snakemake.log[0]):
    params = snakemake.params
    runs = (traces.read_blocks(part["files"], part["spec"], part["series"]) for part in params.traces)
    table = tables.summary(runs, params.groups, params.gmd_scale, params.columns, params.quantity, params.order)
    tables.write(snakemake.output[0], table)
