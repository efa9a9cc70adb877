"""ARTIFACT.md and codecheck.yml: they are up to date, list every output, and say what the logs say."""

import json
import re

import pytest
import yaml
from project import ROOT

from dpbandits import studies
from dpbandits.arena import names
from dpbandits.plan import costs
from dpbandits.report import artifact_evaluation


@pytest.fixture(scope="module")
def written():
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in ("ARTIFACT.md", "codecheck.yml")}


@pytest.fixture(scope="module")
def known():
    found = studies.load_all(ROOT / "config", "paper")
    return {name: paper for name, paper in found.items() if (ROOT / f"reference/claims/{name}.csv").exists()}


def test_both_files_are_up_to_date(written):
    assert artifact_evaluation.pages(ROOT) == written, "make artifact"


def test_every_output_is_listed_once(written, known):
    figures = {f"figures/{p.id}/{figure}.pdf" for p in known.values() for figure in p.figures}
    figures |= {f"figures/arena/{figure}.pdf" for figure in names.FIGURES}
    shown = re.findall(r"^\| [^|]+ \| `(figures/[^`]+)` \|", written["ARTIFACT.md"], re.MULTILINE)
    assert len(shown) == len(figures)
    assert set(shown) == figures
    listed = [entry["file"] for entry in yaml.safe_load(written["codecheck.yml"])["manifest"]]
    assert len(set(listed)) == len(listed)
    assert {file for file in listed if file.startswith("figures/")} == figures
    tables = {f"results/paper/tables/azize2022/table{n}.csv" for n in (1, 2)}
    tables |= {f"results/paper/arena/{table}.csv" for table in names.TABLES}
    claims = {f"results/paper/claims/{paper}.csv" for paper in known}
    assert set(listed) - figures == tables | claims | {
        "results/paper/sentences.csv",
        "results/paper/report.html",
    }
    assert written["codecheck.yml"].startswith("---\n")  # as its specification demands


def test_the_minutes_and_megabytes_are_those_of_the_logs(known, tmp_path):
    """Of tossou2016's Figure 2a: two jobs of 55 and 30 s in one simulation, one of 600 s in the other."""
    given = {"tossou2016/fig2a/together-1": [(55.0, 400), (30.0, 350)], "tossou2016/fig2a/dp-ucb-int": [(600.0, 900)]}
    files = {"tossou2016/fig2b/together-1": [tmp_path / "never ran"]}
    for name, jobs in given.items():
        for number, (seconds, memory) in enumerate(jobs):
            path = tmp_path / f"{len(files)}-{number}.log"
            path.write_text(json.dumps({"cpu_seconds": seconds, "peak_megabytes": memory}))
            files.setdefault(name, []).append(path)
    artifact_evaluation.write_costs(tmp_path, artifact_evaluation.measured(files))
    found = artifact_evaluation.Costs(known["tossou2016"], artifact_evaluation.read_costs(tmp_path))
    assert found.of["tossou2016/fig2a/together-1"] == artifact_evaluation.Cost(2, 85, 55, 400)
    minutes, megabytes = found.of_figure(known["tossou2016"].figures["fig2a"])
    assert minutes == pytest.approx(
        (600 + artifact_evaluation.SCHEDULING) / 60
    )  # the longest job; the other core does the rest
    assert megabytes == 900
    assert found.of["tossou2016/fig2b/dp-ucb-int"].jobs == 1


def test_what_was_not_measured_is_estimated(known):
    """As a sum over the policies of a figure, each with its own number of runs."""
    paper = known["tossou2016"]
    experiment = paper.experiments["fig2a"]
    seconds = sum(p.runs * costs.seconds_per_run(experiment.spec(p.id, 1)) for p in experiment.policies)
    found = artifact_evaluation.Costs(paper, {})
    jobs = [found.of[f"tossou2016/fig2a/{name}"] for name in ("together-1", "dp-ucb-int")]
    assert sum(job.seconds for job in jobs) == pytest.approx(seconds + 2 * costs.START_SECONDS)
    minutes, _ = found.of_figure(paper.figures["fig2a"])
    assert minutes == pytest.approx((max(job.longest for job in jobs) + artifact_evaluation.SCHEDULING) / 60)
    assert found.estimated == len(found.of)
