"""ARTIFACT.md, codecheck.yml and the costs of a full run: what an artifact evaluation or a CODECHECK asks for.

Everything follows from the paper files and from reference/: the commands and what is shown from the papers, minutes and
memory from the logs of the last full run (reference/costs.csv; where a simulation is not in it, from the estimates of
`costs`), and the verdicts from the claims tables. `make artifact` writes the files; `make reference` measures and writes.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dpbandits import studies, theory
from dpbandits.arena import names
from dpbandits.claims import scoreboard
from dpbandits.errors import costs_in
from dpbandits.files import tables
from dpbandits.plan import batches, costs
from dpbandits.report.arena import caption
from dpbandits.report.content import first_sentence
from dpbandits.studies import yaml_file
from dpbandits.studies.study import Figure, Paper

COSTS, COLUMNS = "costs.csv", ["simulation", "jobs", "cpu_seconds", "longest_job", "megabytes"]
CORES = 2
SCHEDULING = 12.0  # seconds of Snakemake itself, which starts, reads five papers and runs the jobs of one figure
TABLES_OF_ARENA = {
    "scores": "the score of every policy on every instance at every epsilon",
    "differences": "pairwise differences of the scores, with their standard errors",
}
HEAD = Path(__file__).with_name("artifact_evaluation_head.md")


@dataclass(frozen=True)
class Cost:
    """Of the jobs of one simulation: all of their processor seconds, those of the longest, and the largest memory."""

    jobs: int
    seconds: float
    longest: float
    megabytes: float


# ---- costs


def measured(logs: Mapping[str, Iterable[Path]]) -> dict[str, Cost]:
    """The costs of simulations that ran: `<paper>/<experiment>/<batch>` -> the logs of its jobs."""
    found = {}
    for simulation, files in logs.items():
        if jobs := costs_in(files):
            seconds = [job["cpu_seconds"] for job in jobs]
            found[simulation] = Cost(len(jobs), sum(seconds), max(seconds), max(job["peak_megabytes"] for job in jobs))
    return found


def write_costs(reference: Path, found: Mapping[str, Cost]) -> None:
    """Write reference/costs.csv."""
    lines = [
        f"{simulation},{cost.jobs},{cost.seconds:.1f},{cost.longest:.1f},{cost.megabytes:.0f}\n"
        for simulation, cost in sorted(found.items())
    ]
    (reference / COSTS).write_text("".join([",".join(COLUMNS) + "\n", *lines]), encoding="utf-8")


def read_costs(reference: Path) -> dict[str, Cost]:
    """Read reference/costs.csv; nothing where no run was measured."""
    if not (reference / COSTS).exists():
        return {}
    name, *numbers = COLUMNS
    rows = tables.rows(reference / COSTS, [name], numbers, checksum=False)
    return {row[name]: Cost(*(row[number] for number in numbers)) for row in rows}


def _estimated(batch: batches.Batch) -> Cost:
    sizes = [min(batch.block, batch.runs - first) for first in range(0, batch.runs, batch.block)]
    seconds = [costs.seconds(batch.spec, size) for size in sizes]
    return Cost(len(sizes), sum(seconds), max(seconds), costs.megabytes(batch.spec, sizes[0]))


class Costs:
    """The costs of the simulations of a study, measured or else estimated."""

    def __init__(self, paper: Paper, known: Mapping[str, Cost]):
        self.paper, self.of, self.estimated = paper, {}, 0
        self.simulation: dict[tuple[str, str], str] = {}
        options = names.JOBS if paper.arena else {}
        for experiment in paper.experiments.values():
            for batch in batches.batches(experiment, seed=1, **options):
                name = f"{paper.id}/{experiment.id}/{batch.id}"
                self.estimated += name not in known
                self.of[name] = known.get(name) or _estimated(batch)
                self.simulation |= {(experiment.id, policy): name for policy in batch.policies}

    def of_figure(self, figure: Figure) -> tuple[float, float]:
        """Minutes on two cores, and megabytes."""
        experiments = [self.paper.experiments[e] for e in figure.experiments]
        names = dict.fromkeys(self.simulation[policy.home, policy.id] for e in experiments for policy in e.policies)
        found = [self.of[name] for name in names]
        seconds = sum(cost.seconds for cost in found) + len(experiments) * costs.SUMMARY_SECONDS + costs.FIGURE_SECONDS
        longest = max((cost.longest for cost in found), default=0.0)
        minutes = (max(seconds / CORES, longest) + SCHEDULING) / 60
        return minutes, max([cost.megabytes for cost in found] + [costs.START_MEGABYTES])

    def of_all(self, figures: int) -> float:
        """Minutes of all simulations, summaries and figures on two cores."""
        seconds = sum(cost.seconds for cost in self.of.values()) + costs.CLAIMS_SECONDS
        seconds += len(self.paper.experiments) * costs.SUMMARY_SECONDS + figures * costs.FIGURE_SECONDS
        return (seconds / CORES + SCHEDULING) / 60


# ---- the pages


def artifact(known: Mapping[str, Paper], reference: Path) -> str:
    """ARTIFACT.md."""
    measured_costs = read_costs(reference)
    found = {name: Costs(paper, measured_costs) for name, paper in known.items()}
    parts = [HEAD.read_text(encoding="utf-8").strip()]
    estimated, total = (sum(n) for n in zip(*((c.estimated, len(c.of)) for c in found.values()), strict=True))
    origin = "measured in the last full run"
    if estimated == total:
        origin = "estimated from the paper files, without the half minute in which the first simulation of a paper compiles its kernels"
    if 0 < estimated < total:
        origin = f"measured in the last full run, but for {estimated} of {total} simulations, which are estimated"
    parts.append(
        f"Minutes are those of the command in a fresh clone on {CORES} idle cores, once everything is installed, and megabytes "
        f"those of its largest job; they are {origin}. A figure whose simulations another one has run already takes seconds. "
        "Verdicts are those of the last full run on all claims about the figure that test what the paper says: hold (or are proved) / "
        "fail (or are refuted) / are undecided (or open). Those on sentences follow from them: `results/paper/sentences.csv`."
    )
    for name, paper in known.items():
        rows = scoreboard.read_claims(reference / "claims" / f"{name}.csv", checksum=False)
        section = _section_of_arena if paper.arena else _section
        parts.append("\n".join(section(paper, found[name], rows)))
    return "\n\n".join(parts) + "\n"


def _section(paper: Paper, found: Costs, rows: list[scoreboard.Row]) -> Iterator[str]:
    first = paper.claims[0].id
    yield f"## {paper.id}: {paper.title}"
    yield ""
    yield f"All of it: `snakemake --cores {CORES} {paper.id}`, about {math.ceil(found.of_all(len(paper.figures)))} min. One of its"
    yield f"{len(paper.claims)} claims: `snakemake --cores {CORES} claims/{paper.id}/{first}`; the others are in `config/papers/{paper.id}.yaml`."
    yield ""
    yield f"| what | `snakemake --cores {CORES} ...` | minutes | MB | shows | verdicts |"
    yield "| --- | --- | ---: | ---: | --- | ---: |"
    for figure in paper.figures.values():
        minutes, megabytes = found.of_figure(figure)
        about = [row for row in rows if figure.id in row["figures"].split() and row["kind"] != scoreboard.OURS]
        mine = [scoreboard.outcome(row) for row in about]
        verdicts = " / ".join(str(mine.count(verdict)) for verdict in scoreboard.VERDICTS) if mine else "–"
        cells = (f"`figures/{paper.id}/{figure.id}.pdf`", f"{minutes:.1f}", f"{megabytes:.0f}", shows(figure), verdicts)
        yield f"| {name_of(figure)} | {' | '.join(cells)} |"
    for table in theory.TABLES.get(paper.id, {}):
        number = table.removeprefix("table")
        yield f"| Table {number} | `{_table(paper.id, table)}` | 0.2 | 300 | computed from the theorems | – |"


def _section_of_arena(arena: Paper, found: Costs, rows: list[scoreboard.Row]) -> Iterator[str]:
    verdicts = [row["verdict"] for row in rows]
    yield f"## {arena.id}: {arena.title}"
    yield ""
    minutes = math.ceil(found.of_all(len(names.FIGURES)))
    yield f"All algorithms on the same instances. Its figures and tables share all of its simulations: `snakemake --cores {CORES} {arena.id}`,"
    yield f"about {minutes} min and {max(cost.megabytes for cost in found.of.values()):.0f} MB."
    counts = " / ".join(str(verdicts.count(verdict)) for verdict in scoreboard.VERDICTS)
    yield f"Verdicts on our own {len(arena.claims)} claims about it: {counts}."
    yield ""
    yield f"| what | `snakemake --cores {CORES} ...` | shows |"
    yield "| --- | --- | --- |"
    for figure in names.FIGURES:
        yield f"| {figure} | `figures/{arena.id}/{figure}.pdf` | {_first_sentence(caption(figure, arena.arena))} |"
    for table in names.TABLES:
        yield f"| table of {table} | `results/paper/{arena.id}/{table}.csv` | {TABLES_OF_ARENA[table]} |"
    yield f"| table of claims | `results/paper/claims/{arena.id}.csv` | the verdicts on our own claims about it |"


def name_of(figure: Figure) -> str:
    """fig5a -> Figure 5a; fig5a.corrected -> Figure 5a, corrected; s-cap -> ours: cap."""
    base = figure.id.removesuffix(".corrected")
    name = f"Figure {base[3:]}" if base.startswith("fig") else f"ours: {base[2:].replace('-', ' ')}"
    return name + (", corrected" if figure.id != base else "")


def shows(figure: Figure) -> str:
    """The title of a figure, or the first sentence of its caption."""
    return figure.title.replace("|", "/") or _first_sentence(figure.caption)


def _first_sentence(text: str) -> str:
    return first_sentence(text).replace("|", "/")


def _table(paper: str, table: str) -> str:
    return f"results/paper/tables/{paper}/{table}.csv"


def codecheck(known: Mapping[str, Paper], citation: Mapping) -> str:
    """codecheck.yml: every output with what it is, for a codechecker to complete."""
    lines = [
        "---",
        "# The outputs that a codechecker compares (https://codecheck.org.uk), written by `make artifact`.",
        "version: https://codecheck.org.uk/spec/config/1.0",
        "paper:",
        f"  title: {_quoted(citation['title'])}",
        "  authors:",
        *(f"    - name: {_quoted(author['name'])}" for author in citation["authors"]),
        "manifest:",
    ]
    for file, comment in _outputs(known):
        lines += [f"  - file: {file}", f"    comment: {_quoted(comment)}"]
    return "\n".join(lines) + "\n"


def _outputs(known: Mapping[str, Paper]) -> Iterator[tuple[str, str]]:
    """Every file that a full run makes for its readers, and what it is."""
    for paper in known.values():
        for figure in names.FIGURES if paper.arena else ():
            shown = _first_sentence(caption(figure, paper.arena))
            yield f"figures/{paper.id}/{figure}.pdf", f"{paper.id}, {figure}: {shown}"
        for table in names.TABLES if paper.arena else ():
            yield f"results/paper/{paper.id}/{table}.csv", f"{paper.id}, {TABLES_OF_ARENA[table]}"
        for figure in paper.figures.values():
            yield f"figures/{paper.id}/{figure.id}.pdf", f"{paper.id}, {name_of(figure)}: {shows(figure)}"
        for table in theory.TABLES.get(paper.id, {}):
            yield _table(paper.id, table), f"{paper.id}, Table {table.removeprefix('table')}"
        yield f"results/paper/claims/{paper.id}.csv", f"{paper.id}, the verdicts on its {len(paper.claims)} claims"
    yield "results/paper/sentences.csv", "the verdicts on what the papers say, sentence by sentence"
    yield "results/paper/report.html", "all figures, claims and verdicts on one page"


def _quoted(text: str) -> str:
    """As a YAML string."""
    return "'" + text.replace("'", "''") + "'"


def refresh(root: Path) -> None:
    """Write ARTIFACT.md and codecheck.yml of a clone from its paper files and its reference."""
    for name, text in pages(root).items():
        (root / name).write_text(text, encoding="utf-8")


def pages(root: Path) -> dict[str, str]:
    """File -> its content, on the papers that the reference has; one of your own is not among them."""
    known = {
        name: paper
        for name, paper in studies.load_all(root / "config", "paper").items()
        if (root / "reference/claims" / f"{name}.csv").exists()
    }
    citation = yaml_file.read_yaml(root / "CITATION.cff")
    return {
        "ARTIFACT.md": artifact(known, root / "reference"),
        "codecheck.yml": codecheck(known, citation),
    }


if __name__ == "__main__":
    refresh(Path.cwd())
