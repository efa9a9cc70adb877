"""What each mechanism promises, spends and loses, from all tables of privacy."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pandas as pd

from dpbandits.arena.scores import read as read_scores
from dpbandits.audit import accounts
from dpbandits.audit.findings import (
    NO_FAULTS,
    NO_POWER,
    NOT_AUDITED,
    REPLAY_TEXTS,
    TEXTS,
    WORST_LAST,
    worst,
)
from dpbandits.checks.tables import read_checks
from dpbandits.studies.model import Study
from dpbandits.studies.things import BOTH
from dpbandits.tables import number, range_of, read_table, read_tables

TABLES = ("accounts", "audits", "replays")
NUMBERS = ("epsilon", "spent", "measured", "loss")  # of audits and replays
REASONED = (*NO_FAULTS, NO_POWER, NOT_AUDITED)  # findings whose reason the table leaves out


def table(studies: Mapping[str, Study], results: Path) -> pd.DataFrame:
    """One row for each mechanism that promises privacy; losses are shares of the promised epsilon.

    Accounts, audits, replays and exact losses have the mechanism in common.
    """
    promised = pd.concat(_promises(studies, results))
    promised = promised[promised["verdict"].isin(WORST_LAST[1:])]  # the first is no promise
    mechanisms = promised.groupby("mechanism", sort=False)
    rows = pd.DataFrame(
        {
            "policy": mechanisms["label"].first(),
            "studies": mechanisms["study"].agg(lambda ids: ", ".join(ids.unique())),
            "epsilon": mechanisms["epsilon"].agg(range_of),
            "delta": mechanisms["delta"].agg(range_of),
            "spent": mechanisms["ratio"].agg(range_of),
            "verdict": mechanisms["verdict"].agg(worst),
        }
    )
    audits, replays = audits_and_replays(studies, results)
    rows["audit"] = _largest(audits, "measured", "≥ ")
    rows["replay"] = _largest(replays, "loss")
    exact = pd.DataFrame(_exact_losses(studies, results), columns=["mechanism", "share"])
    rows["exact"] = exact.groupby("mechanism")["share"].agg(range_of)
    return rows.fillna("").reset_index()


def _largest(table: pd.DataFrame, column: str, sign: str = "") -> pd.Series:
    """The largest loss of each mechanism as a share of epsilon, and its findings.

    Only a fault has its reason.
    """
    table = table.assign(share=table[column] / table["epsilon"])
    cells = {}
    for mechanism, rows in table.groupby("mechanism"):
        share = rows["share"].max()
        findings = [
            finding.split(":")[0] if finding.startswith(REASONED) else finding
            for finding in rows["finding"].unique()
        ]
        shares = [] if pd.isna(share) else [f"{sign}{number(share, digits=3)}"]
        cells[mechanism] = ", ".join(dict.fromkeys(shares + findings))
    return pd.Series(cells, dtype=object)


def audits_and_replays(
    studies: Mapping[str, Study],
    results: str | Path,
    is_there: Callable[[str], bool] = os.path.exists,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The rows of all audits and of all replays, guests' too, from the files that are there."""
    guests = sorted({f"guests/{guest}" for study in studies.values() for guest in study.guests})
    kinds = {"audits": (studies, TEXTS), "replays": ([*studies, *guests], REPLAY_TEXTS)}
    audits, replays = (
        read_tables(filter(is_there, (f"{results}/{kind}/{id}.csv" for id in ids)), texts, NUMBERS)
        for kind, (ids, texts) in kinds.items()
    )
    return audits, replays


def _promises(studies: Mapping[str, Study], results: Path) -> Iterator[pd.DataFrame]:
    """The accounts of papers, and the promises in the scores of arenas."""
    for id, study in studies.items():
        if study.arena:
            scores = read_scores(results / f"{id}/scores.csv").rename(
                columns={"promise": "verdict"}
            )
            yield scores.assign(study=id, ratio=scores["spent"] / scores["epsilon"])
        else:
            yield read_table(results / f"accounts/{id}.csv", accounts.TEXTS).assign(study=id)


def _exact_losses(studies: Mapping[str, Study], results: Path) -> Iterator[tuple[str, float]]:
    """The mechanism and the number of each check that measures an exact loss."""
    for id, study in studies.items():
        exact = {
            name: check.expect["exact_loss"]["of"]
            for name, check in study.checks.items()
            if "exact_loss" in check.expect
        }
        for row in read_checks(results / f"checks/{id}.csv").itertuples() if exact else ():
            if row.check in exact:
                experiment = study.experiments[row.experiment]
                part = experiment.in_reading(row.reading) if row.reading != BOTH else experiment
                yield part.by_name[exact[row.check]].as_policy.mechanism, row.value
