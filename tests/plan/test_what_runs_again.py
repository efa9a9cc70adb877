"""The table of CONTRIBUTING.md: which rules' jobs run again after which change, for one paper."""

import re
import shutil

import pytest
from plan.test_fingerprints import SETTINGS, digest
from project import ROOT, forget_sources

from dpbandits.plan import fingerprints, jobs
from dpbandits.plan.plan import load

PAGE = (ROOT / "CONTRIBUTING.md").read_text().partition("| you change |")[2]
TABLE = {
    change: {*re.findall(r"`(\w+)`", rules)}
    for change, rules in re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE)
    if "digests" not in rules
}
PAPER, CLAIMS = "papers/tossou2016.yaml", "claims/tossou2016.yaml"
UCB = ("policies.arms.private_ucb", "bonus * width", "2 * bonus * width")
CHANGES = {
    "an epsilon of an experiment": (PAPER, "epsilon: 0.1", "epsilon: 0.2"),
    "a label": (PAPER, "label: UCB", "label: UCB one"),
    "a threshold": (CLAIMS, "below: 1}", "below: 0.8}"),
    "a colour": ("figures.colours", '"#0173b2"', '"#0173b3"'),
    "a policy's code": UCB,
    "a comment or a docstring": (UCB[0], "\nclass ", "\n# a comment\nclass "),
    "the version of matplotlib": "matplotlib",
    "the version of pandas": "pandas",
    "the version of numpy": "numpy",
}


def digests():
    """Rule -> the digests of its jobs of tossou2016, of the arena and of the run."""
    plan = load({**SETTINGS, "scale": "smoke"})
    rows = plan.simulations[plan.simulations["study"] == "tossou2016"]
    arguments = {
        "simulate": [jobs.simulation(plan, *map(str, row[:5])) for row in rows.to_numpy()],
        "summarise": [jobs.summary(plan, "tossou2016", id) for id in rows["experiment"].unique()],
        "draw": [jobs.figure(plan, *name.split("/")) for name in plan.figures("tossou2016")],
        "check": [jobs.checks(plan, "tossou2016")],
        "account": [jobs.promises(plan, "tossou2016")],
        "audit_part": [jobs.audit(plan, "tossou2016", "1")],
        "audit_study": [jobs.promises(plan, "tossou2016")],
        "replay": [jobs.replays(plan, "tossou2016")],
        "claims": [jobs.claims(plan)],
        "distances": [jobs.compared_panels(plan)],
        "compare": [jobs.comparison(plan)],
        "page": [jobs.page(plan)],
    }
    return {rule: [digest(rule, each) for each in many] for rule, many in arguments.items()}


@pytest.fixture(scope="module")
def before():
    forget_sources()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        return digests()


@pytest.fixture
def edit(tmp_path, edit_package, monkeypatch):
    """Make a change: of a file of the configuration, of a module or of a library's version."""
    folder = shutil.copytree(ROOT / "config", tmp_path / "config")
    (tmp_path / "reference").symlink_to(ROOT / "reference")
    monkeypatch.chdir(tmp_path)

    def make(change):
        version = fingerprints._version
        if isinstance(change, str):
            monkeypatch.setattr(
                fingerprints, "_version", lambda x: "9" if x == change else version(x)
            )
            forget_sources()
        elif change[0].endswith(".yaml"):
            text = (folder / change[0]).read_text()
            assert change[1] in text
            (folder / change[0]).write_text(text.replace(*change[1:]))
        else:
            edit_package(*change, count=1)

    return make


def test_the_table_has_these_changes():
    assert TABLE.keys() == CHANGES.keys()


@pytest.mark.parametrize("change", CHANGES)
def test_the_table_says_which_digests_change(change, before, edit):
    edit(CHANGES[change])
    after = digests()
    again = {rule for rule in before if before[rule] != after[rule]}
    assert again == TABLE[change]
