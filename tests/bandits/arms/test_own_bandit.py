"""A bandit of one's own: docs/extending.md and its example, and what is refused."""

import re
import sys

import numpy as np
import pytest
from project import ROOT, forget_sources
from scipy import stats

from dpbandits import bandits
from dpbandits.bandits import BANDITS, Bernoulli
from dpbandits.errors import InputError
from dpbandits.plan import fingerprints
from dpbandits.playable import check_bandit
from dpbandits.policies import UCB
from dpbandits.random import stream

KIND = (ROOT / "docs/examples/cut_gaussian.py").read_text()
PAGE = (ROOT / "docs/extending.md").read_text()
SETTINGS = {"kind": "cut_gaussian", "centres": [0.8, 0.3], "sd": 0.5}


def brought(source, tmp_path, monkeypatch):
    """Write a module cut_gaussian of the user's own."""
    (tmp_path / "cut_gaussian.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "cut_gaussian", raising=False)


def cell_with(base):
    """The page's cell with a class of this base."""
    (cell,) = re.findall(rf"```python\n([^`]*\({base}\).*?)```", PAGE, re.DOTALL)
    return cell


def test_the_example_pays_by_its_own_law(tmp_path, monkeypatch):
    brought(KIND, tmp_path, monkeypatch)
    bandit = bandits.make(SETTINGS)
    check_bandit(bandit)
    x = np.linspace(-4, 5, 200_001)
    for a, centre in enumerate([0.8, 0.3]):
        mean = np.trapezoid(np.clip(x, 0, 1) * stats.norm.pdf(x, centre, 0.5), x)
        assert bandit.arms.means[a] == pytest.approx(mean, abs=1e-8)
        rng = stream(7)
        drawn = np.array([bandit.arms.reward(rng, a) for _ in range(2000)])
        assert drawn.mean() == pytest.approx(mean, abs=5 * drawn.std() / np.sqrt(2000))
        assert bandit.arms.rewards(stream(7), a, 2000) == pytest.approx(drawn.sum(), rel=1e-12)


MEANS = '"means": means'
REWARD = "return min(max(rng.normal(self.centres[a], self.sd), 0.0), 1.0)"
MANY = f"""{REWARD}

    def rewards(self, rng, a, m):
        return 2.0
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("def reward(", "def draw(", ": CutGaussian has no rewards; write def reward("),
        (MEANS, '"mean": means', ": CutGaussian.constants has no 'means'; let it return"),
        ("(ArmsBandit)", "", "a Bandit, and there is none; write class MyBandit(ArmsBandit)"),
        (REWARD, "return rng.normal(self.centres[a], self.sd)", "rewards should be in [0, 1]"),
        (REWARD, MANY, "'rewards' of arm 0 pays 0.002 on average in 1000 pulls"),
        (MEANS, '"means": [c / 2 for c in self.centres]', ", and means[0] is 0.4; the regret is"),
        (REWARD, REWARD.replace("normal", "norm"), ", line 23: AttributeError: 'Stream' object"),
        ("return {", "return self.sd / 0, {", ", line 19: ZeroDivisionError"),
    ],
)  # fmt: skip
def test_a_kind_without_its_law_is_refused(old, new, message, tmp_path, monkeypatch):
    assert old in KIND
    brought(KIND.replace(old, new), tmp_path, monkeypatch)
    with pytest.raises(InputError) as refusal:
        check_bandit(bandits.make(SETTINGS))
    _, _, after = str(refusal.value).partition("cut_gaussian.py")
    assert message in after


class Played(Bernoulli):
    """Rewards of which Bernoulli's arms know nothing."""

    def reward(self, rng, a):
        return 1.0


def test_rewards_that_are_never_drawn_are_refused():
    with pytest.raises(InputError, match=r"own_bandit\.py: Played\.reward is never called"):
        check_bandit(Played([0.8, 0.5]))


def test_the_cell_of_the_page_runs_and_its_class_is_named_in_refusals(capsys):
    cell, space = cell_with("ArmsBandit"), {"__name__": "__main__"}
    exec(cell, space)
    assert "UCB" in capsys.readouterr().out
    bandit = space["HalfRewards"]([0.8, 0.6], shuffled=True)
    check_bandit(bandit)
    game = bandit.draw_game(stream(1), 1000)
    regret = bandit.play_run(UCB(), game, stream(2), 1000, np.array([1000]))["regret"]
    assert 0 < regret[0] < 0.5 * 1000 * 0.1
    exec(cell.partition("\nbandit = ")[0].replace("0.5 if", "5.0 if"), space)
    with pytest.raises(InputError, match=r"^HalfRewards: arm 0 pays from 0 to 5; rewards should"):
        check_bandit(space["HalfRewards"]([0.8, 0.6]))


def test_the_adversary_of_the_page_plays(capsys):
    exec(cell_with("Adversary"), space := {"__name__": "__main__"})
    table = space["ChangeOnce"](3, first_part=0.4).gains(stream(1), 1000)
    assert table.sum(axis=0)[0] == 400
    assert sorted(table.sum(axis=0)) == [0, 400, 600]
    assert "EXP3()" in capsys.readouterr().out


def test_a_new_kind_simulates_nothing_of_ours_again(edit_package, tmp_path):
    def codes():
        forget_sources()
        of_all = ("dpbandits.simulation", "dpbandits.policies.arms.ucb")
        return [fingerprints.fingerprint(*of_all, BANDITS.module_of(kind)) for kind in kinds]

    kinds = [*BANDITS.known]
    before = codes()
    (tmp_path / "dpbandits/bandits/arms/cut_gaussian.py").write_text(KIND)
    assert codes() == before
    assert len(before) > 5


def test_every_class_has_the_letters_of_its_module():
    """So that `from dpbandits.bandits import Bernoulli` finds it."""
    for name in BANDITS.known:
        found = BANDITS.find(name)
        assert getattr(bandits, found.__name__) is found
        assert found.family == BANDITS.family_of(name)
