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
from dpbandits.studies.model import Study
from dpbandits.tables import read_table

AUDITED = ["study", "label", "reading", "channel", "epsilon", "spent", "measured", "finding"]
KEPT = "the ledger adds up to no more than the promise, in every game that is played here"
EXCEEDED = "the ledger adds up to more than the promise for {}"
NOTHING = "it promises nothing"


def cards(studies: Mapping[str, Study], results: Path) -> list[dict[str, Any]]:
    """The cards of all policies that the studies play, by the names of their modules."""
    audits = pd.concat(
        [read_table(results / f"audits/{id}.csv").assign(study=id) for id in studies]
    )
    played: dict[str, set[tuple[str, str]]] = {}
    for id, study in studies.items():
        for experiment in study.experiments.values():
            for series in experiment.series.values():
                played.setdefault(series.algorithm, set()).add((id, series.policy))
    arenas = [id for id, study in studies.items() if study.arena]
    ranks = pd.concat([pd.DataFrame(), *(_ranks(id, results) for id in arenas)])
    return [_card(name, of, audits, ranks) for name, of in sorted(played.items())]


def _card(
    name: str, played: set[tuple[str, str]], audits: pd.DataFrame, ranks: pd.DataFrame
) -> dict[str, Any]:
    """The card of a policy; `played` are the studies and the ids under which it plays."""
    here = [pair in played for pair in zip(audits["study"], audits["policy"], strict=True)]
    audited = audits[here].assign(label=audits["label"][here].map(plain))
    promised, spent = (pd.to_numeric(audited[key]) for key in ("epsilon", "spent"))
    exceeded = audited.loc[spent > promised * (1 + 1e-9), "label"].unique()
    status = EXCEEDED.format(", ".join(exceeded)) if len(exceeded) else KEPT
    ranked = [pair in played for pair in ranks.index]
    return {
        "id": name,
        "name": POLICIES.find(name).__name__,
        "about": policies.about(name),
        "status": status if spent.notna().any() else NOTHING,
        "audits": audited.reindex(columns=AUDITED),
        "ranks": ranks[ranked].reset_index(drop=True),
        "bibtex": "\n".join(export.sources([name])),
    }


def _ranks(arena: str, results: Path) -> pd.DataFrame:
    """The place of each policy among those of its trust at each epsilon, by arena and policy."""
    rows = overall_ranking(read_scores(results / f"{arena}/scores.csv"))
    rows = rows[rows["ranked"] & rows["league"].isin(TRUSTED)]
    groups = rows.groupby(["league", "epsilon"])["policy"]
    places = groups.cumcount().add(1).astype(str) + " of " + groups.transform("size").astype(str)
    table = pd.DataFrame({"policy": rows["label"].map(plain), "ε": rows["epsilon"]})
    table["whom you trust: promise"] = rows["league"].map(TRUSTED)
    table["place"], table["regret / yardstick’s"] = places, rows["regret"].map("{:.3g}".format)
    return table.set_index(pd.Index([(arena, id) for id in rows["policy"]], tupleize_cols=False))
