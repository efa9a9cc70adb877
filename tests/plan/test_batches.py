"""Which policies share a simulate job."""

import numpy as np
import pytest
from project import all_papers, study_of

from dpbandits import files
from dpbandits.plan.batches import FEW_ROUNDS, batches

EXPERIMENTS = [
    experiment for paper in all_papers().values() for experiment in paper.experiments.values()
]


def simulation_of(batch):
    return batch.experiment.simulation(batch.ids, 1, batch.policies)


def members_of(batch, experiment):
    return [experiment.policies[id] for id in batch.ids]


def test_every_policy_is_in_one_batch_with_its_own_parameters():
    for experiment in EXPERIMENTS:
        all_batches = list(batches(experiment))
        series = [id for batch in all_batches for id in simulation_of(batch).policies]
        assert sorted(series) == sorted(experiment.series)
        assert len({batch.policies for batch in all_batches}) == len(all_batches)
        for batch in all_batches:
            for policy in members_of(batch, experiment):
                alone, header = (
                    experiment.simulation([policy.id], 1).header,
                    simulation_of(batch).header,
                )
                assert {**header, "name": policy.id, "series": alone["series"]} == alone
                assert alone["series"].items() <= header["series"].items()
                assert policy.runs == batch.chunks[-1][1] + 1


def test_a_policy_that_plays_many_rounds_has_jobs_of_its_own():
    """But for policies on a log, which is drawn once for all of them."""
    for experiment in EXPERIMENTS:
        for batch in batches(experiment):
            runs, members = batch.chunks[0][1] + 1, members_of(batch, experiment)
            rounds = [runs * len(policy.series) * experiment.design.horizon for policy in members]
            on_a_log = experiment.environment["kind"] == "news"
            assert len(members) == 1 or on_a_log or max(rounds) <= FEW_ROUNDS


@pytest.mark.parametrize("paper", ["tossou2016", "tossou2017", "azize2022"])
def test_a_run_is_the_same_alone_and_in_company(paper, tmp_path):
    experiment = next(iter(study_of(paper, "smoke").experiments.values()))
    for batch in batches(experiment):
        path = tmp_path / f"{batch.policies}.npz"
        files.write(path, simulation_of(batch).run(0, 1))
        for policy in members_of(batch, experiment):
            alone = experiment.simulation([policy.id], 1).run(0, 1)
            header, series = simulation_of(batch).header, list(alone.header["series"])
            part = files.read_chunks({path: (0, 1)}, header, series)
            assert list(part.header["series"]) == series
            assert np.array_equal(part.values["regret"], alone.values["regret"])
