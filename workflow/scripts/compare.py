"""Compare a finished run with the reference. Without an output, a difference is a failure."""

from dpbandits import files, verification
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job, run = snakemake.params.job, snakemake.input
    comparison = verification.verify_run(
        dict(zip(job.tables, run.tables, strict=True)),
        pictures=[*run.figures, *run.drawn],
        **job.options,
    )
    if snakemake.output:
        files.write(snakemake.output[0], comparison)
    else:
        verification.verify(comparison, snakemake.log[0])
