"""Measure the distance of our curves from those that the authors drew."""

from dpbandits.errors import run_job
from dpbandits.files import tables
from dpbandits.statistics.summaries import read_summary
from dpbandits.studies import published

with run_job(snakemake.log[0]):
    rows = []
    for each in snakemake.params.compared:
        summary, curves = read_summary(each["summary"]), published.read(each["published"])
        rows += published.distances(each["panel"], each["experiment"], summary, curves)
    tables.write(snakemake.output[0], published.as_table(rows))
