"""The estimates that a cluster is given. How near they are to measured times is for `make benchmark` to say: no test here
depends on how fast a machine is."""

import math
import types

import project
import pytest
import yaml
from project import ROOT

from dpbandits import algorithms, studies
from dpbandits.algorithms.arms._index import play_with_leads
from dpbandits.environments.arms import pull
from dpbandits.plan import batches, costs

PAPERS = {name: studies.load(ROOT / f"config/papers/{name}.yaml") for name in project.PAPERS}
JOBS = yaml.safe_load((ROOT / "profiles/slurm/sizes.yaml").read_text())


def simulations():
    """Every batch of policies that is simulated at paper scale, and its number of runs."""
    for paper in PAPERS.values():
        for experiment in paper.experiments.values():
            for batch in batches.batches(experiment, 1):
                yield batch.spec, batch.runs


def test_every_estimate_can_be_made():
    for spec, runs in simulations():
        assert 0 < costs.seconds_per_run(spec) < 600
        assert costs.seconds_per_run(spec) <= costs.seconds_per_run({**spec, "horizon": 2 * spec["horizon"]})
        assert costs.seconds(spec, runs) > costs.START_SECONDS
        assert 300 < costs.megabytes(spec, runs) < 1000
        assert costs.minutes_to_ask_for(spec, runs) >= 6


def test_the_formula():
    """50 ns per round without an estimate of the algorithm, 10 more in a game, 0.1 ms per run, 1.5 s per job."""
    spec = {
        "horizon": 10**6,
        "checkpoints": [10**6],
        "environment": {"kind": "bernoulli", "means": [0.9, 0.6]},
        "series": {"a": {"algorithm": "dp_ucb_bound", "parameters": {"epsilon": 1}}},
    }
    assert not hasattr(algorithms.find("dp_ucb_bound"), "nanoseconds")
    assert costs.seconds(spec, 100) == pytest.approx(1.5 + 100 * (0.0001 + 0.05))
    assert costs.minutes_to_ask_for(spec, 100) == 6
    assert costs.runs_in(1, spec) == int(58.5 / 0.0501)
    assert costs.megabytes_to_ask_for(spec, 100) == 700
    game = {**spec, "environment": {"kind": "stochastic", "number_of_arms": 4, "best": 0.55, "others": 0.5}}
    assert costs.seconds(game, 100) == pytest.approx(1.5 + 100 * (0.0001 + 0.06))
    assert costs.megabytes(game, 1) == pytest.approx(316, abs=0.1)
    declared = {**spec, "series": {"a": {"algorithm": "dp_ucb", "parameters": {"epsilon": 1}}}}
    assert costs.seconds_per_run(declared) == pytest.approx(0.0301)


def test_what_is_not_compiled_is_expected_to_be_slow():
    module = types.ModuleType("dpbandits.algorithms.arms.draft")
    module.pull, module.play = pull, lambda rng, arms, horizon, journal: None
    assert not costs.is_compiled(module)
    module.driver = play_with_leads
    assert costs.is_compiled(module)


def test_a_cluster_sees_few_jobs():
    """The profile, at paper scale, all papers: small jobs stay beside Snakemake."""
    jobs = []
    for spec, all_runs in simulations():
        runs = min(all_runs, costs.runs_in(JOBS["block"]["minutes"], spec))
        jobs += [costs.seconds(spec, runs)] * math.ceil(all_runs / runs)
    submitted = [seconds for seconds in jobs if seconds >= JOBS["submit_above"]]
    assert 10 < len(submitted) <= 150
    assert sum(jobs) - sum(submitted) < 45 * 60
