"""Simulate one block of runs and write its trace."""

from dpbandits import simulation, traces
from dpbandits.errors import told_plainly

with told_plainly(snakemake.log[0]):
    trace = simulation.simulate(snakemake.params.spec, int(snakemake.wildcards.first), int(snakemake.wildcards.last))
    traces.write(snakemake.output[0], trace)
