"""The estimates that a cluster is given. No test here depends on how fast a machine is."""

import math
import types

import project
import pytest
import yaml
from project import ROOT

from dpbandits import algorithms, studies
from dpbandits.algorithms.logs._linear import play_log
from dpbandits.environments.arms import pull
from dpbandits.plan import batches, costs

PAPERS = [studies.load(ROOT / f"config/papers/{name}.yaml") for name in project.PAPERS]
JOBS = yaml.safe_load((ROOT / "profiles/slurm/sizes.yaml").read_text())


@pytest.mark.parametrize(("algorithm", "seconds"), [("ucb", 0.02), ("dp_se", 0.0002), ("gdp_ncb", 0.0002)])
def test_the_formula(algorithm, seconds):
    """1.5 s per job, 0.1 ms per run, and 20 ns per round, of a policy that plays in episodes 0.2 ns."""
    series = {name: {"algorithm": algorithm, "parameters": {}} for name in ("a", "b")}
    spec = {"horizon": 10**6, "checkpoints": [10**6], "series": series}
    assert costs.seconds(spec, 100) == pytest.approx(1.5 + 200 * (0.0001 + seconds))
    assert costs.runs_in(1, spec) == int(58.5 / (0.0002 + 2 * seconds))
    assert costs.minutes_to_ask_for(spec, 30_000) == 5 + math.ceil(3 * costs.seconds(spec, 30_000) / 60)
    assert costs.megabytes(spec, 1000) == pytest.approx(500.096)
    assert costs.megabytes_to_ask_for(spec, 1000) == 1100


def test_what_is_not_compiled_is_expected_to_be_slow(monkeypatch):
    assert all(costs.is_compiled(algorithms.find(name)) for name in algorithms.known())
    module = types.ModuleType("dpbandits.algorithms.arms.draft")
    module.pull, module.play = pull, lambda rng, arms, horizon, journal: None
    assert not costs.is_compiled(module)
    assert not costs.plays_in_episodes(module)
    for driver, in_episodes in ((play_log, False), (algorithms.find("dp_se").play, True)):
        module.driver = driver
        assert costs.is_compiled(module)
        assert costs.plays_in_episodes(module) == in_episodes
    monkeypatch.setattr(costs, "is_compiled", lambda module: False)
    spec = {"horizon": 1000, "series": {"a": {"algorithm": "dp_se", "parameters": {}}}}
    assert costs.seconds_per_run(spec) == pytest.approx(0.0201)


def test_a_cluster_sees_few_jobs():
    """The profile, at paper scale, all papers: small jobs stay beside Snakemake."""
    experiments = [experiment for paper in PAPERS for experiment in paper.experiments.values()]
    jobs = []
    for batch in [batch for experiment in experiments for batch in batches.batches(experiment, 1)]:
        runs = min(batch.runs, costs.runs_in(JOBS["block"]["minutes"], batch.spec))
        jobs += [costs.seconds(batch.spec, runs)] * math.ceil(batch.runs / runs)
        assert 500 < costs.megabytes(batch.spec, runs) < 1000
    submitted = [seconds for seconds in jobs if seconds >= JOBS["submit_above"]]
    assert 10 < len(submitted) <= 150
    assert sum(jobs) - sum(submitted) < 45 * 60
