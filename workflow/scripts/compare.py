"""Compare a finished run with the reference; the result goes into the output file or, without one, to the terminal."""

import sys
from pathlib import Path

from dpbandits import files, verification
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    params = snakemake.params
    folders = {name: Path(folder) for name, folder in params.folders.items()}
    found = verification.verify(params.figures, params.tables, **folders, formats=params.formats, guests=params.guests)
    if snakemake.output:
        with files.written_whole(snakemake.output[0]) as file:
            file.write(str(found).encode())
    else:
        print(found, end="")
        sys.exit(1 if found.differences else 0)
