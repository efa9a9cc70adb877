"""Make a finished run the reference; at the paper's scale update the previews and the README, too."""

from pathlib import Path

from dpbandits import figures, verification
from dpbandits.arena import recommendation
from dpbandits.errors import InputError, run_job
from dpbandits.report import strip
from dpbandits.verdicts import scoreboard
from dpbandits.verdicts.tables import read_sentences

with run_job(snakemake.log[0]):
    params, readme = snakemake.params, Path("README.md")
    folders = {name: Path(folder) for name, folder in params.folders.items()}
    if params.guests:
        raise InputError(
            f"config/config.yaml: guests: {params.guests[0]} would be part of the reference; write guests: {{}}"
        )
    verification.refresh(params.tables, params.pictures, **folders)
    if str(folders["reference"]) == "reference":
        for name, paper in params.papers.items():
            pictures = [folders["figures"] / name / f"{figure}.png" for figure in paper.preview]
            figures.preview(pictures, f"figures/gallery/{name}.png")
        said = read_sentences(folders["results"] / "sentences.csv")
        scoreboard.put_table(readme, "verdicts", scoreboard.headline(said))
        strip.draw(said, strip.PICTURE)
        for arena in params.arenas:
            if recommendation.refresh(readme, arena, folders["results"] / arena / "scores.csv"):
                picture = folders["figures"] / arena / "winners.png"
                figures.preview([picture], recommendation.PICTURE.format(arena), width=1344)
