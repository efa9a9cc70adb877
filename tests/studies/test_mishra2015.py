"""mishra2015: the experimental section as a file."""

from playing import FIVE
from project import ROOT

from dpbandits import studies


def test_the_paper_scale_of_figure_1():
    """One reading; the constants change with epsilon, which alone names the series."""
    paper = studies.load(ROOT / "config/papers/mishra2015.yaml")
    assert {experiment.readings for experiment in paper.experiments.values()} == {("",)}
    for base, policy, parameter in (("fig1a", "private-ucb", "relax_c"), ("fig1b", "private-thompson", "explore_c")):
        experiment = paper.experiments[base]
        assert (experiment.design.horizon, experiment.design.runs) == (10**5, 1500)
        assert experiment.environment["means"] == FIVE
        private = experiment.policy(policy).series
        assert [s.id for s in private] == [f"{policy}-{epsilon}" for epsilon in ("0.1", "0.5", "1", "2", "10")]
        assert [s.parameters["epsilon"] for s in private] == [0.1, 0.5, 1, 2, 10]
        assert len({s.parameters[parameter] for s in private}) > 1
        assert 50_000 in experiment.design.rounds


def test_a_tuned_constant_is_in_its_grid():
    """The grid's experiments have names of their own, so that its random numbers are not those of Figure 1."""
    paper = studies.load(ROOT / "config/papers/mishra2015.yaml")
    for base, policy, grid, parameter in (
        ("fig1a", "private-ucb", "ucb-by-c", "relax_c"),
        ("fig1b", "private-thompson", "thompson-by-m", "explore_c"),
        ("s-interval", "private-ucb1-interval", "ucb1-by-c", "relax_c"),
    ):
        for series in paper.experiments[base].policy(policy).series:
            (tuning,) = [
                e
                for id, e in paper.experiments.items()
                if id.startswith("s-tuning-")
                and e.series[f"{grid}-0"].parameters["epsilon"] == series.parameters["epsilon"]
            ]
            tried = {s.parameters[parameter]: s for s in tuning.policy(grid).series}
            assert tried[series.parameters[parameter]].parameters == series.parameters
            assert tried[series.parameters[parameter]].algorithm == series.algorithm
