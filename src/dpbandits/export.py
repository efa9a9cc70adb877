r"""A comparison for a LaTeX document: a table, curves for pgfplots, and BibTeX of the sources.

A document that includes them needs ``\usepackage{booktabs,pgfplots}``,
``\usepgfplotslibrary{fillbetween}`` and ``\pgfplotsset{compat=1.17}``.
"""

import re
from collections.abc import Collection
from importlib import resources

import numpy as np
import pandas as pd
import seaborn as sns

from dpbandits import __version__

PROJECT = r"""@misc{{dpbandits,
  author = {{{{the dpbandits authors}}}},
  title = {{dpbandits: a reference reproduction of papers on private bandits}},
  note = {{Version {version}}},
}}
"""
CURVE = r"""
\definecolor{{curve{n}}}{{HTML}}{{{colour}}}
\addplot[name path=below{n}, draw=none, forget plot] table[y=below] {{{data}}};
\addplot[name path=above{n}, draw=none, forget plot] table[y=above] {{{data}}};
\addplot[curve{n}, opacity=0.18, forget plot] fill between[of=below{n} and above{n}];
\addplot[curve{n}, thick, {dash}] table[y=centre] {{{data}}};
\addlegendentry{{{label}}}"""
POLICIES = re.compile(r" policies = {(.*?)},")  # of an entry in references.bib
DASHES = ("solid", "dashed", "dotted", "dash dot")
AXES = r"""\begin{{tikzpicture}}
\begin{{{scale}axis}}[xlabel={{time step $t$}}, ylabel={{{words}}}, legend pos=north west,
  legend cell align=left]{curves}
\end{{{scale}axis}}
\end{{tikzpicture}}
"""


def table(last: pd.DataFrame, privacy: pd.DataFrame, words: str) -> str:
    """Return a table in booktabs' style: promise, spent epsilon, mean and its error at the end."""
    promises = privacy.set_index("policy")[["epsilon", "delta", "spent"]].astype(float)
    rows = last.join(promises, on="policy")
    error = rows["standard_error"].max()
    decimals = max(0, 1 - int(np.floor(np.log10(error)))) if error > 0 else 2
    names = [r"$\varepsilon$", r"$\delta$", r"$\varepsilon$ spent"]
    shown = pd.DataFrame({"policy": rows["policy"].map(escape)})
    shown[names] = rows[["epsilon", "delta", "spent"]]
    shown[[words, "standard error"]] = rows[["mean", "standard_error"]]
    style = shown.style.hide(axis="index").format(precision=decimals, thousands=",", na_rep="--")
    style = style.format("{:.4g}", subset=names, na_rep="--")
    return style.to_latex(hrules=True, column_format="l" + "r" * 5)


def curves(summary: pd.DataFrame, words: str) -> str:
    """Return the curves of a summary, with their bands, as a picture for pgfplots."""
    parts = []
    palette = sns.color_palette("colorblind", max(6, summary["policy"].nunique())).as_hex()
    for order, (label, rows) in enumerate(summary.groupby("policy", sort=False)):
        below, above = -rows["gmd_below"], rows["gmd_above"]
        spread = pd.DataFrame({"centre": 0, "below": below, "above": above})
        points = spread.add(rows["median_of_means"], axis=0).set_index(rows["t"])
        parts.append(
            CURVE.format(
                n=order,
                data="\n" + points.to_csv(sep=" ", float_format="%.6g"),
                colour=palette[order][1:].upper(),
                dash=DASHES[order % len(DASHES)],
                label=escape(label),
            )
        )
    scale = "loglog" if (summary["mean"] > 0).any() else "semilogx"
    return AXES.format(scale=scale, words=words, curves="".join(parts))


def references(policies: Collection[str]) -> str:
    """Return this project and the sources of policies in BibTeX."""
    return "\n".join([PROJECT.format(version=__version__), *sources(policies)])


def sources(policies: Collection[str]) -> list[str]:
    """Return the sources of policies, by the names of their modules, as entries of BibTeX."""
    entries = resources.files("dpbandits").joinpath("references.bib").read_text(encoding="utf-8")
    return [
        POLICIES.sub("", entry)
        for entry in re.findall(r"^@.*?^}\n", entries, re.DOTALL | re.MULTILINE)
        if {*POLICIES.search(entry)[1].split()} & {*policies}
    ]


def escape(label: str) -> str:
    """Return a label for LaTeX; one with formulas, $...$, already is."""
    return label if "$" in label else re.sub(r"([&%#_{}])", r"\\\1", label)
