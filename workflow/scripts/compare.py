"""Compare a finished run with the reference. Without an output, a difference is a failure."""

from dpbandits import files, verification
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job, run = snakemake.params.job, snakemake.input
    comparison = verification.verify_run(
        tables=verification.by_name(job.tables, run.tables),
        references=verification.by_name(job.tables, run.reference),
        figures=job.figures,
        pictures=run.figures,
        sums=next(iter(run.sums), None),
        guests=job.guests,
    )
    if snakemake.output:
        files.write(snakemake.output[0], comparison)
    else:
        verification.verify(comparison)
