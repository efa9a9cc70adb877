"""Which policies share a simulate job."""

import numpy as np
import pytest
from project import all_papers, study_of

from dpbandits import files
from dpbandits.plan.batches import FEW_ROUNDS, batches

OF_EXPERIMENTS = [
    (experiment, [*batches(experiment)])
    for paper in all_papers().values()
    for experiment in paper.experiments.values()
]


def simulation_of(batch):
    return batch.experiment.simulation(batch.ids, 1, batch.policies)


def test_every_policy_is_in_one_batch_with_its_own_parameters():
    for experiment, of_experiment in OF_EXPERIMENTS:
        series = [id for batch in of_experiment for id in simulation_of(batch).policies]
        assert sorted(series) == sorted(experiment.series)
        assert len({batch.policies for batch in of_experiment}) == len(of_experiment)
        for batch in of_experiment:
            header = simulation_of(batch).header
            for id in batch.ids:
                alone = experiment.simulation([id], 1).header
                assert {**header, "name": id, "series": alone["series"]} == alone
                assert alone["series"].items() <= header["series"].items()


def test_a_policy_that_plays_many_rounds_has_jobs_of_its_own():
    """But for policies on a log, which is drawn once for all of them."""
    for experiment, of_experiment in OF_EXPERIMENTS:
        for batch in of_experiment:
            runs = batch.chunks[0][1] + 1
            series = max(len(experiment.policies[id].series) for id in batch.ids)
            rounds = runs * series * experiment.design.horizon
            on_a_log = experiment.environment["kind"] == "news"
            assert len(batch.ids) == 1 or on_a_log or rounds <= FEW_ROUNDS


@pytest.mark.parametrize("paper", ["tossou2016", "tossou2017"])
def test_a_run_is_the_same_alone_and_in_company(paper, tmp_path):
    experiment = next(iter(study_of(paper, "smoke").experiments.values()))
    (batch,) = batches(experiment)
    path, simulation = tmp_path / "together.npz", simulation_of(batch)
    files.write(path, simulation.run(0, 1))
    for id in batch.ids:
        alone = experiment.simulation([id], 1).run(0, 1)
        series = [*alone.header["series"]]
        part = files.read_chunks({path: (0, 1)}, simulation.header, series)
        assert [*part.header["series"]] == series
        assert np.array_equal(part.values["regret"], alone.values["regret"])
