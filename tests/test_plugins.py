"""Policies and bandits are found by the names of their modules and of their classes."""

import re
import sys

import pytest

from dpbandits import bandits, policies
from dpbandits.bandits import BANDITS
from dpbandits.errors import InputError
from dpbandits.policies import DPSE, POLICIES

IMPORTS = """
from dpbandits.policies import DPSE
from dpbandits.policy import ArmsPolicy
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """A function that writes a module and returns its name."""
    (tmp_path / "own_plugins").mkdir()
    monkeypatch.syspath_prepend(tmp_path)

    def write(text):
        (tmp_path / "own_plugins/mine.py").write_text(IMPORTS + text)
        return "own_plugins.mine"

    yield write
    for name in [name for name in sys.modules if name.startswith("own_plugins")]:
        del sys.modules[name]


def test_an_own_class_is_found_with_its_family(mine):
    """Not those that it imports, or that are private."""
    name = mine("class Mine(DPSE):\n 'Mine.'\nclass _Base(ArmsPolicy):\n 'Not mine.'")
    assert POLICIES.make(name, {"epsilon": 1}).parameters == DPSE(epsilon=1).parameters
    assert (POLICIES.find(name).__name__, POLICIES.family_of(name)) == ("Mine", "arms")


FORM = "write class MyUCB(ArmsPolicy), with def play(self, rng, arms, horizon, journal)"
MISTAKES = [
    ("def play(rng, arms, horizon, journal, *, epsilon): pass", f"and there is none; {FORM}"),
    ("class A(DPSE): pass\nclass B(DPSE): pass", f"and there is A, B; {FORM}"),
    ("class A(DPSE):\n    family = 'arm'", "family = 'arm'; did you mean 'arms'?"),
    (
        "class A(DPSE):\n    drops_releases = needs_legal_rewards = True",
        ": A.drops_releases is not read; write def audit_games(self): return super().audit_games()"
        "._replace(drops_releases=True, legal_rewards_only=True)",
    ),
    ("1 / 0", "ZeroDivisionError: division by zero"),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES)
def test_a_module_without_one_class_is_refused_in_one_line(text, message, mine):
    with pytest.raises(InputError, match=re.escape(message)) as refusal:
        POLICIES.find(mine(text))
    assert str(refusal.value).startswith("own_plugins/mine.py")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("plugins", "name", "message"),
    [
        (POLICIES, "DP-SE", "unknown algorithm 'DP-SE'; did you mean 'dp_se'?"),
        (BANDITS, "bernouli", "unknown kind of environment 'bernouli'; did you mean 'bernoulli'?"),
        (
            POLICIES,
            "nothing.at_all",
            "nothing/at_all.py: ModuleNotFoundError: No module named 'nothing'; install",
        ),
        (
            POLICIES,
            "dpbandits.moved",
            "src/dpbandits/moved.py: ModuleNotFoundError: No module named 'dpbandits.moved'; "
            "its package is here without it: was it moved or renamed?",
        ),
    ],
)
def test_a_misspelt_module_is_answered_with_the_nearest(plugins, name, message):
    for function in (plugins.find, plugins.family_of):
        with pytest.raises(InputError, match=f"^{re.escape(message)}"):
            function(name)


def test_a_misspelt_class_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"dpbandits\.policies: did you mean 'DPSE'\?"):
        policies.DpSe  # noqa: B018
    with pytest.raises(AttributeError, match=r"'dpbandits\.bandits' has no attribute 'Nothing'"):
        bandits.Nothing  # noqa: B018


def test_a_module_in_two_families_is_refused(monkeypatch):
    monkeypatch.setattr("dpbandits.plugins.FAMILIES", ["arms", "../policies/arms"])
    with pytest.raises(InputError, match="policies: 'adac_ucb' is in arms and in"):
        policies.Plugins("policies", DPSE, "algorithm", "").known  # noqa: B018
