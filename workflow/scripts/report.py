"""Write the report, and the metadata of this run into a file beside it."""

import json
from pathlib import Path

from dpbandits import __version__, files, report
from dpbandits.errors import run_job
from dpbandits.report import stamp

with run_job(snakemake.log[0]):
    params, output = snakemake.params, snakemake.output
    results, studies = Path(output.page).parent, params.shown["studies"]
    settings = {**params.settings, "version": __version__}
    logs = {study: sorted((results / "logs/simulate" / study).rglob("*.log")) for study in studies}
    metadata = stamp.collect(Path.cwd(), settings, logs)
    page = report.page(studies, report.Sources(results), settings, metadata if params.stamp else None)
    for name, text in ((output.page, page), (output.meta, json.dumps(metadata, indent=2) + "\n")):
        with files.written_whole(name) as file:
            file.write(text.encode())
