"""The summary that a run prints at its end, and the places of guests among the curves."""

from collections.abc import Collection, Mapping
from pathlib import Path

import pandas as pd

from dpbandits.audit.findings import ABOVE_LEDGER, TEXTS
from dpbandits.checks import answers
from dpbandits.page import scoreboard
from dpbandits.studies.model import Study
from dpbandits.tables import read_table

SHORTER = ", of shorter games and fewer runs than in the papers, of which they say nothing"


def summary(
    studies: Mapping[str, Study], files: Collection[str], results: str, figures: str
) -> str:
    """Summarise the files that a run was to make.

    Say where they are, how many claims hold, what the audits found, how guests did, and the total
    of the verification.
    """
    drawings = sorted(file for file in files if file.startswith(f"{figures}/"))
    is_one = len({Path(file).with_suffix("") for file in drawings}) == 1  # in several formats
    lines = [f"figures: {', '.join(drawings) if is_one else figures}"] if drawings else []
    checks = {id: file for id in studies if (file := f"{results}/checks/{id}.csv") in files}
    if checks:
        lines.append(f"checks:  {results}/checks{SHORTER if 'smoke' in results else ''}")
    claims = answers.table({id: studies[id] for id in checks}, list(checks.values()))
    frames = {
        f"{title}, as published (rows) by as corrected:": scoreboard.counts(
            claims, kind
        ).reset_index()
        for kind, title in scoreboard.TITLES.items()
    }
    audits = [
        read_table(file, TEXTS) for id in studies if (file := f"{results}/audits/{id}.csv") in files
    ]
    if audits:
        guests = {guest for study in studies.values() for guest in study.guests}
        frames["promised, spent and measured privacy:"] = alarms(pd.concat(audits), guests)
    frames["guests, their means at T and their places among the curves there:"] = guest_places(
        studies, results, files
    )
    for title, frame in frames.items():
        lines += [title, frame.to_string(index=False, na_rep="")] if len(frame) else []
    if (file := f"{results}/verification.txt") in files:
        lines.append(f"verify:  {Path(file).read_text().splitlines()[-1]}")
    if (page := f"{results}/page/index.html") in files:
        lines.append(f"page:    {page}")
    return "\n".join(lines)


def alarms(audits: pd.DataFrame, guests: Collection[str]) -> pd.DataFrame:
    """The audits of guests, and those of our policies whose ledger an audit contradicts.

    The checks say which promises are broken. Equal mechanisms of several studies are shown once.
    """
    rows = audits[audits["policy"].isin(list(guests)) | (audits["finding"] == ABOVE_LEDGER)]
    rows = rows.sort_values("measured", ascending=False)
    rows = rows.drop_duplicates(["policy", "channel", "epsilon", "delta", "spent", "finding"])
    return rows[["label", "channel", "epsilon", "delta", "spent", "measured", "pair", "finding"]]


def guest_places(
    studies: Mapping[str, Study], results: str | Path, files: Collection[str] | None = None
) -> pd.DataFrame:
    """The mean of each guest at T in the papers, and its place among all curves there.

    `files`: the files of a run; summaries that are not among them are left out. None: all are read.
    """
    rows = []
    experiments = [
        e for study in studies.values() if not study.arena for e in study.experiments.values()
    ]
    for experiment in (part for each in experiments for part in each.by_reading):
        summary_file = f"{results}/summaries/{experiment.paper}/{experiment.id}.csv"
        guests = [
            series
            for policy in experiment.policies.values()
            if policy.guest
            for series in policy.series
        ]
        if guests and (files is None or summary_file in files):
            table, quantity = read_table(summary_file, ["policy"]), experiment.design.quantity
            means = table.groupby("policy")[quantity if quantity in table else "mean"].last()[
                list(experiment.series)
            ]
            ranks = means.rank(ascending=quantity != "ctr_ratio", method="min").astype(int)
            where = experiment.paper, experiment.id, experiment.reading or "both"
            for series in guests:
                place = f"{ranks[series.id]} of {len(ranks)}"
                rows.append((series.label, *where, f"{means[series.id]:.6g}", place))
    return pd.DataFrame(rows, columns=["policy", "paper", "experiment", "reading", "mean", "place"])
