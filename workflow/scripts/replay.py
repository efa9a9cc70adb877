"""Replay policies on neighbouring inputs."""

from dpbandits import files
from dpbandits.audit import replay
from dpbandits.audit.plain_python import in_plain_python
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    table, played = vars(snakemake.params.job).values()
    files.write(snakemake.output[0], in_plain_python(getattr(replay, table), played))
