"""Policies and bandits from a package of the user's, installed or on PYTHONPATH."""

import importlib
import pickle
import re
import subprocess
import sys

import pytest
from project import ROOT, SMOKE, Project, forget_sources

from dpbandits import Bernoulli, bandits, compare, files, studies
from dpbandits.audit import lower_bounds
from dpbandits.audit.findings import ABOVE_LEDGER, WITHIN
from dpbandits.errors import InputError
from dpbandits.plan.fingerprints import fingerprint
from dpbandits.policies import POLICIES
from dpbandits.studies.experiment import Experiment, Policy, Series
from dpbandits.studies.settings import Effort

COMPILED = (ROOT / "docs/examples/greedy_compiled.py").read_text()
BANDIT = (ROOT / "docs/examples/cut_gaussian.py").read_text()
HELPER = """from dpbandits.kernels import step


@step
def explores(rng):
    return rng.random() < 0.1
"""
SCRIPTS = ROOT / "workflow/scripts"


def code_of(script):
    """The fingerprint of a job that plays the policy of the package."""
    return fingerprint(str(SCRIPTS / script), "my_package.my_greedy")


REPORTS = """
    def report(self, releases, reward):
        scale = 1 / self.epsilon
        return releases.laplace(reward, scale)

    def reports(self, horizon, number_of_arms):
        return {"any round": self.compiled(horizon, number_of_arms)}


@kernel
def greedy("""


@pytest.fixture(params=["my_package.helpers"])
def package(tmp_path, monkeypatch, request):
    """The compiled policy and the bandit of docs/examples, with a helper in a module of its own.

    A package with the helper in it has an `__init__.py`. If that is another one, neither has.
    """
    home, _, helpers = request.param.rpartition(".")
    folder = tmp_path / "site/my_package"
    for each in {folder, folder.with_name(home)}:
        each.mkdir(parents=True, exist_ok=True)
        if home == "my_package":
            (each / "__init__.py").touch()
    (folder.with_name(home) / f"{helpers}.py").write_text(HELPER)
    importing = f"from {request.param} import explores\n"
    greedy = COMPILED.replace(
        "from dpbandits.parameters", f"{importing}from dpbandits.parameters", 1
    )
    for old, new in (
        ("run.rng.random() < 0.1", "explores(run.rng)"),
        ("\n\n@kernel\ndef greedy(", REPORTS),
    ):
        assert old in greedy
        greedy = greedy.replace(old, new)
    (folder / "my_greedy.py").write_text(greedy)
    (folder / "cut_gaussian.py").write_text(BANDIT)
    monkeypatch.syspath_prepend(folder.parent)
    monkeypatch.setenv("PYTHONPATH", f"{folder.parent}:{ROOT / 'src'}")
    yield folder
    import_again()


def import_again():
    for name in [
        name for name in sys.modules if name.partition(".")[0] in ("my_package", "another")
    ]:
        del sys.modules[name]
    importlib.invalidate_caches()
    forget_sources()


@pytest.mark.parametrize("example", ["", "greedy_compiled", "greedy_gaussian"])
def test_compare_plays_them(example, package):
    if example:
        (package / "my_greedy.py").write_text((ROOT / f"docs/examples/{example}.py").read_text())
    on = bandits.make({"kind": "my_package.cut_gaussian", "centres": [0.8, 0.6], "sd": 0.5})
    assert b"CutGaussian.Compiled" not in pickle.dumps(
        on
    )  # which the process of a job has not made
    mine = POLICIES.make("my_package.my_greedy", {"epsilon": 1.0})
    result = compare([mine], on=on, horizon=500, n_runs=4, n_jobs=1)
    assert 0 < result.summary["mean"].iloc[-1] < 500 * 0.3
    assert result.privacy["kept"].tolist() == [True]


def test_a_module_may_compare_while_it_is_imported(package):
    """In one thread: numba imports the module of a function, and another thread would wait."""
    games = "on=Bernoulli([0.9, 0.1]), horizon=100, n_runs=4"
    lines = (
        f"from dpbandits import Bernoulli, compare\nprint(compare([Greedy(epsilon=1)], {games}))"
    )
    (package / "my_greedy.py").write_text(f"{COMPILED}\n\n{lines}\n")
    command = [sys.executable, "-c", "import my_package.my_greedy"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert "Greedy(epsilon=1.0)" in done.stdout


def test_a_change_anywhere_in_the_package_changes_the_fingerprint_of_its_runs(package):
    codes = {code_of("simulate.py")}
    for file, old, new in (
        ("helpers.py", "< 0.1", "< 0.2"), ("my_greedy.py", "t < run.K", "t <= run.K"),
        ("helpers.py", "< 0.2", "< 0.3"),
    ):  # fmt: skip
        text = (package / file).read_text()
        assert text.count(old) == 1
        (package / file).write_text(text.replace(old, new))
        forget_sources()
        codes.add(code_of("simulate.py"))
    assert len(codes) == 4
    (package / "cut_gaussian.py").write_text("")  # which it does not import
    forget_sources()
    assert code_of("simulate.py") in codes


@pytest.mark.parametrize("package", ["my_package.helpers", "another.helpers"], indirect=True)
def test_kernels_code_is_not_used_after_a_helper_has_changed(package):
    """Greedy that always explores loses half the gap in every round; else it loses less."""
    (helpers,) = package.parent.glob("*/helpers.py")

    def regret():
        mine = POLICIES.make("my_package.my_greedy", {"epsilon": 1e6})
        result = compare([mine], on=Bernoulli([0.9, 0.1]), horizon=1000, n_runs=4, n_jobs=1)
        return result.summary["mean"].iloc[-1]

    before, code = regret(), code_of("simulate.py")
    helpers.write_text(HELPER.replace("< 0.1", "< 1"))
    import_again()
    assert code_of("simulate.py") != code
    assert regret() > 0.9 * 0.8 * 500 > 2 * before


def test_an_audit_plays_the_code_as_it_is_now(package):
    """With a fourth of the noise, in the loop and in what users report."""
    effort = Effort(epsilons=[1.0], games=20_000, reports=20_000)

    def findings():
        import_again()  # and the series is a new one, since it keeps its policy
        series = Series("mine", "mine", "my_package.my_greedy", {"epsilon": 1.0}, "mine", 0)
        policies = {"mine": Policy(id="mine", series=(series,), runs=1)}
        played = Experiment("e", {"kind": "bernoulli"}, policies, paper="paper")
        return lower_bounds.part([played], 1, effort).set_index("channel")["finding"].to_dict()

    assert findings() == {"actions": WITHIN, "reports": WITHIN}
    source = (package / "my_greedy.py").read_text()
    code = code_of("call.py")
    (package / "my_greedy.py").write_text(re.sub(r"(laplace\(.*, scale)\)", r"\1 / 4)", source))
    assert findings() == {"actions": ABOVE_LEDGER, "reports": ABOVE_LEDGER}
    assert code_of("call.py") != code


def test_a_missing_package_is_said_by_name():
    """tests/test_plugins.py has modules that hold no policy."""
    message = (
        "no_package/ucb.py: ModuleNotFoundError: No module named 'no_package'; "
        "install its package here, or set PYTHONPATH to the folder that it is in"
    )
    guest = {"mine": {"label": "x", "algorithm": "no_package.ucb"}}
    with pytest.raises(InputError, match=f"^config/config.yaml: guests.mine: .*{message}"):
        studies.load(ROOT / "config/papers/tossou2016.yaml", "smoke", guest)


@pytest.mark.slow
def test_a_paper_plays_them(package, tmp_path):
    (tmp_path / "project").mkdir()
    project = Project.new(tmp_path / "project")
    line = 'guests: {mine: {label: "Mine ({epsilon:g})", algorithm: my_package.my_greedy}}'
    project.edit("config/config.yaml", "guests: {}", line)
    arms = "{kind: my_package.cut_gaussian, centres: [0.8, 0.6], sd: 0.5}"
    for old, new in (
        ("  two-arms: ", f"  cut: {arms}\n  two-arms: "),
        ("  fig2a:\n    environment: two-arms", "  fig2a:\n    environment: cut"),
        ("{columns: [locked_in]}", "{}"),  # which needs a key `means`
    ):  # fmt: skip
        project.edit("config/papers/tossou2016.yaml", old, new)
    trace = "results/smoke/traces/tossou2016/fig2a/mine/0-9.npz"
    project.run(*SMOKE, "--", trace)
    read = files.read_trace(project.folder / trace)
    assert read.header["bandit"]["kind"] == "CutGaussian"
    assert 0 < read.values["regret"][0, :, -1].mean() < 20_000 * 0.1
