"""The table of all policies on docs/lists.md, from the code: `make lists`."""

import inspect
from pathlib import Path

from dpbandits import algorithms, studies
from dpbandits.audit.promises import promise_of

HEAD = """\
# Policies

Each is a module of `src/dpbandits/algorithms`, and its name is what `algorithm:` in a paper file, a policy of your own and `compare` take.
*Trust*: who may see the rewards, and whether δ is 0. A parameter without a value must be given. `make lists` writes this page.

| policy | what it is | trust | parameters | played in |
| --- | --- | --- | --- | --- |
"""


def text(folder: Path) -> str:
    """The page, on the policies that the code has and the studies that play them."""
    found = studies.load_all(folder, "paper").values()
    series = [(study.id, one) for study in found for e in study.experiments.values() for one in e.series.values()]
    lines = [_line(name, [each for each in series if each[1].algorithm == name]) for name in algorithms.known()]
    return HEAD + "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _line(name: str, played: list) -> list[str]:
    module = algorithms.find(name)
    keywords = [p for p in inspect.signature(module.play).parameters.values() if p.kind is p.KEYWORD_ONLY]
    needed = {p.name: 1.0 for p in keywords if p.default is p.empty}
    promises = [promise_of(name, given, 1000, 2) for given in [one.parameters for _, one in played] or [needed]]
    trusts = {f"{found.trust}, {'(ε, δ)' if found.delta else 'ε'}" if found else "no promise" for found in promises}
    values = [f"`{p.name}`" + ("" if p.name in needed else f" = {p.default}") for p in keywords]
    about = " ".join(module.__doc__.split("\n\n")[0].split()).replace("|", "/")
    plays = ", ".join(dict.fromkeys(study for study, _ in played))
    return [f"`{name}`", about, "; ".join(sorted(trusts)), ", ".join(values) or "–", plays or "–"]


if __name__ == "__main__":
    Path("docs/lists.md").write_text(text(Path("config")), encoding="utf-8")
