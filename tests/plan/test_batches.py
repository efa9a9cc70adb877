"""Which policies share a simulate job."""

import numpy as np
import pytest
from project import ROOT, all_papers, study_of

from dpbandits import files, simulation
from dpbandits.plan.batches import FEW, batches
from dpbandits.plan.plan import Plan
from dpbandits.studies import strict_yaml

PAPERS = all_papers()
EXPERIMENTS = [experiment for paper in PAPERS.values() for experiment in paper.experiments.values()]


def test_every_policy_is_in_one_batch_with_its_own_parameters():
    for experiment in EXPERIMENTS:
        found = batches(experiment, 1)
        members = [policy for batch in found for policy in batch.policies]
        assert sorted(members) == sorted(experiment.policies)
        assert len({batch.id for batch in found}) == len(found)
        for batch in found:
            series = {}
            for policy in batch.policies:
                alone = experiment.spec(policy, 1)
                assert {**batch.spec, "policy": policy, "series": alone["series"]} == alone
                series |= alone["series"]
            assert batch.spec["series"] == series


def test_what_plays_many_rounds_has_jobs_of_its_own():
    """But for policies on a log, which is drawn once for all of them."""
    for experiment in EXPERIMENTS:
        for batch in batches(experiment, 1):
            members = [experiment.policies[policy] for policy in batch.policies]
            rounds = [batch.block * len(policy.series) * experiment.design.horizon for policy in members]
            on_a_log = experiment.environment["kind"] == "news"
            assert len(members) == 1 or on_a_log or max(rounds) <= FEW
            assert batch.rounds == sum(rounds)
            assert not on_a_log or {policy.runs for policy in members} == {batch.runs}


def test_a_few_jobs_do_it_all():
    """At the papers' scale, the arena's included."""
    plan = Plan(strict_yaml.read_yaml(ROOT / "config/config.yaml"), ROOT / "config")
    assert 100 < sum(len(plan.traces_of(name)) for name in plan.batches) <= 373


@pytest.mark.parametrize("paper", ["tossou2016", "tossou2017", "azize2022"])
def test_a_run_is_the_same_alone_and_in_company(paper, tmp_path):
    smoke = study_of(paper, "smoke")
    experiment = next(iter(smoke.experiments.values()))
    for batch in batches(experiment, 1):
        path = tmp_path / f"{batch.id}.npz"
        files.write_trace(path, simulation.simulate(batch.spec, 0, 1))
        for policy in batch.policies:
            alone = simulation.simulate(experiment.spec(policy, 1), 0, 1)
            part = files.read_chunks([path], batch.spec, list(alone.header["series"]))
            assert list(part.header["series"]) == list(alone.header["series"])
            assert np.array_equal(part.values["regret"], alone.values["regret"])
