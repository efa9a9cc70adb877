"""The summary that a run prints at its end, and the places of guests among the curves."""

from collections.abc import Collection, Mapping
from pathlib import Path

import pandas as pd

from dpbandits.arena import scores
from dpbandits.arena.rankings import LEAGUES, overall_ranking
from dpbandits.audit.findings import ABOVE_LEDGER, faults
from dpbandits.checks import answers
from dpbandits.page import privacy, scoreboard
from dpbandits.plan.layout import Layout
from dpbandits.studies.model import Study
from dpbandits.studies.things import BOTH
from dpbandits.tables import range_of, read_table

PLACES = ["policy", "paper", "experiment", "reading", "epsilon", "mean", "place"]


def summary(studies: Mapping[str, Study], files: Collection[str], layout: Layout) -> str:
    """Summarise the files that a run was to make, in at most eight lines.

    Say where they are, how many claims hold, which audits and replays contradict a ledger, how
    guests did, and the total of the verification.
    """
    results, figures = layout.results, layout.figures
    drawings = sorted(file for file in files if file.startswith(f"{figures}/"))
    is_one = len({Path(file).with_suffix("") for file in drawings}) == 1  # in several formats
    places = [f"figures: {', '.join(drawings) if is_one else figures}"] if drawings else []
    if (page := f"{results}/page/index.html") in files:
        places.append(f"page: {page}")
    lines = ["; ".join(places)] if places else []
    checks = {id: file for id in studies if (file := f"{results}/checks/{id}.csv") in files}
    if checks:
        lines.append(f"checks:  {results}/checks{answers.first_look(layout.scale)}")
        claims = answers.table({id: studies[id] for id in checks}, list(checks.values()))
        lines += scoreboard.headline(claims)[: len(scoreboard.TITLES)]
    guests = sorted({guest for study in studies.values() for guest in study.guests})
    if first := alarms(*privacy.audits_and_replays(studies, results, files.__contains__)):
        more = f"; {len(first) - 1} more below {results}/audits and {results}/replays"
        lines.append(first[0] + more * (len(first) > 1))
    standings = [how_it_did(guest, studies, results, files) for guest in guests]
    if any(standings):
        lines.append(f"guests:  {'; '.join(filter(None, standings))}")
    if (file := f"{results}/verification.txt") in files:
        lines.append(f"verify:  {Path(file).read_text().splitlines()[-1]}")
    return "\n".join(lines)


def alarms(audits: pd.DataFrame, replays: pd.DataFrame) -> list[str]:
    """Bounds above a ledger, and releases that are not booked: a line for each mechanism.

    The checks say which promises are broken.
    """
    lines = [
        f"audit:   {row.policy} ({row.study}) at epsilon {row.epsilon:g}: "
        f"the {row.channel} show at least {row.measured:g}, above the ledger's {row.spent:g}"
        for row in audits[audits["finding"] == ABOVE_LEDGER].itertuples()
    ]
    lines += [
        f"replay:  {row.policy} ({row.study}) at epsilon {row.epsilon:g}: {row.finding}"
        for row in faults(replays).drop_duplicates(["policy", "finding"]).itertuples()
    ]
    return lines


def how_it_did(
    guest: str, studies: Mapping[str, Study], results: str, files: Collection[str]
) -> str:
    """How often a guest is first in the papers, and its places in arenas; "" if it did not play."""
    papers = guest_places(studies, results, files)
    own = papers.loc[papers["policy"] == guest, "place"]
    first = f"first at T in {own.str.startswith('1 of').sum()} of {len(own)} experiments"
    says = [first] * bool(len(own)) + arena_places(studies, results, files, guest)
    return f"{guest}: {', '.join(says)}" if says else ""


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
        if not guests or (files is not None and file not in files):
            continue
        table, quantity = read_table(file, ["policy"]), experiment.design.quantity
        finals = table.groupby("policy")[quantity if quantity in table else "mean"].last()
        epsilons = [each.parameters.get("epsilon", 0) for each in experiment.series.values()]
        curves = pd.DataFrame({"epsilon": epsilons}, index=experiment.series.keys())
        curves["mean"] = finals
        for guest in guests:
            own = [series.id for series in guest.series]
            # All curves, if the guest has no epsilon.
            means = curves.groupby("epsilon" if curves["epsilon"][own[0]] else lambda _: 0)["mean"]
            curves["rank"] = means.rank(ascending=quantity != "ctr_ratio", method="min")
            curves["number"] = means.transform("size")
            epsilon, mean, rank, number = (range_of(curves.loc[own, name]) for name in curves)
            where = guest.id, experiment.paper, experiment.id, experiment.reading or BOTH
            rows.append((*where, "" if epsilon == "0" else epsilon, mean, f"{rank} of {number}"))
    return pd.DataFrame(rows, columns=PLACES)


def arena_places(
    studies: Mapping[str, Study], results: str | Path, files: Collection[str], guest: str
) -> list[str]:
    """The places of a guest in the arenas at T, over all instances, in its league."""
    places = []
    for id in (id for id, study in studies.items() if study.arena):
        if (file := f"{results}/{id}/scores.csv") in files:
            ranks = overall_ranking(scores.read(file))
            for row in ranks[ranks["policy"] == guest].itertuples():
                place = f"{row.place} of {row.number}"
                if not row.ranked:
                    why = f"it plays {row.instances} of {row.of} bandits"
                    place = f"none: {'promise exceeded or refuted' if row.exceeded else why}"
                at = "" if pd.isna(row.epsilon) else f" at epsilon {row.epsilon:g}"
                places.append(f"{id}{at}: {place} ({LEAGUES[row.league]})")
    return places
