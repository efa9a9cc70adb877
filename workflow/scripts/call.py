"""Write the table that a function of the package makes of a job's arguments and named inputs."""

from importlib import import_module

from dpbandits import files
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    arguments = vars(snakemake.params.job) | dict(snakemake.input.items())
    if "traces" in arguments:
        headers = arguments.pop("simulations")
        arguments["traces"] = files.entries(headers, arguments["traces"])
    module, _, name = arguments.pop("function").rpartition(".")
    files.write(snakemake.output[0], getattr(import_module(module), name)(**arguments))
