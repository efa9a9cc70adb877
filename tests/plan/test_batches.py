"""Which policies share a simulate job."""

import numpy as np
import pytest
from project import ROOT, all_papers, study_of

from dpbandits import files, simulation
from dpbandits.plan.batches import FEW, batches, rounds_of
from dpbandits.plan.plan import Plan
from dpbandits.studies import strict_yaml

PAPERS = all_papers()
EXPERIMENTS = [experiment for paper in PAPERS.values() for experiment in paper.experiments.values()]


def members_of(batch, experiment):
    return [
        policy
        for policy in experiment.policies.values()
        if policy.series[0].id in batch[0]["spec"]["series"]
    ]


def test_every_policy_is_in_one_batch_with_its_own_parameters():
    for experiment in EXPERIMENTS:
        found = list(batches(experiment, 1))
        assert sorted(id for batch in found for id in batch[0]["spec"]["series"]) == sorted(
            experiment.series
        )
        assert len({batch[0]["spec"]["policy"] for batch in found}) == len(found)
        for batch in found:
            for policy in members_of(batch, experiment):
                alone, spec = experiment.spec(policy.id, 1), batch[0]["spec"]
                assert {**spec, "policy": policy.id, "series": alone["series"]} == alone
                assert all(spec["series"][id] == each for id, each in alone["series"].items())
                assert policy.runs == batch[-1]["last"] + 1


def test_what_plays_many_rounds_has_jobs_of_its_own():
    """But for policies on a log, which is drawn once for all of them."""
    for experiment in EXPERIMENTS:
        for batch in batches(experiment, 1):
            members = members_of(batch, experiment)
            block = batch[0]["last"] + 1
            rounds = [block * len(policy.series) * experiment.design.horizon for policy in members]
            on_a_log = experiment.environment["kind"] == "news"
            assert len(members) == 1 or on_a_log or max(rounds) <= FEW
            assert rounds_of(batch[0]) == sum(rounds)


def test_a_few_jobs_do_it_all():
    """At the papers' scale, the arena's included."""
    plan = Plan(strict_yaml.read_yaml(ROOT / "config/config.yaml"), ROOT / "config")
    assert 100 < len(plan.traces) <= 373


@pytest.mark.parametrize("paper", ["tossou2016", "tossou2017", "azize2022"])
def test_a_run_is_the_same_alone_and_in_company(paper, tmp_path):
    smoke = study_of(paper, "smoke")
    experiment = next(iter(smoke.experiments.values()))
    for batch in batches(experiment, 1):
        spec = batch[0]["spec"]
        path = tmp_path / f"{spec['policy']}.npz"
        files.write(path, simulation.simulate(spec, 0, 1))
        for policy in members_of(batch, experiment):
            alone = simulation.simulate(experiment.spec(policy.id, 1), 0, 1)
            part = files.read_chunks([path], spec, list(alone.header["series"]))
            assert list(part.header["series"]) == list(alone.header["series"])
            assert np.array_equal(part.values["regret"], alone.values["regret"])
