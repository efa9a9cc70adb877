"""The list of all policies on docs/lists.md, from the code: `make lists`."""

from pathlib import Path

from dpbandits import algorithms, studies
from dpbandits.parameters import accepted, defaults_of
from dpbandits.privacy.promises import promise_of

HEAD = """\
# Policies

By whom may see the rewards: *central*, the one who runs the policy; *aggregator*, one who sees sums; *local*, nobody; with δ, the promise is (ε, δ).
Each is a module of `src/dpbandits/algorithms`; `algorithm:` in a YAML file and `compare` take its name. Parameters without a value must be given.
`make lists` writes this page.
"""


def text(folder: Path) -> str:
    """The page, on the policies that the code has; what they promise follows from how the studies play them."""
    found = studies.load_all(folder, "paper")
    series = [
        one
        for study in found.values()
        for e in study.experiments.values()
        for one in e.series.values()
    ]
    groups: dict[str, list[str]] = {}
    for name in algorithms.known():
        promise, line = _line(name, [one.parameters for one in series if one.algorithm == name])
        groups.setdefault(promise, []).append(line)
    return HEAD + "".join(
        f"\n## {promise}\n\n{''.join(lines)}" for promise, lines in sorted(groups.items())
    )


def _line(name: str, played: list[dict]) -> tuple[str, str]:
    """What a policy promises, and its line: how it is called and what it is."""
    module = algorithms.find(name)
    names, defaults = accepted(module.play), defaults_of(module.play)
    needed = {key: 1.0 for key in names if key not in defaults}
    promises = [promise_of(name, given, 1000, 2) for given in played or [needed]]
    trusts = {
        f"{found.trust}{' δ' if found.delta else ''}" if found else "no promise"
        for found in promises
    }
    given = {
        key: f"{value:.4g}" if isinstance(value, float) else value
        for key, value in defaults.items()
    }
    values = [key if key in needed else f"{key}={given[key]}" for key in names]
    about = (
        " ".join(module.__doc__.split()).partition(". ")[0].removesuffix(".")
    )  # its first sentence
    return " or ".join(sorted(trusts)).capitalize(), f"- `{name}({', '.join(values)})`: {about}\n"


if __name__ == "__main__":
    Path("docs/lists.md").write_text(text(Path("config")), encoding="utf-8")
