"""Which policies share a simulate job."""

import math
import re

import numpy as np
import project
import pytest
from project import ROOT

from dpbandits import simulation, studies
from dpbandits.files import traces
from dpbandits.plan import batches, costs

PAPERS = {name: studies.load(ROOT / f"config/papers/{name}.yaml") for name in project.PAPERS}
EXPERIMENTS = [experiment for paper in PAPERS.values() for experiment in paper.experiments.values()]


def all_seconds(experiment, policy):
    return experiment.policy(policy).runs * costs.seconds_per_run(experiment.spec(policy, 1))


def test_every_simulated_policy_is_in_one_batch_with_its_own_parameters():
    for experiment in EXPERIMENTS:
        found = batches.batches(experiment, 1)
        members = [policy for batch in found for policy in batch.policies]
        assert sorted(members) == sorted(policy.id for policy in experiment.policies)
        assert len({batch.id for batch in found}) == len(found)
        for batch in found:
            series = {}
            for policy in batch.policies:
                alone = experiment.spec(policy, 1)
                assert {**batch.spec, "policy": policy, "series": alone["series"]} == alone
                series |= alone["series"]
            assert batch.spec["series"] == series


def test_what_takes_long_has_jobs_of_its_own():
    shared = [(e, batch) for e in EXPERIMENTS for batch in batches.batches(e, 1) if len(batch.policies) > 1]
    assert shared
    for experiment, batch in shared:
        seconds = [batch.block * costs.seconds_per_run(experiment.spec(policy, 1)) for policy in batch.policies]
        assert max(seconds) <= batches.SHORT
        assert sum(seconds) <= batches.TOGETHER
    longest = max(EXPERIMENTS, key=lambda e: max(all_seconds(e, p.id) for p in e.policies))
    policy = max(longest.policies, key=lambda p: all_seconds(longest, p.id)).id
    assert [b.id for b in batches.batches(longest, 1) if policy in b.policies] == [policy]


def test_a_log_is_drawn_once_for_all_policies():
    """Drawing a log takes longer than most policies on it; two logs of all policies make one job."""
    paper = PAPERS["mishra2015"]
    for experiment in paper.experiments.values():
        if experiment.environment["kind"] == "news":
            (batch,) = batches.batches(experiment, 1)
            assert batch.block == 2


def test_a_few_jobs_do_it_all():
    jobs = [math.ceil(batch.runs / batch.block) for e in EXPERIMENTS for batch in batches.batches(e, 1)]
    assert 100 < sum(jobs) <= 275


def test_a_policy_that_is_to_stay_apart_changes_no_other_batch_but_the_one_that_it_leaves():
    experiment = PAPERS["azize2022"].experiments["fig5a"]
    together = {batch.id: batch.policies for batch in batches.batches(experiment, 1)}
    guest = next(policies for policies in together.values() if len(policies) > 1)[0]
    apart = {batch.id: batch.policies for batch in batches.batches(experiment, 1, apart=[guest])}
    assert apart.pop(guest) == (guest,)
    assert apart == {name: tuple(p for p in policies if p != guest) for name, policies in together.items()}


@pytest.mark.parametrize("paper", ["tossou2016", "tossou2017", "azize2022"])
def test_a_run_is_the_same_alone_and_in_company(paper, tmp_path):
    smoke = studies.load(ROOT / f"config/papers/{paper}.yaml", "smoke")
    experiment = next(iter(smoke.experiments.values()))
    for batch in batches.batches(experiment, 1):
        path = tmp_path / f"{batch.id}.npz"
        traces.write(path, simulation.simulate(batch.spec, 0, 1))
        for policy in batch.policies:
            alone = simulation.simulate(experiment.spec(policy, 1), 0, 1)
            part = traces.read_blocks([path], batch.spec, list(alone.header["series"]))
            assert list(part.header["series"]) == list(alone.header["series"])
            assert np.array_equal(part.values["regret"], alone.values["regret"])


def test_a_slow_guest_is_announced(monkeypatch):
    spec = PAPERS["azize2022"].experiments["fig2"].spec("dp-ucb", 1)
    long = batches.Batch("slow", ("slow",), spec, 6000, 6000)
    minutes = 6000 * costs.seconds_per_run(spec) / 60
    assert 5 < minutes < 90
    assert batches.times_of(["slow", "quick"], [(long, 6000)]) == [
        f"guest slow: about {minutes:.0f} minutes of computing time"
    ]
    monkeypatch.setattr(costs, "is_compiled", lambda module: not module.__name__.endswith(".private_ucb"))
    message = batches.times_of(["slow"], [(long, 150_000), (long, 150_000)])[0]
    assert re.search(r"about \d+\.\d hours of computing time; with @kernel a policy takes a hundredth$", message)
