"""The figure of a paper's audits: promise, ledger, its exact composition and measured lower bounds of every policy, in units of
the promise."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.axes import Axes

from dpbandits import figures
from dpbandits.audit.audit_table import ALARMS, NO_POWER
from dpbandits.figures import colours, style
from dpbandits.files import tables

FURTHEST = 1.5  # times the promise; what is further right is at the edge, what was counted with its number
ROW = 0.17  # inches
PANELS = 5  # epsilons with a panel of their own, at most; the others share one

Row = Mapping[str, str]
Name = tuple[str, str, str]


def draw(table: str | Path, paper: str, outputs: Sequence[str]) -> None:
    """Draw the audits table of a paper into files."""
    rows = [row for row in tables.rows(table) if row["audited"]]  # a policy may not be audited
    alike = same_games(rows)
    rows = [row for row in rows if _name(row) in alike]
    names, panels = ordered(rows), by_epsilon(rows)
    style.use()
    drawing = style.new_figure(3.2 + 1.6 * len(panels), 1.5 + ROW * len(names))
    axes = drawing.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    for ax, (title, shown) in zip(axes, panels.items(), strict=True):
        _panel(ax, names, shown)
        ax.set_title(title, fontsize=8)
        ax.set_xlabel("share of the promise", fontsize=7)
    readings = {"both": ""}
    labels = [
        f"{label}{readings.get(reading, ', ' + reading)}{f' and {n} more' if (n := alike[label, reading, tap]) else ''}: {tap}"
        for label, reading, tap in names
    ]
    axes[0].set_yticks(range(len(names)), labels, fontsize=6.5)
    axes[0].set_ylim(len(names) - 0.4, -0.6)
    drawing.suptitle(f"{paper}: epsilon promised, added up and measured", fontsize=9)
    drawing.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, fontsize=7)
    figures.save(drawing, outputs)


def same_games(rows: Sequence[Row]) -> dict[Name, int]:
    """The first of all names with the same rows, which are one mechanism under several names, and how many others there are."""
    content: dict[Name, list] = {}
    for row in rows:
        content.setdefault(_name(row), []).append(
            [row[key] for key in row if key not in ("policy", "label", "reading")]
        )
    found: dict[str, list[Name]] = {}
    for name, lines in content.items():
        found.setdefault(repr(lines), []).append(name)
    return {first: len(others) for first, *others in found.values()}


def ordered(rows: Sequence[Row]) -> list[Name]:
    """The policies by tap and, within it, by the largest share of the promise that was counted of them."""
    most: dict[Name, float] = {}
    for row in rows:
        most[_name(row)] = max(most.get(_name(row), 0.0), _share(row, "audited"))
    return sorted(most, key=lambda name: (name[2], -most[name], name))


def by_epsilon(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows at each epsilon; those of rare ones together."""
    often = Counter(row["epsilon"] for row in rows)
    own = {epsilon for epsilon, _ in often.most_common(PANELS if len(often) <= PANELS else PANELS - 1)}
    found: dict[str, list[Row]] = {f"ε = {epsilon}": [] for epsilon in sorted(own, key=float)}
    for row in rows:
        found.setdefault(f"ε = {row['epsilon']}" if row["epsilon"] in own else "other ε", []).append(row)
    return found


def _name(row: Row) -> Name:
    return row["label"], row["reading"], row["tap"]


def _share(row: Row, column: str) -> float:
    """A column in units of the promise; nan where it is empty."""
    return float(row[column]) / float(row["epsilon"]) if row[column] else math.nan


def _panel(ax: Axes, names: Sequence[Name], rows: Sequence[Row]) -> None:
    places = {name: place for place, name in enumerate(names)}
    ax.axvline(1, color=colours.ORANGE, linewidth=1.2, label="promise")
    kinds = {
        "ledger": ("|", {"color": "black", "markersize": 6}, "ledger", lambda row: True),
        "exact": ("D", {"color": colours.GREEN, "markersize": 3.5, "markerfacecolor": "none"}, "exactly composed", lambda row: True),
        "tape": ("o", {"color": colours.BLUE, "markersize": 4.5, "markerfacecolor": "none"}, "by the tape, at least", lambda row: True),
        "audited": ("o", {"color": colours.BLUE, "markersize": 2.5}, "counted, at least (99.9%)", lambda row: row["finding"] != NO_POWER),
    }  # fmt: skip
    for column, (marker, look, label, is_shown) in kinds.items():
        shown = [(min(_share(row, column), FURTHEST), places[_name(row)]) for row in rows if is_shown(row)]
        ax.plot([share for share, _ in shown], [place for _, place in shown], marker, label=label, **look)
    without = [
        (min(_share(row, "audited"), FURTHEST), places[_name(row)]) for row in rows if row["finding"] == NO_POWER
    ]
    ax.plot([x for x, _ in without], [y for _, y in without], "x", color="0.45", markersize=4, label="no power")
    for row in rows:
        place = places[_name(row)]
        if row["finding"] in ALARMS:
            ax.axhspan(place - 0.5, place + 0.5, color=colours.VERMILLION, alpha=0.2, linewidth=0)
        if _share(row, "audited") > FURTHEST:
            number = f"≥ {float(row['audited']):.3g}"
            ax.annotate(
                number, (FURTHEST, place), (-5, 0), textcoords="offset points", ha="right", va="center", fontsize=6
            )
    ax.set_xlim(-0.03, FURTHEST * 1.02)
    ax.grid(visible=False, axis="y")
