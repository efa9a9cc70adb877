"""Index Yahoo!'s news log R6A as compact records."""

from dpbandits.bandits import r6a
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    output = snakemake.output
    r6a.read(snakemake.input.days, output.events, output.tables, output.report)
