"""All answers in one picture, for the README: one row of cells for each paper and reading."""

import math
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure as Drawing
from matplotlib.patches import Patch

from dpbandits.figures import heatmaps, style
from dpbandits.figures.colours import PALETTE
from dpbandits.page.scoreboard import COUNTED, MARKS, TITLES, by_reading
from dpbandits.studies.claim import ANSWERS_TO_THEOREMS, NO_TEXT, NOT_REFUTED, PROVED, REFUTED

PICTURE = "figures/gallery/answers.png"
# From dark to light, so that they differ without colour, too.
COLOURS = dict(
    zip(
        COUNTED,
        (PALETTE["blue"], "#8cc3e3", PALETTE["orange"], "#e3c98b", "#cbe3f1", "#b8b8b8", "#f0f0f0"),
        strict=True,
    )
)
# These stand for a theorem's answers, too.
COLOURS |= {PROVED: COLOURS["holds"], REFUTED: COLOURS["fails"]}
COLOURS |= {NOT_REFUTED: COLOURS["undecided"], NO_TEXT: "#dcdcdc"}
LEGENDS = {  # place -> title and answers
    "left": ("claims about experiments", COUNTED),
    "right": ("theorems and promises of privacy (empty: no such claim)", ANSWERS_TO_THEOREMS),
}


def strips(claims: pd.DataFrame, kind: str) -> pd.DataFrame:
    """A row of answers for each paper, by the id of the claim; two if its readings differ."""
    rows = []
    for paper, all_kinds in by_reading(claims).groupby("paper"):
        answers = all_kinds[all_kinds["kind"] == kind]
        is_one = all_kinds["published"].equals(all_kinds["corrected"])
        for reading in ("published",) if is_one else ("published", "corrected"):
            name = paper if is_one else f"{paper}, {reading}"
            rows.append(pd.Series(answers[reading].to_numpy(), index=answers["claim"], name=name))
    return pd.DataFrame(rows).sort_index(axis="columns", key=lambda ids: ids.str[1:].astype(int))


def draw(claims: pd.DataFrame, output: str | Path) -> None:
    """Draw the strips of the three kinds side by side."""
    tables = {title: strips(claims, kind) for kind, title in TITLES.items()}
    widths = [table.shape[1] for table in tables.values()]
    cell = {"fontsize": 7, "annot_kws": {"fontsize": 8}, "linewidths": 1.5}
    with style.applied():
        drawing = Drawing(figsize=(1.6 + 0.27 * sum(widths), 2.9))
        axes = drawing.subplots(1, len(tables), width_ratios=widths, sharey=True)
        for ax, (title, table) in zip(axes, tables.items(), strict=True):
            marks = table.map(lambda answer: MARKS.get(answer, ""))
            heatmaps.names(ax, table, COLOURS, annot=marks, **cell)
            ax.set_title(title, pad=20)
            ax.tick_params(axis="x", labeltop=True, labelbottom=False)
        for loc, (title, answers) in LEGENDS.items():
            handles = [
                Patch(facecolor=COLOURS[name], label=f"{MARKS[name]} {name}") for name in answers
            ]
            place = {"loc": f"outside lower {loc}", "ncols": math.ceil(len(handles) / 2)}
            drawing.legend(handles=handles, title=title, frameon=False, **place)
        style.save(drawing, [output])
