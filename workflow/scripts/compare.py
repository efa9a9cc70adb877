"""Compare a finished run with the reference; the result goes into the output file or, without one, to the terminal.

On the terminal an older result that no longer says anything about these tables is replaced, too.
"""

import sys
from pathlib import Path

from dpbandits import verification
from dpbandits.errors import run_job
from dpbandits.files import traces

with run_job(snakemake.log[0]):
    params = snakemake.params
    folders = {name: Path(folder) for name, folder in params.folders.items()}
    report = verification.verify(params.drawn_from, **folders, formats=params.formats, guests=params.guests)
    if snakemake.output or verification.is_stale(folders["results"], folders["reference"]):
        with traces.written_whole(folders["results"] / verification.REPORT) as file:
            file.write(str(report).encode())
    if not snakemake.output:
        print(report, end="")
        sys.exit(1 if report.differences else 0)
