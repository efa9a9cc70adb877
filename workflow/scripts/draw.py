"""Draw one figure from the summaries of its experiments, or from the scores of its arena."""

from pathlib import Path

from dpbandits import figures
from dpbandits.errors import run_job
from dpbandits.statistics.summaries import read_summary
from dpbandits.studies import published

with run_job(snakemake.log[0]):
    tables, output, drawn = snakemake.input.tables, snakemake.output, snakemake.params.drawn
    files = [*output.files, output.picture, output.svg]
    if "arena" in drawn:
        from dpbandits.arena import pictures, scores

        pictures.draw(drawn["figure"], drawn["arena"], scores.read(*tables), files)
    else:
        summaries = {e: read_summary(path) for e, path in zip(drawn["experiments"], tables, strict=True)}
        points = {Path(path).stem: published.read(path) for path in snakemake.input.published}
        figures.draw(drawn["figure"], drawn["experiments"], summaries, snakemake.params.estimator, files, points)
