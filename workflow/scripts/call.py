"""Call the function of a job (dpbandits.plan.registry) and write what it returns, if it does not write its files itself."""

from importlib import import_module

from dpbandits import files
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    module, _, function = job["function"].rpartition(".")
    made = getattr(import_module(module), function)(**job["given"])
    if made is not None:
        files.write(snakemake.output[0], made)
