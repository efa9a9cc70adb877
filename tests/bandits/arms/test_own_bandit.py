"""docs/your-own-bandit.md: its code runs as it is written there, pays by its own law, and changes nothing of ours."""

import contextlib
import io
import re
import sys

import numpy as np
import pytest
from project import ROOT, forget_sources

from dpbandits import bandit, bandits
from dpbandits.bandits import arms
from dpbandits.bandits.arms import pull, pull_many
from dpbandits.errors import InputError
from dpbandits.plan import fingerprints
from dpbandits.random import normal, stream

KIND = (ROOT / "docs/examples/cut_gaussian.py").read_text()
(USE,) = re.findall(
    r"```python\n(.*?)```", (ROOT / "docs/your-own-bandit.md").read_text(), re.DOTALL
)


def brought(name, source, tmp_path, monkeypatch):
    """A module of environments/arms that lies elsewhere."""
    (tmp_path / f"{name}.py").write_text(source)
    monkeypatch.setattr(arms, "__path__", [*arms.__path__, str(tmp_path)])
    kinds = {**bandits.kinds(), name: "arms"}
    monkeypatch.setattr(bandits.KINDS, "known", lambda: kinds)
    monkeypatch.delitem(sys.modules, f"dpbandits.bandits.arms.{name}", raising=False)


def test_the_kind_of_the_page_pays_by_its_own_law(tmp_path, monkeypatch):
    brought("cut_gaussian", KIND, tmp_path, monkeypatch)
    made = bandits.make({"kind": "cut_gaussian", "centres": [0.8, 0.3], "sd": 0.5})
    x = np.linspace(-4, 5, 200_001)
    for a, centre in enumerate([0.8, 0.3]):
        law = np.exp(-0.5 * ((x - centre) / 0.5) ** 2) / (0.5 * np.sqrt(2 * np.pi))
        assert made.arms.means[a] == pytest.approx(
            np.trapezoid(np.clip(x, 0, 1) * law, x), abs=1e-8
        )
        rng, ours = stream(7), stream(7)
        drawn = np.clip([centre + 0.5 * normal(rng) for _ in range(2000)], 0, 1)
        assert [pull(ours, made.arms, a) for _ in range(2000)] == pytest.approx(drawn, abs=1e-15)
        assert drawn.mean() == pytest.approx(
            made.arms.means[a], abs=5 * drawn.std() / np.sqrt(2000)
        )
        assert len(np.unique(drawn)) > 500
        assert pull_many(stream(7), made.arms, a, 2000) == pytest.approx(drawn.sum(), rel=1e-12)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(USE, {})
    assert "DP-UCB" in printed.getvalue()


RETURN = "return Stochastic(CutGaussianArms(means, np.array(centres), sd), shuffled=False)"
OTHERS = (
    "from dpbandits.bandits.rewards import Arms\n    return Stochastic(Arms(means), shuffled=False)"
)
DRAW = "return min(max(rng.normal(self.centres[a], self.sd), 0.0), 1.0)"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    def rewards(", "    def sums(", "object has no attribute 'rewards'"),
        ("    def reward(", "    def draw(", "object has no attribute 'reward'"),
        (RETURN, OTHERS, "CutGaussianArms.reward is never called, since `begin` returns Arms"),
        ("def cut_gaussian(", "def gaussian(", "has no attribute 'cut_gaussian'"),
        (DRAW, "return rng.normal(self.centres[a], self.sd)", "rewards should be in [0, 1], as privacy accounts assume"),
        ("return total", "return 2 * total / m", "'rewards' of arm 0 pays 0.0"),
        ("(means, np", "(np.array(centres) / 2, np", "pays 0.694 on average in 1000 pulls, and means[0] is 0.4"),
        (DRAW, DRAW.replace("normal", "norm"), ", line 20: AttributeError: 'Stream' object has no attribute 'norm'"),
        ("import math", "import maths", ", line 3: ModuleNotFoundError"),
    ],
)  # fmt: skip
def test_a_kind_without_its_law_is_refused(old, new, message, tmp_path, monkeypatch):
    assert old in KIND
    brought("cut_gaussian", KIND.replace(old, new), tmp_path, monkeypatch)
    with pytest.raises(InputError) as refusal:
        bandit("cut_gaussian", centres=[0.8, 0.3], sd=0.5)
    _, _, said = str(refusal.value).partition("src/dpbandits/bandits/arms/cut_gaussian.py")
    assert message in said


def test_a_new_kind_simulates_nothing_of_ours_again(edit_package, tmp_path):
    def codes():
        forget_sources()
        of_all = ("dpbandits.simulation", "dpbandits.policies.arms.ucb")
        return [
            fingerprints.fingerprint(*of_all, bandits.module_name(kind)) for kind in bandits.kinds()
        ]

    before = codes()
    (tmp_path / "dpbandits/bandits/arms/cut_gaussian.py").write_text(KIND)
    assert codes() == before
    assert len(before) > 5
