"""A card for each policy: its source, its promise and ledger, audits, replays, and ranks."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from dpbandits import export
from dpbandits.arena.rankings import TRUSTED, overall_ranking
from dpbandits.arena.scores import read as read_scores
from dpbandits.page import policies
from dpbandits.page.pictures import plain
from dpbandits.policies import POLICIES
from dpbandits.studies.experiment import CORRECTED, PUBLISHED
from dpbandits.studies.model import Study
from dpbandits.tables import read_table

PLAYED = ["study", "policy", "reading"]
ALL_READINGS = [PUBLISHED, CORRECTED, "both"]  # of a series that is the same in each
RANKED = ["label", "epsilon", "trust", "place", "regret"]
PRIVACY = ["study", "label", "reading", "epsilon", "spent"]
AUDITED = [*PRIVACY, "channel", "measured", "finding"]
REPLAYED = [*PRIVACY, "bound", "booked", "attained", "finding"]
KEPT = "the ledger adds up to no more than the promise, in every game that is played here"
EXCEEDED = "the ledger adds up to more than the promise for {}"
NOTHING = "it promises nothing"


def cards(studies: Mapping[str, Study], results: Path) -> list[dict[str, Any]]:
    """The cards of all policies that the studies play, by the names of their modules."""
    played: dict[str, set[tuple[str, str, str]]] = {}
    for id, study in studies.items():
        for experiment in study.experiments.values():
            for series in experiment.series.values():
                readings = [series.reading] if series.reading else ALL_READINGS
                here = played.setdefault(series.algorithm, set())
                here |= {(id, series.policy, reading) for reading in readings}
    audits, replays = (
        pd.concat([read_table(results / f"{kind}/{id}.csv") for id in studies])
        for kind in ("audits", "replays")
    )
    ranks = [_ranks(id, results) for id, study in studies.items() if study.arena]
    ranks = pd.concat([pd.DataFrame(columns=[*PLAYED, *RANKED]), *ranks])
    return [
        {
            "id": name,
            "name": POLICIES.find(name).__name__,
            "about": policies.about(name),
            "status": _status(_rows(audits, of)),
            "ranks": _rows(ranks, of)[RANKED],
            "audits": _rows(audits, of)[AUDITED],
            "replays": _rows(replays, of)[REPLAYED],
            "bibtex": "\n".join(export.sources([name])),
        }
        for name, of in sorted(played.items())
    ]


def _rows(table: pd.DataFrame, played: set[tuple[str, str, str]]) -> pd.DataFrame:
    return table[pd.MultiIndex.from_frame(table[PLAYED]).isin(played)]


def _status(audits: pd.DataFrame) -> str:
    """Whether a policy's ledger proves its promise."""
    promised, spent = (pd.to_numeric(audits[key]) for key in ("epsilon", "spent"))
    names = audits["label"].map(plain) + (" (" + audits["reading"] + ")").replace(" (both)", "")
    exceeded = names[spent > promised * (1 + 1e-9)].unique()
    if len(exceeded):
        return EXCEEDED.format("; ".join(exceeded))
    return KEPT if spent.notna().any() else NOTHING


def _ranks(arena: str, results: Path) -> pd.DataFrame:
    """The place of each policy among those of its trust at each epsilon."""
    rows = overall_ranking(read_scores(results / f"{arena}/scores.csv"))
    rows = rows[rows["ranked"] & rows["league"].isin(TRUSTED)]
    groups = rows.groupby(["league", "epsilon"])["policy"]
    places = groups.cumcount().add(1).astype(str) + " of " + groups.transform("size").astype(str)
    trust = rows["league"].map(TRUSTED)
    return rows.assign(study=arena, reading="both", trust=trust, place=places)
