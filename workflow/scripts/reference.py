"""Copy the tables of a finished run, and the sums of all its files, into reference/; refresh the previews."""

from pathlib import Path

from dpbandits import figures, verification

params = snakemake.params
verification.refresh(params.papers, Path(params.results), Path(params.figures), Path(params.reference))
for preview, pictures in params.previews.items():
    figures.preview(pictures, preview)
