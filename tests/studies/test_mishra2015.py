"""mishra2015: the experimental section as a file."""

import re

import pytest
from playing import FIVE
from project import ROOT

from dpbandits import studies


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda p: p["environments"]["five-arms"].update(means=[0.5]), "is a single arm; give at least two"),
        (lambda p: p["policies"]["literal-ucb"].update(sweep={"epsilon": [0]}), "epsilon: 0 should be a number above"),
        (lambda p: p["policies"]["private-ucb"]["sweep"].update(relax_c=[0, 0, 0, 0, -1]), "relax_c: -1 should be a number of"),
        (lambda p: p["policies"]["private-ucb"]["sweep"]["relax_c"].pop(), "relax_c has 4 values and epsilon 5"),
        (lambda p: p["policies"]["private-ucb"]["sweep"]["epsilon"].append(0.1), "has 0.1 twice"),
        (lambda p: p["policies"]["literal-ucb"]["parameters"].update(failure_prob=2), "should be a number in (0, 1)"),
        (lambda p: p["experiments"]["fig1a"]["design"].update(horizon=3), "horizon 3 is too short: each of 5 arms"),
        (lambda p: p["experiments"]["fig1a"]["design"].update(columns=["mode"]), "'mode' is not one of median"),
        (
            lambda p: p["sentences"]["S8"]["tests"]["E3-private"]["expect"]["ratio_between_experiments"].update(to=["private-ucbs"]),
            "has no series 'private-ucbs'",
        ),
    ],
)  # fmt: skip
def test_a_wrong_paper_file_is_refused_in_one_line(change, part, refused):
    assert part in refused("mishra2015", change)


NEWS = [
    (lambda p: p["policies"]["lin-ucb"].update(sweep={"delay": [0, 100, 1000, -1]}), "delay: -1 should be a delay of at least 0 events"),
    (lambda p: p["experiments"]["fig2"]["parameters"].update(eps0=0), "eps0: 0 should be a number above 0"),
    (lambda p: p["environments"]["news"].update(live=1), "live: 1 should be a pool of at least 2 articles"),
    (lambda p: p["environments"]["news"].update(articles=20), "articles: 20 should be more than the 20"),
    (lambda p: p["environments"]["news"].update(source="R6A"), "source: 'R6A' must contain the word synthetic"),
    (lambda p: p["environments"]["news"]["match"].pop(), "match: should be 5 rows of 5 numbers"),
    (lambda p: p["experiments"]["fig2"]["design"].update(horizon=19), "horizon 19 is too short a log: the pool has 20 articles"),
    (lambda p: p["policies"]["lin-ts"].setdefault("parameters", {}).update(context="shared_user"), "context: 'shared_user' is not one of shared_product"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "part"), NEWS, ids=[part[:20] for _, part in NEWS])
def test_wrong_news_are_refused_with_their_key(change, part, refused):
    message = refused("mishra2015", change)
    assert part in message
    assert re.search(r"mishra2015\.yaml: (experiments|environments)\.", message)


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
        assert 50_000 in experiment.design.checkpoints


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
