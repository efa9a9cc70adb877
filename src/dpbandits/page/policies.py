"""The list of all policies on docs/lists.md, from the code: `make lists`."""

import textwrap
from pathlib import Path

from dpbandits import policies, studies
from dpbandits.parameters import accepted, defaults_of
from dpbandits.privacy.promises import promise_of

HEAD = """\
# Policies

Sections say who may see the rewards: *central*, the one who runs the policy; *aggregator*, one who
sees sums; *local*, nobody. With δ, the promise is (ε, δ).

Each policy is a module of `src/dpbandits/policies`. `algorithm:` in a YAML file and `compare`
take its name. Parameters without a value must be given. `make lists` writes this page.
"""


def text(folder: Path) -> str:
    """The page. What a policy promises follows from how the studies play it."""
    series = [
        each
        for study in studies.load_all(folder, "paper").values()
        for experiment in study.experiments.values()
        for each in experiment.series.values()
    ]
    groups: dict[str, list[str]] = {}
    for name in policies.known():
        promise, line = _line(name, [each.parameters for each in series if each.algorithm == name])
        groups.setdefault(promise, []).append(line)
    return HEAD + "".join(
        f"\n## {promise}\n\n{''.join(lines)}" for promise, lines in sorted(groups.items())
    )


def _line(name: str, played: list[dict]) -> tuple[str, str]:
    """The promise of a policy, and its line: its call and the first sentence about it."""
    module = policies.find(name)
    names, defaults = accepted(module.play), defaults_of(module.play)
    required = {key: 1.0 for key in names if key not in defaults}
    promises = [promise_of(name, parameters, 1000, 2) for parameters in played or [required]]
    trusts = {
        f"{promise.trust}{' δ' if promise.delta else ''}" if promise else "no promise"
        for promise in promises
    }
    texts = {
        key: f"{value:.4g}" if isinstance(value, float) else value
        for key, value in defaults.items()
    }
    values = [key if key in required else f"{key}={texts[key]}" for key in names]
    about = " ".join(module.__doc__.split()).partition(". ")[0].removesuffix(".")
    line = textwrap.fill(
        f"- `{name}({', '.join(values)})`: {about}", 100, subsequent_indent="  ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return " or ".join(sorted(trusts)).capitalize(), f"{line}\n"


if __name__ == "__main__":
    Path("docs/lists.md").write_text(text(Path("config")), encoding="utf-8")
