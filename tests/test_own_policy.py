"""Policies of the user's own: those of docs/extending.md, and a package with a policy and a bandit.

tests/bandits/arms/test_own_bandit.py has more of the bandit, tests/studies/test_guests.py and
tests/workflow/test_own_studies.py have guests in figures and arenas.
"""

import importlib
import os
import pickle
import re
import shutil
import sys
from pathlib import Path

import pytest
from project import ROOT, SMOKE, Project, forget_sources, in_a_fork, uncompiled

from dpbandits import Bernoulli, bandits, compare, files
from dpbandits.audit import lower_bounds
from dpbandits.audit.findings import ABOVE_LEDGER, WITHIN
from dpbandits.errors import InputError
from dpbandits.plan.fingerprints import fingerprint
from dpbandits.policies import POLICIES
from dpbandits.studies.experiment import Experiment, Policy, Series
from dpbandits.studies.settings import Effort


@pytest.fixture(scope="module")
def extending(tmp_path_factory):
    """The policies of the page and of two examples in a module that another process can import."""
    folder = tmp_path_factory.mktemp("extending")
    text = (ROOT / "docs/extending.md").read_text().partition("## Your own bandit")[0]
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    examples = "gaussian_thompson", "commit_when_ahead"
    blocks += [(ROOT / f"docs/examples/{name}.py").read_text() for name in examples]
    (folder / "my_module.py").write_text("\n".join(blocks))
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(folder)
        monkeypatch.setenv("PYTHONPATH", f"{folder}:{ROOT / 'src'}")
        yield importlib.import_module("my_module")
    del sys.modules["my_module"]


LEARN = [  # the least and the largest regret, in units of that of playing at random
    ("Greedy", 0.07, 0.25),  # it explores in a tenth of the rounds
    ("ReportedUCB", 0, 0.25),
    ("GaussianThompson", 0, 0.25),
    ("CommitWhenAhead", 0, 0.6),
]


@pytest.mark.parametrize(("name", "least", "most"), LEARN)
def test_the_policies_of_the_page_learn(name, least, most, extending):
    """With next to no noise."""
    policy = getattr(extending, name)
    result = compare([policy(epsilon=1e4)], on=Bernoulli([0.9, 0.1]), horizon=2000, n_runs=4)
    last = result.summary.iloc[-1]
    assert least < last["min"] / (0.4 * 2000) < last["mean"] / (0.4 * 2000) < most
    assert result.privacy["kept"].tolist() == [True]
    with pytest.raises(InputError, match="epsilon: 0 should be a number above 0"):
        policy(epsilon=0)


SLOW = pytest.param("GaussianThompson", marks=pytest.mark.slow)  # draws many numbers in Python
REPLAYS = """
import my_module
from dpbandits.audit import replay
for name in input().split():
    row = replay.row(getattr(my_module, name)(epsilon=1))
    print(row["finding"], row["attained"] > 0)
"""


@pytest.mark.parametrize("names", ["Greedy ReportedUCB CommitWhenAhead", SLOW])
def test_the_replays_of_the_page_agree_with_its_ledgers(names, extending):
    """In one process that compiles nothing, as `replay.of` starts it for a policy."""
    printed = uncompiled(REPLAYS, names, PYTHONPATH=os.environ["PYTHONPATH"])
    assert printed.splitlines() == ["as booked True"] * len(names.split())


def test_the_short_cut_of_the_page_takes_the_same_actions(extending):
    source = Path(extending.__file__)
    plain = source.read_text().replace("Policy, Leads", "Policy, Plain")
    source.with_name("my_plain.py").write_text(plain.replace("cut = Leads", "cut = Plain"))
    modules = extending, importlib.import_module("my_plain")
    games = {"on": Bernoulli([0.9, 0.5, 0.6]), "horizon": 3000, "n_runs": 4}
    ours, theirs = (compare([each.ReportedUCB(epsilon=2)], **games) for each in modules)
    assert ours.runs.equals(theirs.runs)


# ---- a package of the user's, installed or on PYTHONPATH

EXAMPLES = ROOT / "docs/examples"
COMPILED = (EXAMPLES / "greedy_compiled.py").read_text()
HELPER = """from dpbandits.kernels import step


@step
def explores(rng):
    return rng.random() < 0.1
"""
REPORTS = """
    def report(self, releases, reward):
        scale = 1 / self.epsilon
        return releases.laplace(reward, scale)

    def reports(self, horizon, number_of_arms):
        return {"any round": self.compiled(horizon, number_of_arms)}


@kernel
def greedy("""


def edit(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1, old
    path.write_text(text.replace(old, new))
    forget_sources()


def import_again():
    for name in list(sys.modules):
        if name.partition(".")[0] in ("my_package", "another"):
            del sys.modules[name]
    importlib.invalidate_caches()
    forget_sources()


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The compiled policy and the bandit of docs/examples, with a helper.

    Its package has the helper from another one, which has no `__init__.py`.
    """
    folder, other = (tmp_path / f"site/{name}" for name in ("my_package", "another"))
    for each in (folder, other):
        each.mkdir(parents=True)
    (folder / "__init__.py").touch()
    (other / "helpers.py").write_text(HELPER)
    greedy = folder / "my_greedy.py"
    (folder / "helpers.py").write_text("from another.helpers import explores\n")
    greedy.write_text(f"from my_package.helpers import explores\n{COMPILED}")
    edit(greedy, "run.rng.random() < 0.1", "explores(run.rng)")
    edit(greedy, "\n\n@kernel\ndef greedy(", REPORTS)
    for example in ("cut_gaussian", "greedy_gaussian"):
        shutil.copy(EXAMPLES / f"{example}.py", folder)
    monkeypatch.syspath_prepend(folder.parent)
    monkeypatch.setenv("PYTHONPATH", f"{folder.parent}:{ROOT / 'src'}")
    yield folder
    import_again()


def code_of(script):
    """The fingerprint of a job that plays the policy of the package."""
    return fingerprint(str(ROOT / "workflow/scripts" / script), "my_package.my_greedy")


def test_compare_plays_the_examples(package):
    greedy = POLICIES.make("my_package.greedy_gaussian", {"epsilon": 1.0})
    on = bandits.make({"kind": "my_package.cut_gaussian", "centres": [0.8, 0.6], "sd": 0.5})
    assert b"CutGaussian.Compiled" not in pickle.dumps(on)  # a job's process has not made it
    result = compare([greedy], on=on, horizon=500, n_runs=4, n_jobs=1)
    assert 0 < result.summary["mean"].iloc[-1] < 500 * 0.3
    assert result.privacy["kept"].tolist() == [True]


def test_a_module_may_compare_while_it_is_imported(package):
    """In one thread: numba imports the module of a function, and another thread would wait."""
    played = "compare([Greedy(epsilon=1)], on=Bernoulli([0.9, 0.1]), horizon=100, n_runs=4)"
    lines = f"from dpbandits import Bernoulli, compare\nassert len({played}.privacy) == 1"
    (package / "my_greedy.py").write_text(f"{COMPILED}\n\n{lines}\n")
    assert in_a_fork(importlib.import_module, "my_package.my_greedy", timeout=100) == 0


def test_a_change_of_the_policy_or_its_helper_changes_the_fingerprint_of_its_runs(package):
    helpers = package.parent / "another/helpers.py"
    codes = {code_of("simulate.py")}
    for file, old, new in (
        (helpers, "< 0.1", "< 0.2"),
        (package / "my_greedy.py", "t < run.K", "t <= run.K"),
        (helpers, "< 0.2", "< 0.3"),
    ):
        edit(file, old, new)
        codes.add(code_of("simulate.py"))
    assert len(codes) == 4
    edit(package / "cut_gaussian.py", "0.0), 1.0)", "0.1), 1.0)")  # which it does not import
    assert code_of("simulate.py") in codes


def test_comparisons_and_audits_play_the_code_as_it_is_now(package):
    """Greedy that explores in 30% of the rounds loses three times as much as in 10%.

    The audit notices a fourth of the noise, in the loop and in what users report.
    """
    effort = Effort(epsilons=[1.0], games=20_000, reports=20_000)

    def regret():
        game = {"on": Bernoulli([0.9, 0.1]), "horizon": 1000, "n_runs": 4, "n_jobs": 1}
        greedy = POLICIES.make("my_package.my_greedy", {"epsilon": 1e6})
        return compare([greedy], **game).summary["mean"].iloc[-1]

    def findings():  # of a new series, since one keeps its policy
        series = Series("mine", "mine", "my_package.my_greedy", {"epsilon": 1.0}, "mine", 0)
        policies = {"mine": Policy(id="mine", series=(series,), runs=1)}
        played = Experiment("e", {"kind": "bernoulli"}, policies, paper="paper")
        return lower_bounds.part([played], 1, effort).set_index("channel")["finding"].to_dict()

    assert findings() == {"actions": WITHIN, "reports": WITHIN}
    before, code, file = regret(), code_of("call.py"), package / "my_greedy.py"
    edit(package.parent / "another/helpers.py", "< 0.1", "< 0.3")
    file.write_text(re.sub(r"(laplace\(.*, scale)\)", r"\1 / 4)", file.read_text()))
    import_again()
    assert code_of("call.py") != code
    assert findings() == {"actions": ABOVE_LEDGER, "reports": ABOVE_LEDGER}
    assert regret() > 2 * before


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
    ):
        project.edit("config/papers/tossou2016.yaml", old, new)
    trace = "results/smoke/traces/tossou2016/fig2a/mine/0-9.npz"
    project.run(*SMOKE, "--", trace)
    read = files.read_trace(project.folder / trace)
    assert read.header["bandit"]["kind"] == "CutGaussian"
    assert 0 < read.values["regret"][0, :, -1].mean() < 20_000 * 0.1
