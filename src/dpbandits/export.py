"""A comparison for a LaTeX document: a table, and BibTeX of the sources."""

import re
from collections.abc import Collection
from importlib import resources

import numpy as np
import pandas as pd

from dpbandits import __version__

PROJECT = r"""@misc{{dpbandits,
  author = {{{{the dpbandits authors}}}},
  title = {{dpbandits: a reference reproduction of papers on private bandits}},
  note = {{Version {version}}},
}}
"""
POLICIES = re.compile(r" policies = {(.*?)},")  # of an entry in references.bib
SYMBOLS = {"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon"}
SYMBOLS |= {"θ": "theta", "τ": "tau", "₀": "mbox{}_0", "₂": "mbox{}_2", "√": "surd", "∗": "ast"}


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
    """Escape a label for LaTeX. A label with a formula, $...$, keeps its braces.

    As in matplotlib, an even number of dollars makes formulas. A character after a backslash is
    left alone.
    """
    parts = re.split(r"(?<!\\)\$", label)
    if len(parts) % 2 == 0:
        parts = [r"\$".join(parts)]
    for n, part in enumerate(parts):
        special = "&%#" if n % 2 else "&%#_" if len(parts) > 1 else "&%#_{}"
        part = re.sub(rf"(?<!\\)([{special}])", r"\\\1", part)
        form = r"\{} " if n % 2 else r"$\{}$"
        parts[n] = re.sub("|".join(SYMBOLS), lambda s, f=form: f.format(SYMBOLS[s[0]]), part)
    return "$".join(parts)
