"""Join the blocks of every policy of an experiment and write the summary table."""

from dpbandits import tables, traces
from dpbandits.errors import told_plainly

with told_plainly(snakemake.log[0]):
    blocks = [traces.read_blocks(policy["traces"], policy["spec"]) for policy in snakemake.params.policies]
    params = snakemake.params
    tables.write(snakemake.output[0], tables.summary(blocks, params.groups, params.gmd_scale, params.quantity))
