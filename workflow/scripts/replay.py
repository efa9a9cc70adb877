"""Replay the policies of a study on neighbouring inputs."""

from dpbandits import files
from dpbandits.audit import replay
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    files.write(snakemake.output[0], replay.in_plain_python(snakemake.params.job.experiments))
