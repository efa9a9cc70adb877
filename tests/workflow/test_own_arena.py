"""An arena of a stranger's own, that of docs/examples, without ours and beside it."""

import csv
import re
import shutil

import pytest
from project import ROOT, SMOKE, Project

EXAMPLE = ROOT / "docs/examples/my-arena.yaml"
MEANS = {"wide": [0.9, 0.5, 0.1], "narrow": [0.6, 0.55]}


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    project = Project.new(tmp_path_factory.mktemp("alone"), papers=())
    shutil.copy(EXAMPLE, project.folder / "config")
    project.output = project.run(*SMOKE)
    return project


def rows_of(project, table):
    with open(project.folder / "results/smoke" / table, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_its_scores_are_regrets_over_its_yardstick(alone):
    end = [row for row in rows_of(alone, "my-arena/scores.csv") if row["t"] == "2000"]
    assert {(row["instance"], row["policy"], row["epsilon"]) for row in end} == {
        (instance, policy, epsilon)
        for instance in MEANS
        for policy, epsilons in (("dp-se", ("0.1", "1")), ("ldp-ucb", ("0.1", "1")), ("ucb", ("",)))
        for epsilon in epsilons
    }
    yardstick = {row["instance"]: float(row["mean"]) for row in end if row["policy"] == "ucb"}
    for row in end:
        wanted = float(row["mean"]) / yardstick[row["instance"]]
        assert float(row["over_yardstick"]) == pytest.approx(wanted, rel=1e-9)


def test_it_has_figures_and_a_place_in_the_report(alone):
    pictures = {path.name for path in (alone.folder / "results/smoke/figures/my-arena").iterdir()}
    assert pictures == {f"{figure}.{kind}" for figure in ("scores", "winners") for kind in ("pdf", "png")}
    page = (alone.folder / "results/smoke/page/index.html").read_text()
    menu = page[page.index("<nav") : page.index("</nav>")]
    assert page.count('<section id="my-arena"') == menu.count('href="#my-arena"') == 1
    assert {"DP-SE", "LDP-UCB"} <= set(re.findall(r'<th scope="row">([^<]*)', page))
    verified = (alone.folder / "results/smoke/verification.txt").read_text()
    assert verified.count("no reference") == 3  # two figures and the audits


def test_beside_ours_it_has_jobs_of_its_own(alone):
    (alone.folder / "config/arena.yaml").write_text((ROOT / "config/arena.yaml").read_text())
    assert alone.would_run(*SMOKE, "--", "my-arena") == []
    ours = alone.would_run(*SMOKE, "--", "arena")
    assert "make the table arena/scores" in ours
    assert not any("my-arena" in job for job in ours)
