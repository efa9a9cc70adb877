"""The summary that a run prints at its end, and the places of guests among the curves."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

import pandas as pd

from dpbandits.arena import scores
from dpbandits.audit.accounts import range_of
from dpbandits.audit.findings import (
    ABOVE_LEDGER,
    BROKEN,
    NO_FAULTS,
    REPLAY_TEXTS,
    TEXTS,
    WORST_LAST,
)
from dpbandits.checks import answers
from dpbandits.page import scoreboard
from dpbandits.studies.model import Study
from dpbandits.tables import read_table

PLACES = ["policy", "paper", "experiment", "reading", "epsilon", "mean", "place"]
OF_AUDITS = ["epsilon", "delta", "spent", "measured"]
OF_REPLAYS = ["epsilon", "arms", "rounds", "bound", "spent", "booked", "attained"]


def summary(
    studies: Mapping[str, Study], files: Collection[str], results: str, figures: str
) -> str:
    """Summarise the files that a run was to make.

    Say where they are, how many claims hold, which audits and replays contradict a ledger, how
    guests did, and the total of the verification.
    """
    drawings = sorted(file for file in files if file.startswith(f"{figures}/"))
    first_look = answers.AT_SMOKE if "smoke" in results else ""
    is_one = len({Path(file).with_suffix("") for file in drawings}) == 1  # in several formats
    lines = [f"figures: {', '.join(drawings) if is_one else figures}"] if drawings else []
    checks = {id: file for id in studies if (file := f"{results}/checks/{id}.csv") in files}
    if checks:
        lines.append(f"checks:  {results}/checks{first_look}")
    claims = answers.table({id: studies[id] for id in checks}, list(checks.values()))
    audits = _tables(f"{results}/audits", files, studies, TEXTS, OF_AUDITS)
    replays = _tables(f"{results}/replays", files, studies, REPLAY_TEXTS, OF_REPLAYS)
    guests = sorted({guest for study in studies.values() for guest in study.guests})
    of_guests = _tables(f"{results}/replays/guests", files, guests, REPLAY_TEXTS, OF_REPLAYS)
    frames = {
        f"{title}, as published (rows), as corrected (columns):": scoreboard.counts(
            claims, kind
        ).reset_index()
        for kind, title in scoreboard.TITLES.items()
    }
    lines += _shown(frames) + alarms(audits, pd.concat([replays, of_guests]))
    places = guest_places(studies, results, files)
    for guest in guests:
        frames = {
            "  promised, spent and measured privacy:": audits_of(guest, audits),
            "  releases that contain one reward, in its ledger and in replays:": of_guests.loc[
                of_guests["policy"] == guest, [*OF_REPLAYS, "finding"]
            ],
            "  places at T among the curves of the same epsilon:": pd.concat(
                [
                    places[places["policy"] == guest],
                    arena_places(studies, results, files, guest),
                ]
            ).drop(columns="policy"),
        }
        if shown := _shown(frames):
            lines += [f"{guest}{first_look}", *shown]
    if (file := f"{results}/verification.txt") in files:
        lines.append(f"verify:  {Path(file).read_text().splitlines()[-1]}")
    if (page := f"{results}/page/index.html") in files:
        lines.append(f"page:    {page}")
    return "\n".join(lines)


def _tables(
    folder: str,
    files: Collection[str],
    names: Iterable[str],
    texts: Collection[str],
    numbers: Collection[str],
) -> pd.DataFrame:
    """The tables of a folder that are among the files of a run."""
    tables = [
        read_table(file, texts) for name in names if (file := f"{folder}/{name}.csv") in files
    ]
    return pd.concat(tables) if tables else pd.DataFrame(columns=[*texts, *numbers])


def _shown(frames: Mapping[str, pd.DataFrame]) -> list[str]:
    """The tables that have rows, below their titles."""
    lines = []
    for title, frame in frames.items():
        lines += [title, frame.to_string(index=False, na_rep="")] if len(frame) else []
    return lines


def alarms(audits: pd.DataFrame, replays: pd.DataFrame) -> list[str]:
    """Bounds above a ledger, and releases that are not booked: a line for each mechanism.

    The checks say which promises are broken.
    """
    lines = [
        f"audit:   {row.policy} ({row.study}) at epsilon {row.epsilon:g}: "
        f"the {row.channel} show at least {row.measured:g}, above the ledger's {row.spent:g}"
        for row in audits[audits["finding"] == ABOVE_LEDGER].itertuples()
    ]
    faults = replays[~replays["finding"].str.startswith(NO_FAULTS)]
    lines += [
        f"replay:  {row.policy} ({row.study}) at epsilon {row.epsilon:g}: {row.finding}"
        for row in faults.drop_duplicates(["policy", "finding"]).itertuples()
    ]
    return lines


def audits_of(guest: str, audits: pd.DataFrame) -> pd.DataFrame:
    """The strongest audit of a guest on each channel at each epsilon."""
    rows = audits[audits["policy"] == guest].sort_values("measured", ascending=False)
    rows = rows.drop_duplicates(["channel", "epsilon"]).sort_values(["channel", "epsilon"])
    return rows[["study", "channel", *OF_AUDITS, "finding"]]


def guest_places(
    studies: Mapping[str, Study], results: str | Path, files: Collection[str] | None = None
) -> pd.DataFrame:
    """The mean of each guest at T in the papers, and its place among curves of the same epsilon.

    `files`: the files of a run; summaries that are not among them are left out. None: all are read.
    A sweep has the range of its places.
    """
    rows = []
    papers = [study for study in studies.values() if not study.arena]
    experiments = [each for paper in papers for each in paper.experiments.values()]
    for experiment in (part for each in experiments for part in each.by_reading):
        file = f"{results}/summaries/{experiment.paper}/{experiment.id}.csv"
        guests = [policy for policy in experiment.policies.values() if policy.guest]
        if guests and (files is None or file in files):
            table, quantity = read_table(file, ["policy"]), experiment.design.quantity
            finals = table.groupby("policy")[quantity if quantity in table else "mean"].last()
            epsilons = [each.parameters.get("epsilon", 0) for each in experiment.series.values()]
            curves = pd.DataFrame({"epsilon": epsilons}, index=experiment.series.keys())
            curves["mean"] = finals
            for guest in guests:
                own = [series.id for series in guest.series]
                # All curves, if the guest has no epsilon.
                alike = "epsilon" if curves["epsilon"][own[0]] else lambda _: 0
                means = curves.groupby(alike)["mean"]
                curves["rank"] = means.rank(ascending=quantity != "ctr_ratio", method="min")
                curves["number"] = means.transform("size")
                epsilon, mean, rank, number = (range_of(curves.loc[own, name]) for name in curves)
                epsilon = epsilon if epsilon != "0" else ""
                where = guest.id, experiment.paper, experiment.id, experiment.reading or "both"
                rows.append((*where, epsilon, mean, f"{rank} of {number}"))
    return pd.DataFrame(rows, columns=PLACES)


def arena_places(
    studies: Mapping[str, Study], results: str | Path, files: Collection[str], guest: str
) -> pd.DataFrame:
    """The place of a guest in the arenas: the median of its places on all instances at T."""
    rows = []
    for id in (id for id, study in studies.items() if study.arena):
        if (file := f"{results}/{id}/scores.csv") in files:
            table = read_table(file, scores.TEXTS).query("game == 'all' and t == horizon")
            kept = table[~table["promise"].isin(BROKEN)]
            of = kept.groupby(["instance", "epsilon"], dropna=False)["mean"]
            ranked = table.assign(rank=of.rank(), number=of.transform("size"))
            for epsilon, own in ranked[ranked["policy"] == guest].groupby("epsilon", dropna=False):
                place = f"{own['rank'].median():g} of {own['number'].median():g} (median)"
                if own["rank"].isna().any():
                    place = f"none: {max(own['promise'], key=WORST_LAST.index)}"
                where = id, f"{len(own)} instances", "both"
                rows.append((guest, *where, f"{epsilon:g}", f"{own['mean'].median():.6g}", place))
    return pd.DataFrame(rows, columns=PLACES)
