"""Compare a finished run with the reference."""

from dpbandits import files, verification
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    files.write(snakemake.output[0], verification.compare(**vars(job.old)))
