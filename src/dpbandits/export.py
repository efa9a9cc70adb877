"""A comparison for a LaTeX document: a table, and BibTeX of the sources."""

import re
from collections.abc import Collection
from importlib import resources

import pandas as pd

from dpbandits import __version__
from dpbandits.tables import number

PROJECT = r"""@misc{{dpbandits,
  author = {{{{the dpbandits authors}}}},
  title = {{dpbandits: a reference reproduction of papers on private bandits}},
  note = {{Version {version}}},
}}
"""
HEADS = {"epsilon": r"$\varepsilon$", "delta": r"$\delta$", "spent": r"$\varepsilon$ spent"}
POLICIES = re.compile(r" policies = {(.*?)},")  # of an entry in references.bib
SYMBOLS = {"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon"}
SYMBOLS |= {"θ": "theta", "τ": "tau", "₀": "mbox{}_0", "₂": "mbox{}_2", "√": "surd", "∗": "ast"}


def table(last: pd.DataFrame, privacy: pd.DataFrame, words: str) -> str:
    """Return a table in booktabs' style: promise, spent epsilon, and the mean with its error."""
    rows = last.join(privacy.set_index("policy")[["epsilon", "delta", "spent"]], on="policy")
    means = [number(row.mean, row.standard_error) for row in rows.itertuples()]
    shown = pd.DataFrame({"policy": rows["policy"].map(escape)})
    for name in ("epsilon", "delta", "spent"):
        shown[HEADS[name]] = rows[name].astype(float)
    shown[words] = [f"${mean}$".replace("±", r"\pm") for mean in means]
    style = shown.style.hide(axis="index").format("{:.4g}", subset=[*HEADS.values()], na_rep="--")
    return style.format(str, subset=["policy", words]).to_latex(
        hrules=True, column_format="l" + "r" * 4
    )


def references(policies: Collection[str]) -> str:
    """Return this project and the sources of policies, by their modules' names, in BibTeX."""
    entries = resources.files("dpbandits").joinpath("references.bib").read_text(encoding="utf-8")
    sources = [
        POLICIES.sub("", entry)
        for entry in re.findall(r"^@.*?^}\n", entries, re.DOTALL | re.MULTILINE)
        if {*POLICIES.search(entry)[1].split()} & {*policies}
    ]
    return "\n".join([PROJECT.format(version=__version__), *sources])


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
