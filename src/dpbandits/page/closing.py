"""The summary that a run prints at its end, and how guests did."""

from collections.abc import Collection, Mapping
from pathlib import Path

import pandas as pd

from dpbandits.audit.findings import ABOVE_LEDGER, TEXTS
from dpbandits.checks import answers
from dpbandits.files import read_table
from dpbandits.page import scoreboard
from dpbandits.studies.model import Study


def closing(studies: Mapping[str, Study], made: Collection[str], results: str, figures: str) -> str:
    """Of the files that a run was to make: where they are, the verdicts in them, what audits found, how guests did, and the total of
    the verification."""
    drawn = sorted(file for file in made if file.startswith(f"{figures}/"))
    one = len({Path(file).with_suffix("") for file in drawn}) == 1  # in several formats
    lines = [f"figures: {', '.join(drawn) if one else figures}"] if drawn else []
    judged = {id: file for id in studies if (file := f"{results}/checks/{id}.csv") in made}
    if judged:
        shorter = ", of shorter games and fewer runs than in the papers, of which they say nothing"
        lines.append(f"checks:   {results}/checks{shorter if 'smoke' in results else ''}")
    said = answers.table({id: studies[id] for id in judged}, list(judged.values()))
    told = {}
    for kind, title in scoreboard.TITLES.items():
        told[f"{title}, by where they hold:"] = scoreboard.counts(said, kind).reset_index()
    audits = [
        read_table(file, TEXTS) for id in studies if (file := f"{results}/audits/{id}.csv") in made
    ]
    if audits:
        guests = {guest for study in studies.values() for guest in study.guests}
        told["promised, spent and measured privacy:"] = of_audits(pd.concat(audits), guests)
    told["guests, their means at T and their places among the curves there:"] = places(
        studies, results, made
    )
    for title, frame in told.items():
        lines += [title, frame.to_string(index=False, na_rep="")] if len(frame) else []
    if (file := f"{results}/verification.txt") in made:
        lines.append(f"verify:  {Path(file).read_text().splitlines()[-1]}")
    if (page := f"{results}/page/index.html") in made:
        lines.append(f"report:  {page}")
    return "\n".join(lines)


def of_audits(audits: pd.DataFrame, guests: Collection[str]) -> pd.DataFrame:
    """What is found of guests, and of policies of ours whose ledger an audit contradicts (the checks say which promises are broken),
    equal mechanisms of several studies once."""
    told = audits[audits["policy"].isin(list(guests)) | (audits["finding"] == ABOVE_LEDGER)]
    told = told.sort_values("measured", ascending=False)
    told = told.drop_duplicates(["policy", "channel", "epsilon", "delta", "spent", "finding"])
    return told[["label", "channel", "epsilon", "delta", "spent", "measured", "pair", "finding"]]


def places(
    studies: Mapping[str, Study], results: str | Path, made: Collection[str] | None = None
) -> pd.DataFrame:
    """Where guests play in the papers: the mean at T of each series, and its place among all curves there; of all summaries, or
    those that a run has `made`."""
    rows = []
    experiments = [
        e for study in studies.values() if not study.arena for e in study.experiments.values()
    ]
    for experiment in (part for each in experiments for part in each.by_reading):
        summary = f"{results}/summaries/{experiment.paper}/{experiment.id}.csv"
        playing = [
            one for policy in experiment.policies.values() if policy.guest for one in policy.series
        ]
        if playing and (made is None or summary in made):
            table, quantity = read_table(summary, ["policy"]), experiment.design.quantity
            means = table.groupby("policy")[quantity if quantity in table else "mean"].last()[
                list(experiment.series)
            ]
            ranks = means.rank(ascending=quantity != "ctr_ratio", method="min").astype(int)
            where = experiment.paper, experiment.id, experiment.reading or "both"
            for one in playing:
                rows.append(
                    (one.label, *where, f"{means[one.id]:.6g}", f"{ranks[one.id]} of {len(ranks)}")
                )
    return pd.DataFrame(rows, columns=["policy", "paper", "experiment", "reading", "mean", "place"])
