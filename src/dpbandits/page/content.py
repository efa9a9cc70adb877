"""What the page shows, as plain values: numbers and verdicts from the finished tables, titles and labels from the studies."""

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

from dpbandits.arena import FIGURES as ARENA_FIGURES
from dpbandits.arena.scores import read as read_scores
from dpbandits.checks.tables import read_checks, read_claims
from dpbandits.files import read_table, reading
from dpbandits.page import choice
from dpbandits.page.closing import places
from dpbandits.page.pictures import LETTER, inline, plain
from dpbandits.page.scoreboard import by_reading, headline
from dpbandits.studies.experiment import is_of_the_paper
from dpbandits.studies.model import Figure, Study

USUAL = {
    "seed": 1,
    "scale": "paper",
    "estimator": "default",
    "r6a": "",
}  # settings that a command need not name
LONG = ["policy", "event", "pair"]  # columns of audits that the page leaves to their table


def gather(
    studies: Mapping[str, Study], results: Path, figures: Path, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """All values that the template uses; `files`: name in the folder beside the page -> where it comes from."""
    papers = {id: study for id, study in studies.items() if not study.arena}
    said = read_claims(results / "claims.csv")
    said = said[said["paper"].isin(papers)]
    claims = _claims(said, papers)
    verification = read(results / "verification.txt").decode().splitlines()
    shown = [_Chapter(study, results, figures, settings, claims) for study in studies.values()]
    guests = places(studies, results)
    return {
        "settings": settings,
        "headline": headline(said),
        "papers": [chapter.paper() for chapter in shown if not chapter.study.arena],
        "arenas": [chapter.arena() for chapter in shown if chapter.study.arena],
        "claims": claims,
        "guests": guests.assign(
            policy=guests["policy"].map(plain), experiment=guests["experiment"].map(name)
        ),
        "letters": Markup("".join(sorted(set().union(*(chapter.letters for chapter in shown))))),
        "verification": verification[-1] if verification else "",
        "files": {"claims.csv": results / "claims.csv"}
        | {file: source for chapter in shown for file, source in chapter.files.items()},
    }


def read(path: Path) -> bytes:
    """Read a file that the page needs."""
    with reading(path, "part of the page"):
        return path.read_bytes()


def _short(frame: pd.DataFrame) -> pd.DataFrame:
    """Numbers with four digits, whole ones as they are."""
    return frame.map(
        lambda cell: (
            f"{float(cell):.4g}" if re.fullmatch(r"-?\d+(\.\d+|e|\.\d+e)[-+\d]*", cell) else cell
        )
    )


def _share(cell: str) -> str:
    return f"{float(cell):.1%}" if float(cell) >= 0.0005 else "< 0.1%"


def _claims(said: pd.DataFrame, papers: Mapping[str, Study]) -> pd.DataFrame:
    """A row for each claim: its verdict in either reading, the checks, and what decided."""
    rows = said.groupby(["paper", "claim", "kind", "place", "says"], sort=False)
    found = rows.agg(
        {"checks": " ".join, "reason": lambda given: "; corrected: ".join(given.unique())}
    ).reset_index()
    evidence = [papers[row.paper].claims[row.claim].evidence for row in found.itertuples()]
    return found.assign(evidence=evidence).merge(by_reading(said))


class _Chapter:
    """A paper's part of the page, or an arena's, and the files that it links to."""

    def __init__(
        self,
        study: Study,
        results: Path,
        figures: Path,
        settings: Mapping[str, Any],
        said: pd.DataFrame,
    ):
        self.study, self.results, self.figures, self.settings = study, results, figures, settings
        self.said = said[said["paper"] == study.id]
        self.shown = _shown(study)
        self.letters: set[str] = set()  # their outlines, which its drawings share with all others
        self.files = {f"{study.id}/{Path(study.file).name}": Path(study.file)}

    def paper(self) -> dict[str, Any]:
        """What the template uses of a paper."""
        study, tables = self.study, (self.results / "tables" / self.study.id).glob("*.csv")
        return {
            "id": study.id,
            "study": study,
            "figures": [self._figure(base, found) for base, found in self.shown.items()],
            "elsewhere": self.checks_at(""),
            "tables": {name(path.stem): _short(read_table(path)) for path in sorted(tables)},
            "accounts": self._accounts(),
            "audits": _short(read_table(self.results / f"audits/{study.id}.csv")).drop(
                columns=LONG, errors="ignore"
            ),
        }

    def arena(self) -> dict[str, Any]:
        """What the template uses of an arena: its answers and pictures."""
        study, scores = self.study, f"{self.study.id}/scores.csv"
        self.files[f"{scores}.gz"] = self.results / scores
        return {
            "id": study.id,
            "study": study,
            "yardstick": plain(study.arena.members[study.arena.yardstick].label),
            "choice": choice.choices(read_scores(self.results / scores)),
            "figures": [
                {"id": id, "name": name(id), **self.picture(id, {}, "")} for id in ARENA_FIGURES
            ],
            "data": [f"{scores}.gz", f"{study.id}/{Path(study.file).name}"],
        }

    @cached_property
    def checks(self) -> pd.DataFrame:
        """The checks of the study; `bases`: the figures that show what a check measures, of which the first has its row."""
        checks = read_checks(self.results / f"checks/{self.study.id}.csv")
        claim_of = {
            check: row.claim for row in self.said.itertuples() for check in row.checks.split()
        }
        checks["claim"] = [claim_of.get(check, "") for check in checks["check"]]
        found = checks["figures"].str.replace(".corrected", "", regex=False).str.split()
        checks["bases"] = [
            [base for base in dict.fromkeys(bases) if base in self.shown] for bases in found
        ]
        checks["place"] = [(bases or [""])[0] for bases in checks["bases"]]
        return checks

    def checks_at(self, base: str) -> list[list[dict[str, Any]]]:
        """The checks below a figure, each as its measurements."""
        mine = self.checks[self.checks["place"] == base].groupby(
            ["check", "experiment"], sort=False
        )
        return [rows.to_dict("records") for _, rows in mine]

    def _marks(self, base: str) -> list[Any]:
        """The claims that a figure checks."""
        checked = set(self.checks.loc[[base in bases for bases in self.checks["bases"]], "claim"])
        mine = self.said[self.said["claim"].isin(checked) & (self.said["kind"] == "experiment")]
        return list(mine.itertuples())

    def _figure(self, base: str, found: list[Figure]) -> dict[str, Any]:
        study, first = self.study, found[0]
        pictures = [
            self.picture(figure.id, _labels(figure, study), figure.reading) for figure in found
        ]
        experiments = list(
            dict.fromkeys(experiment for figure in found for experiment in figure.experiments)
        )
        data = {
            f"{study.id}/{e}.csv.gz": self.results / f"summaries/{study.id}/{e}.csv"
            for e in experiments
        }
        preview = f"previews/{study.id}/{first.id}.png"
        self.files |= {**data, preview: self.results / f"pictures/{study.id}/{first.id}.png"}
        return {
            "id": base,
            "name": name(base),
            "own": is_of_the_paper(base),
            "title": plain(first.title),
            "caption": plain(first.caption),
            "preview": preview,
            "pictures": pictures,
            "points": any('class="published"' in picture["svg"] for picture in pictures),
            "marks": self._marks(base),
            "checks": self.checks_at(base),
            "distances": self._distances(base, _labels(first, study)),
            "data": list(data),
        }

    def picture(self, figure: str, labels: Mapping[str, str], reading: str) -> dict[str, Any]:
        """A figure in one reading: its drawing, its files, and the command that makes it."""
        where = f"{self.study.id}/{figure}"
        svg = read(self.results / f"pictures/{where}.svg").decode()
        self.letters |= set(LETTER.findall(svg))
        made = self.figures / f"{where}.{self.settings['formats'][0]}"
        file = f"{where}{made.suffix}"
        self.files[file] = made
        changed = " ".join(
            f"{key}={self.settings[key]}"
            for key, usual in USUAL.items()
            if self.settings[key] != usual
        )
        return {
            "reading": reading,
            "svg": inline(svg, where, labels),
            "file": file,
            "command": f"snakemake --cores 2 {f'--config {changed} -- ' if changed else ''}{made}",
        }

    def _distances(self, base: str, labels: Mapping[str, str]) -> list[str]:
        """How far our curves are from those that the authors drew: median and largest, in words."""
        rows = read_table(self.results / "distances.csv").query(
            "paper == @self.study.id and figure == @base"
        )
        return [
            f"{labels.get(row.series, row.series)} {_share(row.median)}, {_share(row.largest)}"
            for row in rows.itertuples()
        ]

    def _accounts(self) -> pd.DataFrame:
        """What is promised and spent; rows that differ only in the figure are one."""
        rows = read_table(self.results / f"accounts/{self.study.id}.csv").drop(
            columns=["policy", "ratio"]
        )
        rows = rows.assign(experiment=rows["experiment"].map(name), label=rows["label"].map(plain))
        same = [column for column in rows if column != "experiment"]
        merged = rows.groupby(same, sort=False)["experiment"].agg(
            lambda found: ", ".join(dict.fromkeys(found))
        )
        return _short(
            merged.reset_index().rename(columns={"label": "policy", "experiment": "figures"})
        )


def _shown(study: Study) -> dict[str, list[Figure]]:
    """Name of a figure -> its readings; the paper's own first. Of figures with panels, their panels."""
    found: dict[str, list[Figure]] = {}
    for figure in study.figures.values():
        found.setdefault(figure.name, []).append(figure)
    lettered = {base[:-1] for base in found if re.fullmatch(r"fig\d+[a-z]", base)}
    return {
        base: found[base]
        for base in sorted(found, key=is_of_the_paper, reverse=True)
        if base not in lettered
    }


def _labels(figure: Figure, study: Study) -> dict[str, str]:
    """The names of a figure's curves: a series, or along a parameter a policy -> its label."""
    labels: dict[str, str] = {}
    for panel in figure.panels:
        for id in panel.series:
            series = study.experiments[panel.experiment].series[id]
            for key in (id, series.policy):
                labels.setdefault(key, plain(panel.labels.get(id, series.label)))
    return labels


def name(figure: str) -> str:
    """fig5a -> Figure 5a, s-power-of-two -> Power of two, table1 -> Table 1."""
    if match := re.fullmatch(r"(fig|table)(\d+[a-z]?)", figure):
        return f"{'Figure' if match[1] == 'fig' else 'Table'} {match[2]}"
    return figure.removeprefix("s-").replace("-", " ").capitalize()
