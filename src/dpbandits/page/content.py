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
from dpbandits.page.scoreboard import by_reading, counts, headline, joint
from dpbandits.plan.layout import Layout
from dpbandits.studies.model import Figure, Study
from dpbandits.tables import number, read_table
from dpbandits.theory import TABLES

# Settings that a command need not name.
DEFAULTS = {"seed": Layout.seed, "scale": Layout.scale, "estimator": "default", "r6a": ""}
DISTANCES = "Distances from the authors’ curves"
FROM_POINTS = "The relative distance of our curves from the points that the authors drew."


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
        Its item `files` is a mapping: place in the folder beside the page -> source.
    """
    papers = {id: study for id, study in studies.items() if not study.arena}
    answers = read_claims(run.results / "claims.csv")
    answers = answers[answers["paper"].isin(papers)]
    claims = _claims(answers, papers)
    verification = read(run.results / "verification.txt").decode().splitlines()
    files = {"claims.csv": run.results / "claims.csv"}
    chapters = [_Chapter(study, run, sources[id], claims, files) for id, study in studies.items()]
    guests = guest_places(studies, run.results)
    return {
        "settings": run.settings,
        "command": _command(run),
        "headline": headline(answers),
        "counts": counts(answers),
        "joint": joint(answers),
        "papers": [chapter.paper() for chapter in chapters if not chapter.study.arena],
        "arenas": [chapter.arena() for chapter in chapters if chapter.study.arena],
        "claims": claims,
        "privacy": privacy.table(studies, run.results),
        "guests": guests,
        "verification": verification[-1] if verification else "",
        "files": files,
    }


def _command(run: Run) -> str:
    """The command that makes a picture with the settings of the run."""
    settings = run.settings
    changes = " ".join(
        f"{key}={settings[key]}" for key, usual in DEFAULTS.items() if settings[key] != usual
    )
    options = f"--config {changes} -- " if changes else ""
    return f"snakemake --cores 2 {options}{run.figures}/PAPER/FIGURE.{settings['formats'][0]}"


def read(path: Path) -> bytes:
    """Read a file that the page needs."""
    with reading(path, "part of the page"):
        return path.read_bytes()


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
    """A study's part of the page. It notes the files that it links in `files`."""

    def __init__(
        self,
        study: Study,
        run: Run,
        sources: Sequence[str | Path],
        claims: pd.DataFrame,
        files: dict[str, Path],
    ):
        self.study, self.run, self.files = study, run, files
        self.claims, self.figures = claims[claims["paper"] == study.id], _figures(study)
        self.sources = {
            title: self._link(f"{title}.yaml", source)
            for title, source in zip(("experiments", "claims"), sources, strict=False)
        }

    def _link(self, name: str, source: str | Path) -> str:
        """Put a file into the study's folder beside the page; return its place."""
        place = f"{self.study.id}/{name}"
        self.files[place] = Path(source)
        return place

    def _tables(self, *kinds: str) -> list[str]:
        """Link the study's tables of these kinds."""
        file = f"{self.study.id}.csv"
        return [self._link(f"{kind}.csv", self.run.results / kind / file) for kind in kinds]

    def paper(self) -> dict[str, Any]:
        """The values of a paper."""
        study, results = self.study, self.run.results
        rows = read_table(results / "distances.csv", ["paper", "figure", "series"])
        rows = rows[rows["paper"] == study.id][["figure", "series", "points", "median", "largest"]]
        return {
            "id": study.id,
            "study": study,
            "sources": self.sources,
            "figures": list(map(self._figure, self.figures)),
            "checks": [
                rows.to_dict("records") for _, rows in self.checks.groupby("check", sort=False)
            ],
            "data": self._tables("checks", *privacy.TABLES),
            "tables": {
                table: (note, read_table(results / f"tables/{study.id}/{table}.csv"))
                for table, note in TABLES.get(study.id, {}).items()
            }
            | ({DISTANCES: (FROM_POINTS, rows)} if len(rows) else {}),
        }

    def arena(self) -> dict[str, Any]:
        """The values of an arena: its rankings and pictures."""
        study, file = self.study, self.run.results / self.study.id / "scores.csv"
        scores = read_scores(file)
        yardstick = plain(study.arena.members[study.arena.yardstick].label)
        ranks = overall_ranking(scores).sort_values("epsilon", kind="stable")
        data = self._link("scores.csv.gz", file), *self._tables("audits", "replays")
        return {
            "id": study.id,
            "study": study,
            "yardstick": yardstick,
            "best": recommendation.best(scores),
            "rankings": {
                promise: _ranking(ranks[ranks["league"] == league], yardstick)
                for league, promise in TRUSTED.items()
            },
            "figures": [{"id": id, **self._picture(id)} for id in ARENA_FIGURES],
            "data": [*data, *self.sources.values()],
        }

    @cached_property
    def checks(self) -> pd.DataFrame:
        """The checks of the study.

        `claims` are those that need a check, and `bases` the figures that show what it measures.
        """
        checks = read_checks(self.run.results / f"checks/{self.study.id}.csv")
        claims = [(row.claim, row.checks.split()) for row in self.claims.itertuples()]
        checks["claims"] = [[claim for claim, of in claims if id in of] for id in checks["check"]]
        drawn = [
            dict.fromkeys(self.study.figures[id].name for id in ids.split())
            for ids in checks["figures"]
        ]
        checks["bases"] = [[base for base in bases if base in self.figures] for bases in drawn]
        return checks

    def _figure(self, base: str) -> dict[str, Any]:
        """A figure in all its readings, with the claims whose checks it shows."""
        study, readings = self.study, self.figures[base]
        here = self.checks["claims"][[base in bases for bases in self.checks["bases"]]].explode()
        experiments = dict.fromkeys(id for figure in readings for id in figure.experiments)
        return {
            "id": base,
            "own": not readings[0].ours,
            "title": plain(readings[0].title),
            "caption": plain(readings[0].caption),
            "pictures": [self._picture(figure.id, figure.reading) for figure in readings],
            "marks": list(self.claims[self.claims["claim"].isin(here)].itertuples()),
            "data": [
                self._link(f"{id}.csv.gz", self.run.results / f"summaries/{study.id}/{id}.csv")
                for id in experiments
            ],
        }

    def _picture(self, figure: str, reading: str = "") -> dict[str, Any]:
        """A figure in one reading: its drawing, its size in pixels, and its files."""
        place, kind = f"{self.study.id}/{figure}", self.run.settings["formats"][0]
        source = self.run.results / f"pictures/{place}.svg"
        points = re.search(r'viewBox="0 0 (\S+) ([^"]+)"', read(source).decode()).groups()
        printed = self._link(f"{figure}.{kind}", self.run.figures / f"{place}.{kind}")
        image = self._link(f"{figure}.svg", source)
        return {
            "reading": reading,
            "image": image,
            "size": [round(float(length) / 0.75) for length in points],
            "files": dict.fromkeys((printed, image)),
        }


def _figures(study: Study) -> dict[str, list[Figure]]:
    """Name of a figure -> its readings.

    A figure of the paper with panels is left out, since each of its panels is a figure.
    """
    figures: dict[str, list[Figure]] = {}
    for figure in study.figures.values():
        figures.setdefault(figure.name, []).append(figure)
    return {
        name: readings
        for name, readings in figures.items()
        if readings[0].ours or all(p.drawn_as in ("", name) for p in readings[0].panels)
    }


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
                "regret / lower bound": number(row.over_bound, digits=3) if row.bounded else "–",
                "runs lost": f"{row.lost:.1%}",
                "ε spent": f"{row.spent:.3g}",
                "ε measured": "–" if pd.isna(row.measured) else f"≥ {row.measured:.3g}",
                "place": place,
                "note": "promise exceeded or refuted" if row.exceeded else note,
            }
        )
    return pd.DataFrame(rows)


def plain(label: str) -> str:
    """A label without markup: EXP3$_\\tau$ -> EXP3_τ."""

    def without_markup(mathematics: re.Match) -> str:
        text = unescape(re.sub(r"\\([A-Za-z]+)", r"&\1;", mathematics[1]))  # HTML knows letters
        return re.sub(r"[{}&;]", "", text)

    return re.sub(r"\$([^$]*)\$", without_markup, label)
