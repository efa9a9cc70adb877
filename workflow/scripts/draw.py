"""Draw one figure from the summaries of its experiments."""

from pathlib import Path

from dpbandits import figures
from dpbandits.errors import run_job
from dpbandits.statistics.summaries import read_summary
from dpbandits.studies import published

with run_job(snakemake.log[0]):
    figure, experiments = snakemake.params.drawn["figure"], snakemake.params.drawn["experiments"]
    summaries = {e: read_summary(path) for e, path in zip(experiments, snakemake.input.summaries, strict=True)}
    points = {Path(path).stem: published.read(path) for path in snakemake.input.published}
    output = snakemake.output
    files = [*output.files, output.picture, output.svg]
    figures.draw(figure, experiments, summaries, snakemake.params.estimator, files, points)
