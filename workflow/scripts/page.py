"""Write the page of all results and the files beside it."""

from pathlib import Path

from dpbandits.errors import run_job
from dpbandits.page import site

with run_job(snakemake.log[0]):
    job, run = snakemake.params.job, snakemake.input
    site.write(
        job.studies,
        results=Path(run.verification).parent,
        figures=Path(run.figures[0]).parents[1] if run.figures else Path(),
        sources={id: study.files for id, study in job.studies.items()},
        settings=job.settings,
        output=Path(snakemake.output.page).parent,
    )
