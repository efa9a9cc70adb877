"""A paper of one's own: the skeleton of docs/sixth-paper.md is built as it stands there, and docs/examples/sixth_paper plays."""

import hashlib
import math
import re
import sys

import numpy as np
import pytest
from project import ROOT, SMOKE, Project
from twins import for_twin

from dpbandits import algorithms, simulation, studies
from dpbandits.algorithms import arms
from dpbandits.kernels import compiled
from dpbandits.plan import checking

EXAMPLE = ROOT / "docs/examples/sixth_paper"
MODULES = {path.stem: path.read_text() for path in sorted(EXAMPLE.glob("*.py"))}
EPSILON = 0.5


def test_the_skeleton_makes_its_figure_and_its_verdict(tmp_path):
    (skeleton,) = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/sixth-paper.md").read_text(), re.DOTALL)
    project = Project.new(tmp_path, papers=())
    (tmp_path / "config/papers/mine2026.yaml").write_text(skeleton)
    project.run(*SMOKE, "--", "mine2026", "mine2026/claims")
    assert (tmp_path / "results/smoke/figures/mine2026/two-arms.pdf").stat().st_size > 5_000
    (verdict,) = (tmp_path / "results/smoke/claims/mine2026.csv").read_text().splitlines()[1:]
    assert verdict.startswith("A1,sentence,two-arms,two-arms,both,DP-UCB has more regret than UCB,")
    assert float(verdict.split(",")[7]) > 1


@pytest.fixture
def example(monkeypatch):
    """The algorithms of the example, as if they were in the folder of our own."""
    monkeypatch.setattr(arms, "__path__", [*arms.__path__, str(EXAMPLE)])
    known = {**algorithms.known(), **dict.fromkeys(MODULES, "arms")}
    monkeypatch.setattr(algorithms, "known", lambda: known)
    ours = compiled._digest_of_sources()  # for the names of the compiled files
    digest = hashlib.sha256("".join([ours, *MODULES.values()]).encode()).hexdigest()
    monkeypatch.setattr(compiled, "_digest_of_sources", lambda: digest)
    yield {name: algorithms.find(name) for name in MODULES}
    for name in MODULES:
        sys.modules.pop(f"dpbandits.algorithms.arms.{name}", None)


@pytest.mark.parametrize("scale", ["paper", "draft", "smoke"])
def test_the_examples_file_is_valid(example, scale):
    paper = studies.load(EXAMPLE / "azize2025.yaml", scale)
    checking.check(paper)
    assert [figure for figure in paper.figures if "-" in figure] == [
        f"regret-{arms}-{epsilon}" for arms in ("hard", "spread") for epsilon in ("low", "high")
    ]


def test_the_divergence_is_the_minimum_that_its_definition_says(example):
    """By search over z, at the ends of [0, 1] as well; kl for a large epsilon, epsilon |y - x| for a small one."""
    divergence = example["dp_klucb"].divergence.py_func

    def kl(p, q):
        terms = ((p, q), (1 - p, 1 - q))
        return sum(a * math.log(a / b) if b > 0 else math.inf for a, b in terms if a > 0)

    for x in (0.0, 0.2, 0.5):
        for y in (0.2, 0.6, 0.999):
            for epsilon in (0.05, 0.5, 5.0):
                by_search = min(kl(z, y) + epsilon * (z - x) for z in np.linspace(x, y, 4001)) if x < y else 0
                assert divergence(x, y, epsilon) == pytest.approx(by_search, rel=1e-5, abs=3e-6)
    assert divergence(0.2, 0.6, 50.0) == pytest.approx(kl(0.2, 0.6))
    assert divergence(0.2, 0.6, 0.001) == pytest.approx(0.001 * 0.4, rel=1e-3)
    q = example["dp_klucb"].index_of.py_func(0.3, 0.2, 0.5)
    assert divergence(0.3, q, 0.5) == pytest.approx(0.2, abs=1e-9)


def plainly_played(policy, rng, means, horizon, growth):
    """The pseudocode: who is pulled from which round on, and for how long."""
    sums, pulls, phases, t = [0.0] * len(means), [0] * len(means), [], 0

    def divergence(x, y):
        if x >= y:
            return 0.0
        odds = math.inf if y == 1 else y / (1 - y) * math.exp(-EPSILON)
        z = max(x, 1.0 if odds == math.inf else odds / (1 + odds))
        kl = sum(p * math.log(p / q) for p, q in ((z, y), (1 - z, 1 - y)) if p > 0)
        return kl + EPSILON * (z - x)

    def klucb(a):
        low, high = estimates[a], 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (
                (middle, high) if pulls[a] * divergence(estimates[a], middle) <= math.log(t + 1) else (low, middle)
            )
        return round(low, 9)

    def imed(a):
        return -(pulls[a] * divergence(estimates[a], max(estimates)) + math.log(pulls[a]))

    while t < horizon:
        a = t
        if t >= len(means):
            estimates = [min(max(s / n, 0.0), 1.0) for s, n in zip(sums, pulls, strict=True)]
            a = max(range(len(means)), key={"dp_klucb": klucb, "dp_imed": imed}[policy])
        m = min(max(1, math.ceil(growth * pulls[a]) - pulls[a]), horizon - t)
        sums[a] += rng.binomial(m, means[a]) + rng.laplace(0.0, 1 / EPSILON)
        pulls[a] += m
        phases.append((t + 1, a, m))
        t += m
    return phases


@pytest.mark.parametrize("policy", sorted(MODULES))
def test_the_examples_algorithms_play_their_pseudocode(example, policy):
    means, horizon = [0.75, 0.7, 0.4], 3000
    for run in range(6):
        growth = 2.0 if run % 2 else 1.3
        spec = {
            "paper": "toy2020", "stream": "fig1", "experiment": "fig1", "policy": policy, "horizon": horizon, "seed": 1,
            "environment": {"kind": "bernoulli", "means": means}, "checkpoints": list(range(1, horizon + 1)),
            "series": {policy: {"algorithm": policy, "parameters": {"epsilon": EPSILON, "growth": growth}}},
        }  # fmt: skip
        regret = simulation.simulate(spec, run, run).values["regret"][0, 0]
        rng = for_twin(simulation.stream(1, "toy2020", "fig1", policy, run))
        phases = plainly_played(policy, rng, means, horizon, growth)
        played = np.concatenate([[a] * m for _, a, m in phases])
        assert np.allclose(regret, np.cumsum(0.75 - np.array(means)[played]), rtol=0, atol=1e-9)
        assert len({a for _, a, _ in phases}) == 3


@pytest.mark.parametrize("policy", sorted(MODULES))
@pytest.mark.parametrize("growth", [1.05, 2.0, 7.5])
def test_the_examples_promise_is_kept(example, policy, growth):
    """Each reward is in exactly one sum, and a sum changes by at most 1: basic composition gives epsilon, no less."""
    account = example[policy].privacy(10_000, 5, epsilon=EPSILON, growth=growth)
    assert account.spent == pytest.approx(EPSILON, rel=1e-12)
    assert account.kept
