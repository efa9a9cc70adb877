"""Judge every claim of a paper in every reading of its experiments."""

from dpbandits import claims, tables, traces
from dpbandits.errors import told_plainly

with told_plainly(snakemake.log[0]):
    params = snakemake.params
    runs = {
        experiment.id: [
            traces.read_blocks(part["files"], part["spec"], part["series"]) for part in params.traces[experiment.id]
        ]
        for experiment in params.experiments
    }
    tables.write(snakemake.output[0], claims.table(params.claims, params.experiments, runs, params.seed))
