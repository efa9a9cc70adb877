"""Policies and bandits are found by the names of their modules and of their classes."""

import os
import re
import sys
from pathlib import Path

import pytest
from project import uncompiled

from dpbandits import bandits, policies
from dpbandits.bandits import BANDITS
from dpbandits.errors import InputError
from dpbandits.plugins import Plugins, import_from
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


FORM = "write class MyUCB(ArmsPolicy), with def play(self, run)"
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
        (
            POLICIES,
            "DP-SE",
            "unknown algorithm 'DP-SE'; did you mean 'dp_se'? (no such module is on PYTHONPATH or "
            "beside config.yaml)",
        ),
        (POLICIES, "__main__", "unknown algorithm '__main__'; known: adac_ucb, "),
        (POLICIES, "", "unknown algorithm ''; known: adac_ucb, "),
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
    with pytest.raises(
        AttributeError,
        match=r"'dpbandits\.policies' has no attribute 'DpSe'; did you mean 'DPSE'\?",
    ):
        policies.DpSe  # noqa: B018
    with pytest.raises(AttributeError, match=r"'dpbandits\.bandits' has no attribute 'Nothing'"):
        bandits.Nothing  # noqa: B018


@pytest.mark.parametrize("package", [policies, bandits], ids=lambda each: each.__name__)
def test_the_list_has_every_module(package):
    (plugins,) = (each for each in vars(package).values() if isinstance(each, Plugins))
    source = Path(package.__file__)
    written = re.findall(r"    from (\S+) import (\w+) as (\w+)\n", source.read_text())
    assert [(module, name, name) for module, name, _ in written] == written
    files = {f".{path.parent.name}.{path.stem}" for path in source.parent.glob("*/[!_]*.py")}
    assert {module for module, *_ in written} == files
    for module, name, _ in written:
        found = plugins.find(module.rpartition(".")[2])
        assert found is getattr(package, name)
        assert name.lower() == module.rpartition(".")[2].replace("_", "")


def test_one_policy_is_imported_alone():
    program = "import sys, dpbandits.policies as p; p.DPSE; print(*sys.modules)"
    imported = {name for name in uncompiled(program).split() if ".policies.arms." in name}
    assert imported == {"dpbandits.policies.arms.dp_se"}


def test_a_module_beside_config_yaml_needs_no_dot(tmp_path, monkeypatch):
    """And none of another name is imported from there."""
    monkeypatch.setattr("sys.path", [*sys.path])
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    (tmp_path / "my_draft.py").write_text(f"{IMPORTS}class Mine(DPSE):\n 'Mine.'")
    (tmp_path / "json.py").write_text("1 / 0")
    for _ in range(2):
        import_from(tmp_path)
    assert os.environ["PYTHONPATH"] == f"elsewhere{os.pathsep}{tmp_path}"
    assert (POLICIES.find("my_draft").__name__, POLICIES.family_of("my_draft")) == ("Mine", "arms")
    assert POLICIES.module_of("my_draft") == "my_draft"
    del sys.modules["my_draft"]
    with pytest.raises(InputError, match=r"json.py: one public class should be a Policy"):
        POLICIES.find("json")
