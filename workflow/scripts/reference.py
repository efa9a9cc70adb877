"""Copy the tables of a finished run, and the sums of all its files, into reference/; refresh the previews and the README."""

from pathlib import Path

from dpbandits import figures, scoreboard, verification

params = snakemake.params
verification.refresh(params.papers, Path(params.results), Path(params.figures), Path(params.reference))
for preview, pictures in params.previews.items():
    figures.preview(pictures, preview)
if params.told:
    scoreboard.refresh(Path("README.md"), {name: (paper, Path(file)) for name, (paper, file) in params.told.items()})
