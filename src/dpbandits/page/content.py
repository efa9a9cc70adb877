"""The values that the page shows: numbers from the finished tables, titles from the studies."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from dpbandits.arena import FIGURES as ARENA_FIGURES
from dpbandits.arena.rankings import TRUSTED, overall_ranking
from dpbandits.arena.scores import read as read_scores
from dpbandits.checks.tables import read_checks, read_claims
from dpbandits.files import reading
from dpbandits.page import privacy, recommendation
from dpbandits.page.closing import guest_places
from dpbandits.page.scoreboard import by_reading, counts, headline
from dpbandits.studies.model import Figure, Study
from dpbandits.tables import number, read_table
from dpbandits.theory import TABLES

# Settings that a command need not name.
DEFAULTS = {"seed": 1, "scale": "paper", "estimator": "default", "r6a": ""}


class Run(NamedTuple):
    """A finished run: its folders, and its settings with the version of the package."""

    results: Path
    figures: Path
    settings: Mapping[str, Any]


def gather(
    studies: Mapping[str, Study], run: Run, sources: Mapping[str, Sequence[str | Path]]
) -> dict[str, Any]:
    """All values that the template uses.

    Parameters
    ----------
    studies : mapping
        Id -> study.
    run : Run
        The run that the page shows.
    sources : mapping
        Id of a study -> its YAML files.

    Returns
    -------
    dict
        Its item `files` is a mapping: name in the folder beside the page -> source.
    """
    papers = {id: study for id, study in studies.items() if not study.arena}
    answers = read_claims(run.results / "claims.csv")
    answers = answers[answers["paper"].isin(papers)]
    claims = _claims(answers, papers)
    verification = read(run.results / "verification.txt").decode().splitlines()
    chapters = [_Chapter(study, run, sources[id], claims) for id, study in studies.items()]
    guests = guest_places(studies, run.results)
    return {
        "settings": run.settings,
        "headline": headline(answers),
        "counts": counts(answers),
        "papers": [chapter.paper() for chapter in chapters if not chapter.study.arena],
        "arenas": [chapter.arena() for chapter in chapters if chapter.study.arena],
        "claims": claims,
        "privacy": privacy.table(studies, run.results),
        "guests": guests.assign(experiment=guests["experiment"].map(name)),
        "verification": verification[-1] if verification else "",
        "files": {"claims.csv": run.results / "claims.csv"}
        | {file: source for chapter in chapters for file, source in chapter.files.items()},
    }


def read(path: Path) -> bytes:
    """Read a file that the page needs."""
    with reading(path, "part of the page"):
        return path.read_bytes()


def _share(cell: str) -> str:
    return f"{float(cell):.1%}" if float(cell) >= 0.0005 else "< 0.1%"


def _claims(answers: pd.DataFrame, papers: Mapping[str, Study]) -> pd.DataFrame:
    """One row for each claim: its answer in either reading, its checks, and the reason."""
    groups = answers.groupby(["paper", "claim", "kind", "place", "says"], sort=False)
    claims = groups.agg(
        {"checks": " ".join, "reason": lambda reasons: "; corrected: ".join(reasons.unique())}
    ).reset_index()
    stated = [papers[row.paper].claims[row.claim] for row in claims.itertuples()]
    claims = claims.assign(
        evidence=[claim.evidence for claim in stated], reply=[claim.reply for claim in stated]
    )
    return claims.merge(by_reading(answers))


class _Chapter:
    """A paper's part of the page, or an arena's, and the files that it links."""

    def __init__(self, study: Study, run: Run, sources: Sequence[str | Path], claims: pd.DataFrame):
        self.study, self.run = study, run
        self.claims = claims[claims["paper"] == study.id]
        self.figures = _figures(study)
        titles = ("experiments", "claims")[: len(sources)]
        self.sources = {title: f"{study.id}/{title}.yaml" for title in titles}
        self.files = dict(zip(self.sources.values(), map(Path, sources), strict=True))

    def paper(self) -> dict[str, Any]:
        """The values of a paper."""
        study, results = self.study, self.run.results
        return {
            "id": study.id,
            "study": study,
            "sources": self.sources,
            "figures": [self._figure(base, figures) for base, figures in self.figures.items()],
            "checks": [
                rows.to_dict("records") for _, rows in self.checks.groupby("check", sort=False)
            ],
            "data": self._copies("checks", *privacy.TABLES),
            "tables": {
                name(table): (note, read_table(results / f"tables/{study.id}/{table}.csv"))
                for table, note in TABLES.get(study.id, {}).items()
            },
        }

    def arena(self) -> dict[str, Any]:
        """The values of an arena: its rankings and pictures."""
        study, file = self.study, f"{self.study.id}/scores.csv"
        self.files[f"{file}.gz"] = self.run.results / file
        scores = read_scores(self.run.results / file)
        yardstick = plain(study.arena.members[study.arena.yardstick].label)
        ranks = overall_ranking(scores).sort_values("epsilon", kind="stable")
        return {
            "id": study.id,
            "study": study,
            "yardstick": yardstick,
            "best": recommendation.best(scores),
            "rankings": {
                promise: _ranking(ranks[ranks["league"] == league], yardstick)
                for league, promise in TRUSTED.items()
            },
            "figures": [{"id": id, "name": name(id), **self.picture(id)} for id in ARENA_FIGURES],
            "data": [f"{file}.gz", *self._copies("audits", "replays"), *self.sources.values()],
        }

    def _copies(self, *kinds: str) -> list[str]:
        """The study's tables of these kinds beside the page."""
        copies = {
            f"{self.study.id}/{kind}.csv": self.run.results / f"{kind}/{self.study.id}.csv"
            for kind in kinds
        }
        self.files |= copies
        return list(copies)

    @cached_property
    def checks(self) -> pd.DataFrame:
        """The checks of the study.

        `claims` are those that need a check, and `bases` the figures that show what it measures.
        """
        checks = read_checks(self.run.results / f"checks/{self.study.id}.csv")
        claims = [(row.claim, row.checks.split()) for row in self.claims.itertuples()]
        checks["claims"] = [[claim for claim, of in claims if id in of] for id in checks["check"]]
        drawn = [[self.study.figures[id].name for id in ids.split()] for ids in checks["figures"]]
        checks["bases"] = [
            {base: name(base) for base in bases if base in self.figures} for bases in drawn
        ]
        return checks

    def _marks(self, base: str) -> list[Any]:
        """The claims whose checks a figure shows."""
        here = self.checks["claims"][[base in bases for bases in self.checks["bases"]]].explode()
        return list(self.claims[self.claims["claim"].isin(here)].itertuples())

    def _figure(self, base: str, figures: list[Figure]) -> dict[str, Any]:
        study, first = self.study, figures[0]
        data = {
            f"{study.id}/{id}.csv.gz": self.run.results / f"summaries/{study.id}/{id}.csv"
            for figure in figures
            for id in figure.experiments
        }
        self.files |= data
        return {
            "id": base,
            "name": name(base),
            "own": not first.ours,
            "title": plain(first.title),
            "caption": plain(first.caption),
            "pictures": [self.picture(figure.id, figure.reading) for figure in figures],
            "marks": self._marks(base),
            "distances": self._distances(base, _labels(first, study)),
            "data": list(data),
        }

    def picture(self, figure: str, reading: str = "") -> dict[str, Any]:
        """A figure in one reading: its drawing, its file, and the command that makes it."""
        place, settings = f"{self.study.id}/{figure}", self.run.settings
        source = self.run.results / f"pictures/{place}.svg"
        svg = read(source).decode()
        points = re.search(r'viewBox="0 0 (\S+) ([^"]+)"', svg).groups()
        file = f"{place}.{settings['formats'][0]}"
        self.files |= {f"{place}.svg": source, file: self.run.figures / file}
        changes = " ".join(
            f"{key}={settings[key]}" for key, usual in DEFAULTS.items() if settings[key] != usual
        )
        options = f"--config {changes} -- " if changes else ""
        return {
            "reading": reading,
            "place": place,
            "size": [round(float(length) / 0.75) for length in points],  # in pixels
            "files": dict.fromkeys((file, f"{place}.svg")),
            "command": f"snakemake --cores 2 {options}{self.run.figures / file}",
        }

    def _distances(self, base: str, labels: Mapping[str, str]) -> list[str]:
        """The distances of our curves from the authors': median and largest, in words."""
        rows = read_table(self.run.results / "distances.csv").query(
            "paper == @self.study.id and figure == @base"
        )
        return [
            f"{labels.get(row.series, row.series)} {_share(row.median)}, {_share(row.largest)}"
            for row in rows.itertuples()
        ]


def _figures(study: Study) -> dict[str, list[Figure]]:
    """Name of a figure -> its readings; the paper's own first.

    A figure with panels is left out where its panels are figures.
    """
    figures: dict[str, list[Figure]] = {}
    for figure in study.figures.values():
        figures.setdefault(figure.name, []).append(figure)
    own = {name: readings for name, readings in figures.items() if not readings[0].ours}
    whole = {
        name
        for name, (first, *_) in own.items()
        if any(panel.drawn_as not in ("", name) for panel in first.panels)
    }
    shown = {name: readings for name, readings in own.items() if name not in whole}
    return shown | {name: readings for name, readings in figures.items() if name not in own}


def _ranking(ranks: pd.DataFrame, yardstick: str) -> pd.DataFrame:
    """The ranking of a league in words."""
    rows = []
    for row in ranks.itertuples():
        place = "first" if row.tied else "later" if row.ranked else ""
        note = f"tuned for {row.tuned_for:,.0f} rounds" if row.tuned_for else ""
        rows.append(
            {
                "policy": row.label,
                "ε": f"{row.epsilon:g}",
                "rests on": row.source,
                f"regret / {yardstick}’s": number(row.regret, row.error),
                "runs lost": f"{row.lost:.1%}",
                "ε spent": f"{row.spent:.3g}",
                "ε measured": "–" if pd.isna(row.measured) else f"≥ {row.measured:.3g}",
                "place": place,
                "note": "exceeds its promise" if row.exceeded else note,
            }
        )
    return pd.DataFrame(rows)


def _labels(figure: Figure, study: Study) -> dict[str, str]:
    """The labels of a figure's curves, by series or, along a parameter, by policy."""
    labels: dict[str, str] = {}
    for panel in figure.panels:
        for id in panel.series:
            experiment = study.experiments[panel.experiment]
            for key in (id, experiment.series[id].policy):
                labels.setdefault(key, plain(panel.label(id, experiment)))
    return labels


def name(figure: str) -> str:
    """fig5a -> Figure 5a, s-power-of-two -> Power of two, table1 -> Table 1."""
    if match := re.fullmatch(r"(fig|table)(\d+[a-z]?)", figure):
        return f"{'Figure' if match[1] == 'fig' else 'Table'} {match[2]}"
    return figure.removeprefix("s-").replace("-", " ").capitalize()


def plain(label: str) -> str:
    """A label without markup: EXP3$_\\tau$ -> EXP3_τ."""

    def without_markup(mathematics: re.Match) -> str:
        text = unescape(re.sub(r"\\([A-Za-z]+)", r"&\1;", mathematics[1]))  # HTML knows letters
        return re.sub(r"[{}&;]", "", text)

    return re.sub(r"\$([^$]*)\$", without_markup, label)
