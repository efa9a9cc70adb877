"""Draw one figure from the summaries of its experiments."""

from dpbandits import figures, tables
from dpbandits.errors import told_plainly

with told_plainly(snakemake.log[0]):
    summaries = [tables.read_summary(path) for path in snakemake.input]
    figures.draw(
        snakemake.params.figure,
        snakemake.params.experiments,
        dict(zip(snakemake.params.experiments, summaries, strict=True)),
        snakemake.params.estimator,
        snakemake.output,
    )
