"""Simulate one chunk of runs and write its trace."""

from dpbandits import files, simulation
from dpbandits.errors import run_job

with run_job(snakemake.log[0]) as cost:
    cost["series"] = {}
    first, last = int(snakemake.wildcards.first), int(snakemake.wildcards.last)
    trace = simulation.simulate(snakemake.params.spec, first, last, cost["series"])
    files.write_trace(snakemake.output[0], trace)
