"""Draw the audits of a paper: promise, ledger and measured bound of every policy on one axis."""

from dpbandits.errors import run_job
from dpbandits.figures import audits

with run_job(snakemake.log[0]):
    audits.draw(snakemake.input[0], snakemake.wildcards.paper, snakemake.output)
