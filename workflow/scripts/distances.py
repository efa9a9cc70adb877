"""Measure how far our curves are from those that the authors drew."""

from dpbandits import files
from dpbandits.errors import run_job
from dpbandits.studies import drawn_points

with run_job(snakemake.log[0]):
    panels = snakemake.params.job.panels
    table = drawn_points.table(panels, snakemake.input.summaries, snakemake.input.published)
    files.write(snakemake.output[0], table)
