"""The figures of the arena: its scores, and the policies with the least regret."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure as Drawing
from matplotlib.lines import Line2D

from dpbandits.arena.places import kept
from dpbandits.arena.rankings import LEAGUES, TRUSTED
from dpbandits.arena.scores import final_rows
from dpbandits.figures import colours, heatmaps, style
from dpbandits.studies.model import Arena

LEAST_SCORE, MOST_SCORE = 0.5, 1000.0  # the range of colours
NOTE = (
    "T = {:,}; the same order of the arms for all policies in each run; "
    "grouped by whom you trust with rewards and by promise; all of a group spend the same; {}"
)


def draw(
    name: str, arena: Arena, scores: pd.DataFrame, outputs: Iterable[str | Path] = ()
) -> Drawing:
    """Draw one figure of the arena and return it; the suffixes of `outputs` give the formats."""
    rows = final_rows(scores)
    with style.applied():
        chart, words = CHARTS[name]
        drawing = chart(arena, rows[kept(rows)])
        style.annotate(
            drawing,
            NOTE.format(rows["t"].max(), words.format(arena.members[arena.yardstick].label)),
        )
        style.save(drawing, outputs)
    return drawing


def score_map(arena: Arena, rows: pd.DataFrame) -> Drawing:
    """Policy x instance, for each epsilon and for the policies without one."""
    panels = {f"ε = {epsilon:g}": rows[rows["epsilon"] == epsilon] for epsilon in arena.epsilons}
    panels["without ε"] = rows[rows["epsilon"].isna()]
    tables = {title: _by_league(arena, part) for title, part in panels.items() if len(part)}
    columns = min(3, len(tables))
    lines, longest = -(-len(tables) // columns), max(map(len, tables.values()))
    drawing = Drawing(figsize=(1.6 + 4.2 * columns, lines * (0.9 + 0.21 * longest)))
    axes = drawing.subplots(lines, columns, squeeze=False)
    norm = LogNorm(
        *rows["over_yardstick"].clip(LEAST_SCORE, MOST_SCORE).agg(["min", "max"]), clip=True
    )
    for ax in axes.flat[len(tables) :]:
        ax.axis("off")
    for ax, (title, table) in zip(axes.flat, tables.items(), strict=False):
        heatmaps.numbers(ax, table, norm)
        ax.set_ylim(longest, 0)  # cells are as high in every panel
        ax.set_title(title, pad=60)
    place = {"ax": axes, "shrink": 0.4, "aspect": 30, "pad": 0.01, "extend": "max"}
    label = f"mean regret / {arena.members[arena.yardstick].label}'s"
    drawing.colorbar(ScalarMappable(norm, heatmaps.COLOURS), label=label, **place)
    return drawing


def _by_league(arena: Arena, rows: pd.DataFrame) -> pd.DataFrame:
    """Labels of policies x labels of instances, each league below a line with its name."""
    table = rows.pivot(index="policy", columns="instance", values="over_yardstick")
    parts = []
    for league, trust in LEAGUES.items():
        played = set(rows["policy"][rows["league"] == league])
        if played:
            parts += [pd.DataFrame(np.nan, index=[trust], columns=table.columns)]
            labels = {
                policy: member.label for policy, member in arena.members.items() if policy in played
            }
            parts += [table.loc[list(labels)].rename(index=labels)]
    return pd.concat(parts)[_gaps(rows).index].rename(columns=arena.instances)


def winner_map(arena: Arena, rows: pd.DataFrame) -> Drawing:
    """The policy with the lowest mean regret of each league, over epsilon and the instances."""
    gaps = _gaps(rows)
    looks = {arena.members[name].label: look for name, look in _looks(arena).items()}
    cells = rows[rows["league"].isin(TRUSTED)].groupby(["league", "instance", "epsilon"])
    first = rows.loc[cells["mean"].idxmin()].set_index(["league", "instance", "epsilon"])
    first["close"] = cells["best"].sum() > 1  # others are within two standard errors
    leagues = [league for league in TRUSTED if league in first.index]
    names = [f"{arena.instances[instance]}: {gap:.3g}" for instance, gap in gaps.items()]
    heights = 0.36 * len(gaps), 0.3 + 0.17 * first.groupby("league")["policy"].nunique().max()
    drawing = Drawing(figsize=(1.4 + 2.7 * len(leagues), 1.2 + sum(heights)))
    axes, legends = drawing.subplots(
        2, len(leagues), sharey="row", height_ratios=heights, squeeze=False
    )
    for ax, below, league in zip(axes, legends, leagues, strict=True):
        best, close = (
            first.loc[league][column].unstack().reindex(gaps.index) for column in ("label", "close")
        )
        best = best.set_axis(names).rename(columns="{:g}".format)
        handles = heatmaps.winners(ax, best, close, looks)
        if close.to_numpy().any():
            handles[CLOSE] = OPEN
        ax.set(title=TRUSTED[league], xlabel="ε")
        below.axis("off")
        below.legend(handles.values(), handles.keys(), loc="upper center")
    axes[0].set_ylabel("instance: smallest gap")
    return drawing


CLOSE = "open: the second is within two errors"
OPEN = Line2D([], [], marker="o", color="0.4", markerfacecolor="none", **heatmaps.MARK)
CHARTS = {
    "scores": (score_map, "regret over {}'s; empty: left out"),
    "winners": (winner_map, "lowest mean regret"),
}


def _looks(arena: Arena) -> dict[str, colours.Look]:
    """Policy -> its look in all figures of the arena."""
    members = arena.members.items()
    return colours.looks({name: colours.of_series(each.series[0]) for name, each in members})


def _gaps(rows: pd.DataFrame) -> pd.Series:
    """Instance -> its smallest gap, in ascending order."""
    return (
        rows.drop_duplicates("instance")
        .set_index("instance")["smallest_gap"]
        .sort_values(kind="stable")
    )
