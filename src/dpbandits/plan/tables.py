"""The plan as two tables: a row for each simulation, and one for each file that is made of them.

`python -m dpbandits.plan azize2022` prints them. The rules of the workflow look up in them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from dpbandits import theory
from dpbandits.arena import FIGURES as ARENA_FIGURES
from dpbandits.checks.placing import needs_runs
from dpbandits.studies.model import Study

if TYPE_CHECKING:
    from dpbandits.plan.plan import Plan

BATCH = ["study", "experiment", "policies"]
SIMULATION = [*BATCH, "first", "last", "rounds", "trace", "checks", "plays"]
OUTPUT = ["study", "kind", "name", "draws", "published", "guests"]
# Four jobs audit a study; a quarter of an arena's mechanisms takes a minute.
SHARES = ("1", "2", "3", "4")
GUESTS = "guests"  # the share of the audits of guests, whose confidence is their own
OF_ALL_POLICIES = ("account", "audit", "guest share", "scores")  # kinds whose rows include guests
PARTS = ("share", "guest share", "guest")  # kinds of tables that other tables contain


def simulations(plan: Plan) -> pd.DataFrame:
    """A row for each simulation, in the order in which a job reads the traces.

    `policies` names its batch, `rounds` is how many it plays, `trace` is its file below
    <results>/traces, `checks` has the ids of the checks that measure it, and `plays` its policies.
    """
    measured: dict[tuple[str, str, str], list[str]] = {}  # study, experiment, policy -> checks
    for study, checks in plan.checks.items():
        for check in (each for each in checks if needs_runs(each.measure)):
            for experiment in check.experiments:
                for series in check.series_of(experiment):
                    place = study, experiment.id, series.policy
                    measured.setdefault(place, []).append(check.id)
    rows = []
    for place, batches in plan.batches.items():
        for batch in batches:
            ids = dict.fromkeys(id for each in batch.ids for id in measured.get((*place, each), ()))
            for first, last in batch.chunks:
                rounds = (last + 1 - first) * batch.rounds_of_run
                trace = f"{'/'.join((*place, batch.policies))}/{first}-{last}"
                listed = " ".join(ids), " ".join(batch.ids)
                rows.append((*place, batch.policies, first, last, rounds, trace, *listed))
    return pd.DataFrame(rows, columns=SIMULATION)


def outputs(plan: Plan) -> pd.DataFrame:
    """A row for each figure and each table of a full run.

    `name` is its path without a suffix below <figures> or <results>. Of a figure, `draws` has the
    tables that it draws, and `published` the files of its authors' points. `guests` are those that
    it shows: in a summary all that play the experiment, in figures of ours none.
    """
    rows = [row for study in plan.studies.values() for row in _outputs_of(plan, study)]
    whole = [("", name, name, (), (), ()) for name in ("claims", "distances")]
    return pd.DataFrame(rows + whole, columns=OUTPUT)


def _outputs_of(plan: Plan, study: Study) -> Iterator[tuple]:
    id, guests = study.id, tuple(study.guests)
    names = {
        "audit": [f"audits/{id}"],
        "share": [f"audits/{id}/{share}" for share in SHARES],
        "guest share": [f"audits/{id}/{GUESTS}"] if guests else [],
        "replay": [f"replays/{id}"],
        "guest": [f"replays/guests/{guest}" for guest in guests],
    }
    if study.arena:
        names["scores"] = [f"{id}/scores"]
    else:
        names |= {"account": [f"accounts/{id}"], "checks": [f"checks/{id}"]}
        names["theorem"] = [f"tables/{id}/{table}" for table in theory.TABLES.get(id, ())]
        names["summary"] = [f"summaries/{id}/{experiment}" for experiment in study.experiments]
    for kind, name in ((kind, name) for kind, each in names.items() for name in each):
        shown = guests if kind in OF_ALL_POLICIES else ()
        if kind == "summary":
            policies = study.experiments[Path(name).name].policies
            shown = tuple(guest for guest in guests if guest in policies)
        yield id, kind, name, (), (), (Path(name).name,) if kind == "guest" else shown
    for name in ARENA_FIGURES if study.arena else ():
        yield id, "figure", f"{id}/{name}", (f"{id}/scores",), (), guests
    points = plan.published.get(id, {}) if plan.shows_points else {}
    for name, figure in study.figures.items():
        tables = tuple(f"summaries/{id}/{experiment}" for experiment in figure.experiments)
        files = tuple(points[p.drawn_as] for p in figure.panels if p.drawn_as in points)
        drawn = {series for panel in figure.panels for series in panel.series}
        shown = tuple(guest for guest, series in study.guests.items() if drawn & series)
        yield id, "figure", f"{id}/{name}", tables, files, shown
