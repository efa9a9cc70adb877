"""Draw one figure from the summaries of its experiments."""

from dpbandits import figures
from dpbandits.errors import run_job
from dpbandits.files import tables

with run_job(snakemake.log[0]):
    figure, experiments = snakemake.params.drawn["figure"], snakemake.params.drawn["experiments"]
    summaries = {e: tables.read_summary(path) for e, path in zip(experiments, snakemake.input, strict=True)}
    output = snakemake.output
    figures.draw(
        figure, experiments, summaries, snakemake.params.estimator, output.files, (output.picture, output.geometry)
    )
