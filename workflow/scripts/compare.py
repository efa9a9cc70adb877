"""Compare a finished run with the reference; the result goes into the output file or, without one, to the terminal."""

import sys
from pathlib import Path

from dpbandits import traces, verification
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    params = snakemake.params
    folders = {name: Path(folder) for name, folder in params.folders.items()}
    compared = {"guests": params.guests, "arena": params.arena}
    report = verification.verify(params.drawn_from, **folders, formats=params.formats, **compared)
    if snakemake.output:
        with traces.written_whole(snakemake.output[0]) as file:
            file.write(str(report).encode())
    else:
        print(report, end="")
        sys.exit(1 if report.differences else 0)
