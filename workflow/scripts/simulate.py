"""Simulate one chunk of runs and write its trace."""

from dpbandits import files, simulation
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    first, last = int(snakemake.wildcards.first), int(snakemake.wildcards.last)
    files.write_trace(snakemake.output[0], simulation.simulate(snakemake.params.spec, first, last))
