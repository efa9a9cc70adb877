"""Copy the tables of a finished run, and the sums of all its files, into reference/."""

from pathlib import Path

from dpbandits import verification

params = snakemake.params
verification.refresh(params.papers, Path(params.results), Path(params.figures), Path(params.reference))
