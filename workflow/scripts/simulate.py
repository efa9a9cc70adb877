"""Simulate one block of runs and write its trace."""

from dpbandits import simulation
from dpbandits.errors import run_job
from dpbandits.files import traces

with run_job(snakemake.log[0]) as cost:
    cost["series"] = {}
    first, last = int(snakemake.wildcards.first), int(snakemake.wildcards.last)
    trace = simulation.simulate(snakemake.params.spec, first, last, cost["series"])
    traces.write(snakemake.output[0], trace)
