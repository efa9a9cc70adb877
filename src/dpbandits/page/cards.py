"""A card for each policy: its source, what it promises and spends, its audits, and its ranks."""

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
# Column of a table -> its head on the card.
HEADS = {"study": "study", "label": "policy", "reading": "reading"}
PRIVACY = {"epsilon": "ε promised", "spent": "ε in the ledger"}
AUDITED = {"channel": "channel", "measured": "ε measured, at least"}
REPLAYED = {
    "bound": "ε of its releases, at most",
    "booked": "releases in the ledger",
    "attained": "releases in the replay",
}
RANKED = {
    "epsilon": "ε",
    "trust": "whom you trust: promise",
    "place": "place",
    "regret": "regret / yardstick’s",
}
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
    ranks = pd.concat([pd.DataFrame(columns=[*PLAYED, "label", *RANKED]), *ranks])
    return [
        _card(name, *(_rows(table, of) for table in (audits, replays, ranks)))
        for name, of in sorted(played.items())
    ]


def _rows(table: pd.DataFrame, played: set[tuple[str, str, str]]) -> pd.DataFrame:
    """The rows of these policies, without markup in their labels."""
    rows = table[pd.MultiIndex.from_frame(table[PLAYED]).isin(played)]
    return rows.assign(label=rows["label"].map(plain))


def _card(
    name: str, audits: pd.DataFrame, replays: pd.DataFrame, ranks: pd.DataFrame
) -> dict[str, Any]:
    promised, spent = (pd.to_numeric(audits[key]) for key in ("epsilon", "spent"))
    names = audits["label"] + (" (" + audits["reading"] + ")").replace(" (both)", "")
    exceeded = names[spent > promised * (1 + 1e-9)].unique()
    status = EXCEEDED.format("; ".join(exceeded)) if len(exceeded) else KEPT
    finding = {"finding": "finding"}
    heads = {
        "ranks": (ranks, {"label": "policy", **RANKED}),
        "audits": (audits, HEADS | PRIVACY | AUDITED | finding),
        "replays": (replays, HEADS | PRIVACY | REPLAYED | finding),
    }
    return {
        "id": name,
        "name": POLICIES.find(name).__name__,
        "about": policies.about(name),
        "status": status if spent.notna().any() else NOTHING,
        "bibtex": "\n".join(export.sources([name])),
        **{title: table[[*of]].rename(columns=of) for title, (table, of) in heads.items()},
    }


def _ranks(arena: str, results: Path) -> pd.DataFrame:
    """The place of each policy among those of its trust at each epsilon."""
    rows = overall_ranking(read_scores(results / f"{arena}/scores.csv"))
    rows = rows[rows["ranked"] & rows["league"].isin(TRUSTED)]
    groups = rows.groupby(["league", "epsilon"])["policy"]
    places = groups.cumcount().add(1).astype(str) + " of " + groups.transform("size").astype(str)
    return rows.assign(
        study=arena,
        reading="both",
        trust=rows["league"].map(TRUSTED),
        place=places,
        regret=rows["regret"].map("{:.3g}".format),
    )
