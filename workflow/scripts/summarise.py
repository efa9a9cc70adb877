"""Summarise the runs of an experiment."""

from dpbandits import files
from dpbandits.errors import run_job
from dpbandits.statistics import summaries

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    (traces,) = files.entries(job.simulations, snakemake.input.traces).values()
    table = summaries.table(
        traces,
        job.order,
        quantity=job.quantity,
        groups=job.groups,
        columns=job.columns,
        runs_of_paper=job.runs_of_paper,
    )
    files.write(snakemake.output[0], table)
