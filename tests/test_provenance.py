"""The fingerprint of what a result depends on: it moves with the code that computes the result, and with nothing else."""

import re
import shutil
from functools import cache

import pytest
from project import ROOT

from dpbandits import provenance

EDITS = {
    "a kernel": ("algorithms/**/interval_ucb.py", "a = (t - 1) % K", "a = t % K"),
    "a helper of the trees": ("privacy/tree.py", "while n & 1 == 0:", "while n % 2 == 0:"),
    "a comment": ("privacy/tree.py", "    i = 0\n", "    i = 0  # the lowest bit is bit 0\n"),
    "a docstring": ("algorithms/**/interval_ucb.py", '"""', '"""In other words: '),
    "an estimate of cost": ("algorithms/**/dp_ucb.py", "def nanoseconds(horizon, number_of_arms, **_):\n", "def nanoseconds(horizon, number_of_arms, **_):\n    return 1\n"),
    "a drawing": ("figures/style.py", "1.5", "2.5"),
}  # fmt: skip
MOVED = {
    "a kernel": {"interval_ucb"},
    "a helper of the trees": {"dp_ucb", "dp_ucb_bound", "private_ucb"},
    "a comment": set(),
    "a docstring": set(),
    "an estimate of cost": set(),
    "a drawing": {"figures"},
}
WATCHED = ["ucb", "interval_ucb", "dp_ucb", "dp_ucb_bound", "private_ucb"]


def module_of(name):
    """The dotted name of an algorithm's module, wherever below `algorithms` it lies."""
    (path,) = (ROOT / "src/dpbandits/algorithms").rglob(f"{name}.py")
    return ".".join(path.relative_to(ROOT / "src/dpbandits").with_suffix("").parts)


def fingerprints(package, monkeypatch):
    """Of five algorithms and of the style of the figures, as a fresh process would compute them for the sources in a folder."""
    monkeypatch.setattr(provenance, "PACKAGE", package)
    for name in ("_tree", "_imports", "_meaning"):
        monkeypatch.setattr(provenance, name, cache(getattr(provenance, name).__wrapped__))
    return {name: provenance.fingerprint(module_of(name)) for name in WATCHED} | {
        "figures": provenance.fingerprint("figures.style")
    }


@pytest.mark.parametrize("what", EDITS)
def test_a_fingerprint_moves_with_what_the_result_is_computed_by(what, tmp_path, monkeypatch):
    package = tmp_path / "dpbandits"
    shutil.copytree(ROOT / "src/dpbandits", package, ignore=shutil.ignore_patterns("__pycache__"))
    before = fingerprints(package, monkeypatch)
    pattern, old, new = EDITS[what]
    (path,) = package.glob(pattern)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    after = fingerprints(package, monkeypatch)
    assert {name for name in before if after[name] != before[name]} == MOVED[what]
    assert all(re.fullmatch("[0-9a-f]{16}", value) for value in after.values())
