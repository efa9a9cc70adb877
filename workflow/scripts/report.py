"""Write the report, and the metadata of this run into a file beside it."""

import json
from pathlib import Path

from dpbandits import __version__, report
from dpbandits.errors import run_job
from dpbandits.files import traces
from dpbandits.report import stamp

with run_job(snakemake.log[0]):
    params, output = snakemake.params, snakemake.output
    settings = {**params.settings, "version": __version__}
    logs = {paper: [Path(file) for file in files] for paper, files in params.logs.items()}
    metadata = stamp.collect(Path.cwd(), settings, logs)
    sources = report.Sources(Path(output.page).parent)
    page = report.page(params.shown["studies"], sources, settings, metadata if params.stamp else None)
    for name, text in ((output.page, page), (output.meta, json.dumps(metadata, indent=2) + "\n")):
        with traces.written_whole(name) as file:
            file.write(text.encode())
