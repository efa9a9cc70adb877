"""Join the blocks of every policy of an experiment and write the summary table."""

from dpbandits import tables, traces
from dpbandits.errors import told_plainly

with told_plainly(snakemake.log[0]):
    params = snakemake.params
    blocks = [traces.read_blocks(policy["traces"], policy["spec"]) for policy in params.policies]
    table = tables.summary(blocks, params.groups, params.gmd_scale, params.columns, params.quantity)
    tables.write(snakemake.output[0], table)
