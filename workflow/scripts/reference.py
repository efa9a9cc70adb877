"""Copy the tables of a finished run and its files' checksums into reference/; update the previews and the README."""

from pathlib import Path

from dpbandits import figures, verification
from dpbandits.arena import summary
from dpbandits.errors import InputError, run_job
from dpbandits.verdicts import scoreboard, sentences

with run_job(snakemake.log[0]):
    params = snakemake.params
    if params.guests:
        raise InputError(
            f"config/config.yaml: guests: {params.guests[0]} would be part of the reference; write guests: {{}}"
        )
    verification.refresh(params.studies, **{name: Path(folder) for name, folder in params.folders.items()})
    for preview, pictures in params.previews.items():
        figures.preview(pictures, preview)
    if params.claims:
        read = [(paper, scoreboard.read_claims(file)) for paper, file in params.claims.values()]
        scoreboard.put_table(Path("README.md"), "scoreboard", scoreboard.as_markdown(sentences.table(read)))
    for arena, (scores, winners) in params.arenas.items():
        if summary.refresh(Path("README.md"), arena, Path(scores)):
            figures.preview([winners], summary.PICTURE.format(arena), width=11.2)
