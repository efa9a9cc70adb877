"""Print the comparison of a run with the reference; a difference is a failure."""

from dpbandits import verification
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    verification.verify(**vars(job.old))
