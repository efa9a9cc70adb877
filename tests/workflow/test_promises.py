"""Guests pass through every target, including the arena's.

The guests are the modules of docs/extending.md and a policy that promises nothing
(privacy/test_promises.py has other forms of such a promise).
"""

import re

import pandas as pd
import pytest
import yaml
from project import ROOT, SMOKE, Project
from workflow.test_own_studies import EXAMPLES, copy_paper

PUBLIC = """from dpbandits.policies.arms.ucb import UCB


class Public(UCB):
    '''A policy without privacy.'''

    def privacy(self, horizon, number_of_arms):
        return None
"""
pytestmark = pytest.mark.slow
DOCUMENTED = ["plain", "compiled", "gaussian"]  # the module of docs/extending.md, two examples
OURS = ["explore-then-commit", "kl-ucb", "ldp-ucb"]  # policies of the arena that are compiled


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The paper of docs/examples, a small arena and the guests, after one run of every target."""
    project = Project.new(tmp_path_factory.mktemp("promises"), own_source=True, papers=())
    copy_paper(project)
    arena = yaml.safe_load((ROOT / "config/arena.yaml").read_text())
    arena["policies"] = {name: arena["policies"][name] for name in OURS}
    arena["arena"] |= {"left_out": {}, "smoke": {"epsilons": [0.1, 1], "experiments": ["two-arms"]}}
    for experiment in arena["experiments"].values():
        if "stream" in experiment:
            experiment["policies"] = ["explore-then-commit"]
    (project.folder / "config/arena.yaml").write_text(yaml.safe_dump(arena, sort_keys=False))
    guests = {"public": PUBLIC}
    page = (ROOT / "docs/extending.md").read_text()
    # The first block is the policy, and a bandit follows.
    modules = [re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]]
    modules += [(EXAMPLES / f"greedy_{name}.py").read_text() for name in DOCUMENTED[1:]]
    guests |= dict(zip(DOCUMENTED, modules, strict=True))
    promise = re.search(r"    def privacy.*?\n(?=\n\n)", modules[1], re.DOTALL)[0]
    imports = "from dpbandits.privacy.ledger import Account, Ledger\n"
    guests["plain-private"] = f"{imports}{modules[0]}\n{promise}"
    for name, text in guests.items():
        (project.folder / f"config/{module(name)}.py").write_text(text)
    lines = [f"  {name}: {{label: {name}, algorithm: {module(name)}}}\n" for name in guests]
    project.edit("config/config.yaml", "guests: {}\n", f"guests:\n{''.join(lines)}")
    project.run(*SMOKE, "--", "all", "audit", "arena", "checks", "page")
    return project


def module(guest):
    return "my_" + guest.replace("-", "_")


def test_a_guest_without_a_promise_passes_through_every_target(project):
    results = project.folder / "results/smoke"
    accounts = pd.read_csv(results / "accounts/mine2026.csv").set_index("policy")
    assert accounts.loc["public", "verdict"] == "no promise"
    scores = pd.read_csv(results / "arena/scores.csv", keep_default_na=False)
    assert set(scores.loc[scores["policy"] == "public", "league"]) == {"none"}
    for study in ("mine2026", "arena"):
        audits = pd.read_csv(results / f"audits/{study}.csv")
        assert "public" not in set(audits["policy"])


def test_the_modules_of_the_page_play_and_are_audited(project):
    """Including the module in plain Python."""
    results = project.folder / "results/smoke"
    private = ["plain-private", "compiled", "gaussian"]
    for study in ("mine2026", "arena"):
        audits = pd.read_csv(results / f"audits/{study}.csv").set_index("policy")
        for name in private:
            rows = audits.loc[[name]]
            assert set(rows["channel"]) == {"actions"}
            # At this scale few games are played.
            assert {finding.split(":")[0] for finding in rows["finding"]} <= {"within", "no power"}
            assert (rows["games"] > 0).all()
    accounts = pd.read_csv(results / "accounts/mine2026.csv").set_index("policy")
    assert set(accounts.loc[private, "verdict"]) == {"kept"}
    assert set(accounts.loc[["gaussian"], "delta"]) == {1e-6}
    scores = pd.read_csv(results / "arena/scores.csv").set_index("policy")
    assert scores.loc[[*private, "plain"], "mean"].notna().all()
    for summary in (results / "summaries/mine2026").glob("*.csv"):
        assert {*private, "plain"} <= set(pd.read_csv(summary)["policy"])


def test_another_value_is_refused_by_the_guests_name_and_its_file(project):
    file = "my_public.py"
    project.edit(f"config/{file}", "return None", "return 3")
    printed = project.run(*SMOKE, "-n", expect=1)
    project.edit(f"config/{file}", "return 3", "return None")
    assert f"config/config.yaml: guests.public: in mine2026 two-arms: {file}: " in printed
    assert "privacy: 3 is not a promise; return an Account" in printed
