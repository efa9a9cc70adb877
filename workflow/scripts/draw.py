"""Draw one figure from the summaries of its experiments."""

from dpbandits import figures
from dpbandits.errors import run_job
from dpbandits.statistics.summaries import read_summary

with run_job(snakemake.log[0]):
    figure, experiments = snakemake.params.drawn["figure"], snakemake.params.drawn["experiments"]
    summaries = {e: read_summary(path) for e, path in zip(experiments, snakemake.input, strict=True)}
    output = snakemake.output
    figures.draw(
        figure, experiments, summaries, snakemake.params.estimator, output.files, (output.picture, output.geometry)
    )
