"""The workflow on a real Slurm: the same bytes as here, the jobs where they belong, and a node that fails.

They need root, network namespaces and Debian's slurm-wlm, munge and iproute2. Submitting costs some 10 s a job, so the largest jobs of the smoke scale are
submitted and the rest run beside Snakemake, as the profile does at paper scale.
"""

import re
import subprocess
import sys

import pytest
from project import ROOT, Project, study_of
from workflow.interrupting import BLOCKS, IN_BLOCKS, is_held, jobs_of, undisturbed_bytes, wait_until
from workflow.small_cluster import Cluster, why_not

from dpbandits.plan.batches import batches, rounds_of

# What plays as many rounds as the largest simulation of panel (d) is submitted.
LARGEST = max(
    rounds_of(batch[0])
    for batch in batches(study_of("tossou2016", "smoke").experiments["fig2d"], 1)
)
SCALE = ["--config", "scale=smoke", f"submit_above={LARGEST}"]
KINDS = ("traces", "summaries", "checks", "figures")
TARGETS = ["results/smoke/checks/tossou2016.csv", "results/smoke/figures/tossou2016/fig2.pdf"]
# What a test may not wait for; everything else is the profile as it is.
FASTER = "--slurm-init-seconds-before-status-checks 1 --seconds-between-status-checks 2 --latency-wait 600"
COMMAND = [sys.executable, "-m", "snakemake", "--profile", "profiles/slurm", *FASTER.split()]
BLOCKS_SUBMITTED = [IN_BLOCKS[0], "submit_above=0", *IN_BLOCKS[1:]]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def possible():
    if reason := why_not():
        pytest.skip(reason)


def run_on(cluster, project, *arguments):
    """Snakemake with the cluster's profile, to its end: what it printed."""
    where = {"cwd": project.folder, "env": cluster.environment}
    done = subprocess.run(
        [*cluster.inside, *COMMAND, *arguments], capture_output=True, text=True, **where
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def undisturbed(one_paper, tmp_path_factory):
    return undisturbed_bytes(one_paper, tmp_path_factory.mktemp("blocks"))


@pytest.fixture(scope="module")
def cluster(possible):
    with Cluster(slots=2) as running:
        yield running


@pytest.fixture(scope="module")
def submitted(cluster, tmp_path_factory):
    """The checks of tossou2016 and its Figure 2 at the smoke scale, through the profile."""
    project = Project.new(tmp_path_factory.mktemp("submitted"))
    project.output = run_on(cluster, project, *SCALE, "--", *TARGETS)
    return project


def test_the_large_simulations_and_the_audits_are_submitted_and_nothing_else(submitted):
    sent = re.findall(
        r"^Job \d+ has been submitted with SLURM jobid (\d+)", submitted.output, re.MULTILINE
    )
    counts = dict(re.findall(r"^(\w+) +(\d+)$", submitted.last_log(), re.MULTILINE))
    audits = int(counts["audit_study"])  # promises of privacy are among the checks
    assert len(sent) == len(set(sent)) == int(counts["simulate"]) + audits
    assert audits == 4  # the parts of its audit
    assert int(counts["simulate"]) >= 2
    assert int(counts["simulate_here"]) > int(counts["simulate"])


def test_slurm_was_asked_for_the_constants_of_the_rules(submitted, cluster):
    ended = cluster.ask(
        "squeue", "--noheader", "--states=all", "--Format=State:20,MinMemory:20,TimeLimit:20"
    )
    assert {tuple(job.split()) for job in ended.splitlines()} == {("COMPLETED", "1000M", "30:00")}


def test_what_the_cluster_made_is_up_to_date_here(submitted):
    """Which of the two rules did a simulation is not part of what it is."""
    assert submitted.would_run("--config", "scale=smoke", "--", *TARGETS) == []


@pytest.mark.parametrize("again", ["slurm", "snakemake"])
def test_a_node_that_dies_costs_only_its_own_job(again, undisturbed, tmp_path):
    """The power of a node fails in the middle of a simulation: it is run again on the other node, to the same bytes.

    Slurm itself runs a lost job again (JobRequeue, its default), under the same number; where a cluster does not,
    Snakemake submits it once more (`retries` in the profile).
    """
    project = Project.new(tmp_path)
    options = ["--slurm-no-requeue"] if again == "snakemake" else []
    with Cluster(slots=1) as cluster, open(tmp_path / "printed", "w") as file:
        where = {
            "cwd": project.folder,
            "env": cluster.environment,
            "stdout": file,
            "stderr": subprocess.STDOUT,
        }
        process = subprocess.Popen(
            [*cluster.inside, *COMMAND, *options, *BLOCKS_SUBMITTED], **where
        )

        def on_node1():
            cluster.check_launches()
            return set(jobs_of(project)) & set(cluster.processes("node1"))

        there = wait_until(on_node1, process)
        assert is_held(there.pop())
        lost = cluster.ask(
            "squeue", "--noheader", "--states=RUNNING", "--nodelist=node1", "--format=%A"
        )
        assert lost.isdigit()
        cluster.cut_power("node1")
        process.wait()
        ended = cluster.ask(
            "squeue",
            "--noheader",
            "--states=all",
            "--Format=JobID:9,State:12,NodeList:9,RestartCnt:9",
        )
        jobs = {job: about for job, *about in map(str.split, ended.splitlines())}
        nodes = cluster.states()
    printed = (tmp_path / "printed").read_text()
    assert process.returncode == 0, printed
    assert nodes == {"node1": "down*", "node2": "idle"}
    if again == "slurm":
        assert jobs.pop(lost) == ["COMPLETED", "node2", "1"]
        assert "Trying to restart" not in printed
    else:
        assert jobs.pop(lost) == ["NODE_FAIL", "node1", "0"]
        assert f"SLURM-job '{lost}' failed due to a node failure" in project.last_log()
        assert project.last_log().count("Trying to restart job") == 1
    assert {tuple(about) for about in jobs.values()} <= {("COMPLETED", node, "0") for node in nodes}
    assert len(jobs) == len(BLOCKS) - (again == "slurm")
    assert {name: (project.folder / name).read_bytes() for name in undisturbed} == undisturbed
    assert not list(project.folder.rglob("*.part"))


def test_an_array_of_jobs_gives_the_same_bytes(undisturbed, tmp_path):
    """With the options of docs/cluster.md: the plugin gives an array what its first job asks for."""
    project = Project.new(tmp_path)
    array = ["--slurm-array-jobs", "simulate", "--jobs", "1000"]
    assert " ".join(array) in (ROOT / "docs/cluster.md").read_text()
    with Cluster(slots=2) as cluster:
        run_on(cluster, project, *array, *BLOCKS_SUBMITTED)
        ended = cluster.ask(
            "squeue", "--noheader", "--states=all", "--Format=JobArrayID:9,State:12,TimeLimit:9"
        )
    jobs = sorted(map(str.split, ended.splitlines()))
    assert jobs == [[f"1_{task}", "COMPLETED", "30:00"] for task in range(1, len(BLOCKS) + 1)]
    assert {name: (project.folder / name).read_bytes() for name in undisturbed} == undisturbed


def test_every_byte_is_that_of_a_local_run(submitted, one_paper):
    made, here = (
        {
            name: content
            for kind in KINDS
            for name, content in project.bytes(f"results/smoke/{kind}/**/*").items()
        }
        for project in (submitted, one_paper)
    )
    assert len(made) > 15
    assert made == {name: here[name] for name in made}
