"""The table of all policies on docs/lists.md, from the code: `make lists`."""

import inspect
import re
from pathlib import Path

from dpbandits import algorithms, studies
from dpbandits.audit.promises import promise_of

HEAD = """\
# Policies

Each is a module of `src/dpbandits/algorithms`, which says more; `algorithm:` in a YAML file and `compare` take its name. *Trust*: who may see
the rewards (central: whoever runs it; local: nobody), and whether there is a δ. A parameter without a value must be given. `make lists` writes this page.

| policy | what it is | trust | parameters |
|---|---|---|---|
"""
TITLE = re.compile(r',? "[^"]+"')
AUTHORS = re.compile(r"([A-Z]\w+)(?:, [A-Z][\w ]+)*(?: & [A-Z][\w ]+| et al\.) \((\d{4})\)")


def text(folder: Path) -> str:
    """The page, on the policies that the code has; what they promise follows from how the studies play them."""
    found = studies.load_all(folder, "paper")
    series = [one for study in found.values() for e in study.experiments.values() for one in e.series.values()]
    lines = [_line(name, [one.parameters for one in series if one.algorithm == name]) for name in algorithms.known()]

    def id_of_paper(authors: re.Match) -> str:
        return id if (id := authors[1].lower() + authors[2]) in found else authors[0]

    return HEAD + AUTHORS.sub(id_of_paper, "".join(f"| {' | '.join(cells)} |\n" for cells in lines))


def _line(name: str, played: list[dict]) -> list[str]:
    module = algorithms.find(name)
    keywords = [p for p in inspect.signature(module.play).parameters.values() if p.kind is p.KEYWORD_ONLY]
    needed = {p.name: 1.0 for p in keywords if p.default is p.empty}
    promises = [promise_of(name, given, 1000, 2) for given in played or [needed]]
    trusts = {f"{found.trust}{' δ' if found.delta else ''}" if found else "–" for found in promises}
    values = [f"`{p.name}`" if p.name in needed else f"`{p.name}={_short(p.default)}`" for p in keywords]
    about = TITLE.sub("", " ".join(module.__doc__.split("\n\n")[0].split())).replace("|", "/").removesuffix(".")
    return [f"`{name}`", about, "; ".join(sorted(trusts)), ", ".join(values) or "–"]


def _short(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    Path("docs/lists.md").write_text(text(Path("config")), encoding="utf-8")
