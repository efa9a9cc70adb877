"""Write the page and the files beside it."""

from pathlib import Path

from dpbandits import __version__, report
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    params, output = snakemake.params, snakemake.output
    results, figures = map(Path, params.folders)
    settings = {**params.settings, "version": __version__}
    report.write(params.shown["studies"], results, figures, Path(output.page), Path(output.files), settings)
