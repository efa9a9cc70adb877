"""Draw one figure of an arena from its scores."""

from dpbandits.arena import pictures, scores
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    output, arena = snakemake.output, snakemake.params.arena["arena"]
    files = [*output.files, output.picture, output.svg]
    pictures.draw(snakemake.wildcards.figure, arena, scores.read(snakemake.input.scores), files)
