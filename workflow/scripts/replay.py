"""Replay policies on neighbouring inputs."""

from dpbandits import files
from dpbandits.audit import replay
from dpbandits.audit.plain_python import in_plain_python
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    played = job.experiments if job.table == "table" else job.mechanisms
    files.write(snakemake.output[0], in_plain_python(getattr(replay, job.table), played))
