"""Read Yahoo!'s news log, all files in one pass, into compact records."""

from dpbandits.environments.logs import _r6a
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    _r6a.read(snakemake.input, *snakemake.output)
