"""Make a finished run the reference; at the paper's scale update the previews and the README, too."""

from pathlib import Path

from dpbandits import figures, verification
from dpbandits.arena import recommendation
from dpbandits.errors import InputError, run_job
from dpbandits.report import strip
from dpbandits.verdicts import scoreboard
from dpbandits.verdicts.columns import read_sentences

with run_job(snakemake.log[0]):
    compared, papers, readme = snakemake.params.compared, snakemake.params.papers, Path("README.md")
    results, drawn, reference = map(Path, compared["folders"])
    for guest in compared["guests"]:
        raise InputError(f"config/config.yaml: guests: {guest} would be part of the reference; write guests: {{}}")
    verification.refresh(compared["tables"], compared["figures"], results, drawn, reference)
    if str(reference) == "reference":
        for name, paper in papers.items():
            pictures = [drawn / name / f"{figure}.png" for figure in paper.preview]
            figures.preview(pictures, f"figures/gallery/{name}.png")
        said = read_sentences(results / "sentences.csv")
        scoreboard.put_table(readme, "verdicts", scoreboard.headline(said))
        strip.draw(said, strip.PICTURE)
        for arena in snakemake.params.arenas:
            if recommendation.refresh(readme, arena, results / arena / "scores.csv"):
                figures.preview([drawn / arena / "winners.png"], recommendation.PICTURE.format(arena), width=1344)
