"""The figure of a paper's audits: promise, ledger and measured lower bound of every policy, in units of the promise."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from matplotlib.axes import Axes

from dpbandits import figures
from dpbandits.figures import colours, style
from dpbandits.files import tables

FURTHEST = 3.0  # times the promise; what is further right is written as a number at the edge
ROW = 0.2  # inches


def draw(table: str | Path, paper: str, outputs: Sequence[str]) -> None:
    """Draw the audits table of a paper into files."""
    rows = strongest(row for row in tables.rows(table) if row["audited"])  # a policy may not be audited
    style.use()
    drawing = style.new_figure(7.2, 1.3 + ROW * (len(rows) + 3))
    ax = drawing.subplots()
    _rows(ax, rows)
    ax.set_title(f"{paper}: epsilon promised, added up and measured")
    figures.save(drawing, outputs)


def strongest(rows: Iterable[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """For each policy, reading and tap the epsilon with the largest measured share of the promise; equal ones once."""
    best: dict[tuple, Mapping[str, str]] = {}
    for row in rows:
        key = row["label"], row["reading"], row["tap"]
        if key not in best or _share(row, "audited") > _share(best[key], "audited"):
            best[key] = row
    once: dict[tuple, Mapping[str, str]] = {}
    for row in best.values():
        once.setdefault(tuple(row[k] for k in ("tap", "epsilon", "ledger", "audited", "event", "pair")), row)
    return list(once.values())


def _share(row: Mapping[str, str], column: str) -> float:
    return float(row[column]) / float(row["epsilon"])


def _rows(ax: Axes, rows: Sequence[Mapping[str, str]]) -> None:
    places = range(len(rows))
    measured, ledger = ([_share(row, column) for row in rows] for column in ("audited", "ledger"))
    inside = [min(share, FURTHEST) for share in measured]
    reds = [colours.VERMILLION if share > 1 else colours.BLUE for share in measured]
    ax.barh(places, inside, height=0.6, color=reds, label="measured, at least (99.9%)")
    known = [(share, place) for share, place in zip(ledger, places, strict=True) if share <= FURTHEST]
    ax.plot(*zip(*known, strict=True), "|", color="black", markersize=9, markeredgewidth=1.5, label="ledger")
    ax.axvline(1, color=colours.ORANGE, linewidth=1.2, label="promise")
    for place, share, total, row in zip(places, measured, ledger, rows, strict=True):
        notes = [f"ε ≥ {float(row['audited']):.3g}"] if share > FURTHEST else []
        notes += [f"ledger {float(row['ledger']):.3g}".replace("inf", "∞")] if total > FURTHEST else []
        if notes:
            ax.text(FURTHEST * 1.01, place, ", ".join(notes), va="center", fontsize=7)
    readings = {"both": ""}
    names = [f"{r['label']}{readings.get(r['reading'], ', ' + r['reading'])}: {r['tap']}" for r in rows]
    ax.set_yticks(list(places), names, fontsize=7)
    ax.set_xlim(0, FURTHEST)
    ax.set_ylim(len(rows) + 2.6, -0.6)  # with room for the legend
    ax.grid(visible=False, axis="y")
    ax.set_xlabel("epsilon, in units of the promise")
    ax.legend(loc="lower right", fontsize=7)
