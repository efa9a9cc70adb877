"""The list of all policies on docs/lists.md, from the code: `make lists`."""

import sys
import textwrap
from pathlib import Path
from typing import Any

from dpbandits import studies
from dpbandits.parameters import declared
from dpbandits.policies import POLICIES
from dpbandits.policy import Policy

HEAD = """\
# Policies

Sections say who may see the rewards: the operator of the policy (*central*), an aggregator of sums
(*aggregator*) or nobody (*local*). With δ, the promise is (ε, δ).

Each policy is a class of `dpbandits.policies`, which `compare` takes. `algorithm:` in a YAML file
is the name of its module. Parameters without a value are required. `make lists` writes this page.
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
    for name in POLICIES.known:
        promise, line = _line(name, [each.as_policy for each in series if each.algorithm == name])
        groups.setdefault(promise, []).append(line)
    return HEAD + "".join(
        f"\n## {promise}\n\n{''.join(lines)}" for promise, lines in sorted(groups.items())
    )


def _line(name: str, played: list[Policy]) -> tuple[str, str]:
    """The promise of a policy, and its line: its call and the first sentence about it."""
    found = POLICIES.find(name)
    required = {key: 1.0 for key, each in declared(found).items() if each.is_required}
    promises = [policy.account(1000, 2) for policy in played or [found(**required)]]
    trusts = {
        f"{promise.trust}{' δ' if promise.delta else ''}" if promise else "no promise"
        for promise in promises
    }
    values = [
        key if each.is_required else f"{key}={_text(each.default)}"
        for key, each in declared(found).items()
    ]
    call = f"- `{found.__name__}({', '.join(values)})`, `{name}`: {about(name)}"
    line = textwrap.fill(
        call, 100, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    return " or ".join(sorted(trusts)).capitalize(), f"{line}\n"


def about(name: str) -> str:
    """The first sentence about a policy."""
    text = sys.modules[POLICIES.find(name).__module__].__doc__ or ""
    return " ".join(text.split()).partition(". ")[0].removesuffix(".")


def _text(default: Any) -> str:
    return f"{default:.4g}" if isinstance(default, float) else repr(default)


if __name__ == "__main__":
    Path("docs/lists.md").write_text(text(Path("config")), encoding="utf-8")
