"""Replay a policy in long games, and print what they show."""

from dpbandits import files
from dpbandits.audit import replay
from dpbandits.audit.plain_python import in_plain_python
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    table = in_plain_python(replay.table, job.experiments, True)
    print(table.T.to_string(header=False))
    files.write(snakemake.output[0], table)
