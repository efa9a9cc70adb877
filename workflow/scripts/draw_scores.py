"""Draw one figure of an arena from its tables."""

from dpbandits.arena import pictures, scores
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    output, tables = snakemake.output, {name: scores.read(path) for name, path in snakemake.input.items()}
    arena, figure = snakemake.params.arena["arena"], snakemake.wildcards.figure
    pictures.draw(figure, arena, tables, [*output.files, output.picture, output.svg])
