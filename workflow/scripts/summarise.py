"""Summarise the runs of an experiment."""

from dpbandits import files
from dpbandits.errors import run_job
from dpbandits.statistics import summaries

with run_job(snakemake.log[0]):
    job = snakemake.params.job
    (traces,) = files.entries(job.simulations, snakemake.input.traces).values()
    table = summaries.summary_of(
        (files.read_chunks(chunks, header) for header, chunks in traces),
        order=job.order,
        quantity=job.quantity,
        groups=job.groups,
        columns=job.columns,
        runs_of_paper=job.runs_of_paper,
    )
    files.write(snakemake.output[0], table)
