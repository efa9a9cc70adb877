"""All verdicts in one picture, for the README: a strip of cells per paper, its published reading above the corrected one."""

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import Patch

from dpbandits.figures import heatmaps, style
from dpbandits.figures.colours import BLUE, ORANGE
from dpbandits.page.scoreboard import TITLES, by_reading

PICTURE = "figures/gallery/answers.png"
LOOKS = {
    "holds": (BLUE, "✓"),
    "fails": (ORANGE, "✗"),
    "undecided": ("#b8b8b8", "?"),
    "untested": ("#ececec", ""),
}


def strips(claims: pd.DataFrame, kind: str) -> pd.DataFrame:
    """A line of verdicts for each paper, by the id of the claim, or two if its readings differ anywhere."""
    lines = []
    for paper, found in by_reading(claims).groupby("paper"):
        mine = found[found["kind"] == kind]
        same = found["published"].equals(found["corrected"])
        for reading in ("published",) if same else ("published", "corrected"):
            name = paper if same else f"{paper}, {reading}"
            lines.append(pd.Series(mine[reading].to_numpy(), index=mine["claim"], name=name))
    return pd.DataFrame(lines).sort_index(axis="columns", key=lambda ids: ids.str[1:].astype(int))


def draw(claims: pd.DataFrame, output: str | Path) -> None:
    """Draw the strips of the three kinds side by side."""
    tables = {title: strips(claims, kind) for kind, title in TITLES.items()}
    widths = [table.shape[1] for table in tables.values()]
    with style.applied():
        drawing = Drawing(figsize=(1.6 + 0.27 * sum(widths), 2.9))
        axes = drawing.subplots(1, len(tables), width_ratios=widths, sharey=True)
        for ax, (title, table) in zip(axes, tables.items(), strict=True):
            marks = table.map(lambda verdict: LOOKS.get(verdict, ("", ""))[1])
            colours = {verdict: colour for verdict, (colour, _) in LOOKS.items()}
            heatmaps.names(
                ax,
                table,
                colours,
                fontsize=7,
                annot=marks,
                annot_kws={"fontsize": 8},
                linewidths=1.5,
            )
            ax.set_title(title, pad=20)
            ax.tick_params(axis="x", labeltop=True, labelbottom=False)
        handles = [
            Patch(facecolor=colour, label=f"{mark} {name}".strip())
            for name, (colour, mark) in LOOKS.items()
        ]
        drawing.legend(handles=handles, loc="outside lower center", ncols=len(LOOKS), frameon=False)
        style.save(drawing, [output])
