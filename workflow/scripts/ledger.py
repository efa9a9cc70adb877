"""List every noisy release of the policies of a study."""

from dpbandits import files
from dpbandits.audit import accounts
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    files.write(snakemake.output[0], accounts.ledgers(snakemake.params.job.experiments))
