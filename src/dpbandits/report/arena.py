"""An arena's section of the page: a chooser, its figures, a table that can be sorted, and the verdicts on our own claims."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from dpbandits.arena import names, summary
from dpbandits.arena.cells import LEAGUES
from dpbandits.arena.pictures import NAMES, unit_of, yardstick
from dpbandits.arena.scores import read as read_scores
from dpbandits.files.tables import Table
from dpbandits.report import content
from dpbandits.report.content import Sources, plain
from dpbandits.studies.passages import passages
from dpbandits.studies.study import Arena, Paper
from dpbandits.verdicts import scoreboard

CAPTIONS = {
    "scores": "The regret of all policies on all instances over {yardstick}'s, the instance with the smallest gap first. "
    "Policies as printed, and those that exceed their promise, are grey.",
    "profile": "Performance profiles: the share of cells in which a policy has at most x times {yardstick}'s regret. "
    "Further to the upper left is better.",
    "winners": "The policy with the lowest mean regret over ε and the smallest gap, hatched where two are within two standard errors.",
    "epsilon": "Regret over {yardstick}'s against ε, instance by instance.",
    "differences": "Pairs of policies: the geometric mean over common cells of the ratio of their regrets, hatched where it is "
    "within two standard errors of one.",
}
COLUMNS = {
    "policy": "Policy",
    "league": "League",
    "epsilon": "ε",
    "score": "Score",
    "worst": "Worst instance",
    "percentile": "Worst, 95th percentile",
    "klucb": "Regret / {yardstick}’s",
    "locked": "Locked in, mean",
    "won": "Cells won",
    "measured": "Measured ε",
    "ledger": "Promise",
}
CHOICES = {"league": "trust", "epsilon": "ε", "arms": "arms", "t": "rounds"}  # of the chooser: columns of the scores
DEFAULTS = {"epsilon": 0.5, "arms": 10, "t": 100_000}  # or what was played that is nearest to it


def section(study: Paper, sources: Sources, settings: Mapping[str, Any]) -> dict[str, Any]:
    """All values that the template of the section uses."""
    arena = study.arena
    scores = read_scores(sources.table(arena.id, "scores"))
    rows = scoreboard.read_claims(sources.table("claims", arena.id))
    drawn = {
        "figures": names.FIGURES,
        "id": "",
        "experiments": list(dict.fromkeys(e.id for e in study.experiments.values())),
    }
    return {
        "id": arena.id,
        "name": f"The figures of {arena.id}",
        "made": content.made(drawn, study, sources, settings, passages(Path(study.file).read_text(encoding="utf-8"))),
        "title": study.title,
        "about": arena.about,
        "pictures": [_picture(figure, arena, sources) for figure in names.FIGURES],
        "chooser": chooser(scores, arena),
        "columns": {key: words.format(yardstick=yardstick(arena)) for key, words in COLUMNS.items()},
        "rows": [_cells(line) for line in summary.lines(scores)],
        "leagues": [(NAMES[league], unit_of(league, arena)) for league in LEAGUES],
        "claims": [_claim(row) for row in rows],
        "left_out": _left_out(study),
        "files": [
            {
                "name": f"{arena.id}-{table}.csv.gz",
                "href": content.data_uri("application/gzip", content.packed(sources.table(arena.id, table))),
            }
            for table in names.TABLES
        ],
    }


def _picture(figure: str, arena: Arena, sources: Sources) -> dict[str, Any]:
    drawing = content.drawing(sources, arena.id, figure)
    return {
        "id": f"{arena.id}-{figure}",
        "name": content.name(figure),
        "caption": caption(figure, arena),
        "wide": drawing["width"] > content.WIDE,
        **drawing,
    }


def chooser(scores: Table, arena: Arena) -> dict[str, Any]:
    """What a reader can choose, all of it played, and what the chooser's script needs to know besides the scores."""
    found = {column: scores[column] for column in CHOICES}
    found["epsilon"] = found["epsilon"][~np.isnan(found["epsilon"])]
    played = {column: sorted({*values.tolist()}) for column, values in found.items()}
    played["league"].sort(key=LEAGUES.index)
    defaults = {"league": played["league"][0]} | {
        column: min(played[column], key=lambda value: abs(math.log(value / wanted)))
        for column, wanted in DEFAULTS.items()
    }
    words = {"league": NAMES.__getitem__, "epsilon": "{:g}".format}  # of arms and rounds 100,000
    return {
        "about": {"yardstick": yardstick(arena), "instances": dict(arena.instances)},
        "choices": [
            {
                "name": column,
                "label": label,
                "options": [(_written(value), words.get(column, "{:,}".format)(value)) for value in played[column]],
                "default": _written(defaults[column]),
            }
            for column, label in CHOICES.items()
        ],
    }


def _written(value: Any) -> str:
    """A value as a table has it."""
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def caption(figure: str, arena: Arena) -> str:
    """What a figure of an arena shows."""
    return CAPTIONS[figure].format(yardstick=yardstick(arena))


def _cells(line: summary.Line) -> dict[str, Any]:
    """A row of the table: the text of every cell, and the value by which it is sorted."""

    def numeric(value: float) -> tuple[str, Any]:
        return ("–", "") if math.isnan(value) else (f"{value:.3g}", f"{value:.6g}")

    ledger = {"kept": "✓ kept", "exceeded": "✗ exceeded", "": "–"}[line.promise]
    return {
        "grey": line.printed or line.promise == "exceeded",
        "cells": {
            "policy": (plain(line.label), plain(line.label).lower()),
            "league": (NAMES[line.league], NAMES[line.league]),
            "epsilon": numeric(line.epsilon),
            "score": numeric(line.score),
            "worst": numeric(line.worst),
            "percentile": numeric(line.worst_percentile),
            "klucb": numeric(line.over_yardstick),
            "locked": (f"{line.locked_in:.0%}", f"{line.locked_in:.6g}"),
            "won": (f"{line.won} of {line.instances}", str(line.won)),
            "measured": ("–", "") if math.isnan(line.measured) else (f"≥ {line.measured:.3g}", f"{line.measured:.6g}"),
            "ledger": (ledger, line.promise),
        },
    }


def _claim(row: scoreboard.Row) -> dict[str, Any]:
    kept = ("claim", "statement", "verdict", "evidence", "cause")
    return {
        **{key: row[key] for key in kept},
        "measured": scoreboard.number(row),
        "expected": scoreboard.expected(row),
    }


def _left_out(study: Paper) -> list[str]:
    """The policies that are left out of an instance, with reasons, and the guests that cannot play."""
    arena = study.arena
    found: dict[tuple[str, str], list[str]] = {}
    for (policy, instance), reason in arena.left_out.items():
        found.setdefault((policy, reason), []).append(arena.instances[instance])
    lines = [
        f"{plain(arena.members[policy].label)} on {content.enumeration(instances)}: {reason}"
        for (policy, reason), instances in found.items()
    ]
    refused = {offer.guest: offer.reason for offer in study.guests if offer.reason}
    return lines + [f"{guest}: {reason}" for guest, reason in refused.items()]
