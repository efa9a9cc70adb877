"""Compare a finished run with the reference; the result goes into the output file or, without one, to the terminal."""

import sys
from pathlib import Path

from dpbandits import files, verification
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    params = snakemake.params
    folders = {name: Path(folder) for name, folder in params.folders.items()}
    lines = verification.verify(params.figures, params.tables, **folders, formats=params.formats, guests=params.guests)
    text = verification.as_text(lines, params.guests)
    if snakemake.output:
        with files.written_whole(snakemake.output[0]) as file:
            file.write(text.encode())
    else:
        print(text, end="")
        sys.exit(any(verdict == verification.DIFFERS for _, verdict, _ in lines))
