"""Write the page of all results and the files beside it."""

from dpbandits.errors import run_job
from dpbandits.page import site

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    site.write(job.studies, job.folders, job.settings)
