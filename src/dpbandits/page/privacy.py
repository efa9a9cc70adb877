"""What each mechanism promises, spends and loses, from all tables of privacy."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import pandas as pd

from dpbandits.arena.scores import read as read_scores
from dpbandits.audit.accounts import range_of
from dpbandits.audit.findings import NO_FAULTS, REPLAY_TEXTS, TEXTS, WORST_LAST
from dpbandits.checks.tables import read_checks
from dpbandits.studies.model import Study
from dpbandits.tables import number, read_table, read_tables

TABLES = ("accounts", "audits", "replays")
ACCOUNTS = ("experiment", "reading", "policy", "label", "mechanism", "trust", "neighbours")
ACCOUNTS += ("verdict",)  # columns of text
NUMBERS = ("epsilon", "measured", "loss")  # of audits and replays


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
            "verdict": mechanisms["verdict"].agg(lambda each: max(each, key=WORST_LAST.index)),
        }
    )
    audits = read_tables(_in(results, "audits", studies), TEXTS, NUMBERS)
    audits["share"] = audits["measured"] / audits["epsilon"]
    rows["audit"] = _by_mechanism(audits, _audit)
    guests = {f"guests/{guest}" for study in studies.values() for guest in study.guests}
    replayed = _in(results, "replays", [*studies, *sorted(guests)])
    replays = read_tables(replayed, REPLAY_TEXTS, NUMBERS)
    replays["share"] = replays["loss"] / replays["epsilon"]
    rows["replay"] = _by_mechanism(replays, _replay)
    exact = pd.DataFrame(_exact_losses(studies, results), columns=["mechanism", "share"])
    rows["exact"] = exact.groupby("mechanism")["share"].agg(range_of)
    return rows.fillna("").reset_index()


def _by_mechanism(table: pd.DataFrame, words: Callable[[pd.DataFrame], str]) -> pd.Series:
    cells = {mechanism: words(rows) for mechanism, rows in table.groupby("mechanism")}
    return pd.Series(cells, dtype=object)


def _in(results: Path, kind: str, ids: Iterable[str]) -> list[Path]:
    """The tables of a kind that there are."""
    return [file for id in ids if (file := results / f"{kind}/{id}.csv").exists()]


def _promises(studies: Mapping[str, Study], results: Path) -> Iterator[pd.DataFrame]:
    """The accounts of papers, and the promises in the scores of arenas."""
    for id, study in studies.items():
        if study.arena:
            scores = read_scores(results / f"{id}/scores.csv").rename(
                columns={"promise": "verdict"}
            )
            yield scores.assign(study=id, ratio=scores["spent"] / scores["epsilon"])
        else:
            yield read_table(results / f"accounts/{id}.csv", ACCOUNTS).assign(study=id)


def _audit(audits: pd.DataFrame) -> str:
    """The largest lower bound of a mechanism's audits, and their findings."""
    findings = ", ".join(audits["finding"].str.split(":").str[0].unique())
    share = audits["share"].max()
    return findings if pd.isna(share) else f"≥ {number(share, digits=3)}, {findings}"


def _replay(replays: pd.DataFrame) -> str:
    """The largest loss in a mechanism's replays, and their findings: a fault with its reason."""
    findings = [
        finding.split(":")[0] if finding.startswith(NO_FAULTS) else finding
        for finding in replays["finding"].unique()
    ]
    share = replays["share"].max()
    losses = [] if pd.isna(share) else [number(share, digits=3)]
    return ", ".join(dict.fromkeys(losses + findings))


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
                part = experiment.in_reading(row.reading) if row.reading != "both" else experiment
                yield part.by_name[exact[row.check]].as_policy.mechanism, row.value
