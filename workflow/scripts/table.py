"""Make one table of the registry (dpbandits.plan.registry)."""

from importlib import import_module

from dpbandits import files
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    module, _, function = snakemake.params.function.rpartition(".")
    make = getattr(import_module(module), function)
    files.write_table(snakemake.output[0], make(**snakemake.params.given))
