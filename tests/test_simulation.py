"""A chunk of runs: which random numbers a run has, and that it has them in any chunk."""

import numpy as np

from dpbandits import algorithms
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.random import stream
from dpbandits.simulation import simulate

SPEC = {
    "paper": "toy2020", "stream": "fig1", "policy": "ucb", "seed": 7, "horizon": 200, "checkpoints": [50, 200],
    "environment": {"kind": "bernoulli", "means": [0.8, 0.6, 0.3], "shuffled": True},
    "series": {"a": {"algorithm": "ucb", "parameters": {}}, "b-1": {"name": "b", "algorithm": "dp_se", "parameters": {"epsilon": 1.0}}},
}  # fmt: skip


def test_a_run_has_the_random_numbers_of_its_name():
    """seed, study, experiment, the series' name and the run's number, from 0; its arms those of the run alone."""
    trace = simulate(SPEC, 3, 5)
    assert trace.header["runs"] == [3, 5]
    assert trace.values["regret"].shape == (2, 3, 2)
    environment = bernoulli(means=[0.8, 0.6, 0.3], shuffled=True)
    for row, (series, entry) in enumerate(SPEC["series"].items()):
        play, name = algorithms.find(entry["algorithm"]).play, entry.get("name", series)
        for place, run in enumerate((3, 4, 5)):
            arms, journal = environment.begin(
                stream(7, "toy2020", "fig1", "environment of", run), 200, np.array([50, 200])
            )
            play(stream(7, "toy2020", "fig1", name, run), arms, 200, journal, **entry["parameters"])
            regret = environment.curves(arms, journal, None)["regret"]
            assert trace.values["regret"][row, place].tolist() == regret.tolist()


def test_runs_do_not_depend_on_their_chunk():
    whole = simulate(SPEC, 0, 6).values["regret"]
    parts = [simulate(SPEC, first, last).values["regret"] for first, last in ((0, 0), (1, 4), (5, 6))]
    assert np.array_equal(np.concatenate(parts, axis=1), whole)
