"""A paper of one's own with its policy: docs/examples/sixth_paper plays.

workflow/test_own_studies.py makes another one.
"""

import itertools
import math
import sys

import pytest
from plain.parts import play_rounds
from playing import actions
from project import ROOT

from dpbandits import studies
from dpbandits.plan import validation
from dpbandits.policies import POLICIES, arms
from dpbandits.random import stream

EXAMPLE = ROOT / "docs/examples/sixth_paper"
MODULES = {path.stem: path.read_text() for path in sorted(EXAMPLE.glob("*.py"))}
PAPERS = ROOT / "config/papers"


@pytest.fixture
def example(monkeypatch):
    """The classes of the example, as if they were in the folder of our own."""
    monkeypatch.setattr(arms, "__path__", [*arms.__path__, str(EXAMPLE)])
    for name in MODULES:
        monkeypatch.setitem(POLICIES.known, name, "arms")
    yield {name: POLICIES.find(name) for name in MODULES}
    for name in MODULES:
        sys.modules.pop(f"dpbandits.policies.arms.{name}", None)


@pytest.mark.parametrize("scale", ["paper", "smoke"])
def test_the_examples_file_is_valid(example, scale):
    paper = studies.load(EXAMPLE / "ren2020.yaml", scale)
    validation.check(paper)
    assert list(paper.figures) == ["regret-half", "regret-two"]


def test_copying_the_example_replaces_nothing():
    assert not set(MODULES) & set(POLICIES.known)
    assert not {path.name for path in EXAMPLE.glob("*.yaml")} & {
        path.name for path in PAPERS.glob("*.yaml")
    }


def plainly_played(rng, means, horizon, epsilon):
    """The pseudocode, round by round."""
    s = [0.0] * len(means)

    def see(a, x):
        s[a] += rng.random() < (1 + x * (math.exp(epsilon) - 1)) / (1 + math.exp(epsilon))

    index = lambda a, n, t: s[a] / n + math.sqrt(2 * math.log(t) / n)  # noqa: E731
    return play_rounds(rng, means, horizon, index, see)


def test_the_examples_policy_plays_its_pseudocode(example):
    means, horizon = [0.75, 0.7, 0.4], 2000
    for epsilon, run in itertools.product((0.5, 4.0), range(3)):
        played = actions("ldp_ucb_b", stream(1, run), means, horizon, epsilon=epsilon)
        assert played == plainly_played(stream(1, run), means, horizon, epsilon)


def test_the_examples_promise_is_kept(example):
    account = example["ldp_ucb_b"](epsilon=0.5).account(10_000, 5)
    assert (account.spent, account.trust, account.kept) == (0.5, "local", True)
