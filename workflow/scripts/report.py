"""Write the report, and beside it what is to be told of this run."""

import json
from pathlib import Path

from dpbandits import __version__, report, traces
from dpbandits.errors import run_job
from dpbandits.report import stamp

with run_job(snakemake.log[0]):
    params, output = snakemake.params, snakemake.output
    settings = {**params.settings, "version": __version__}
    benchmarks = {paper: [Path(file) for file in files] for paper, files in params.benchmarks.items()}
    told = stamp.of_run(Path.cwd(), settings, benchmarks)
    page = report.page(
        params.shown["papers"], report.Sources(Path(output.page).parent), settings, told if params.stamp else None
    )
    for name, text in ((output.page, page), (output.meta, json.dumps(told, indent=2) + "\n")):
        with traces.written_whole(name) as file:
            file.write(text.encode())
