"""mishra2015: the experimental section as a file."""

import copy

import pytest
import yaml
from playing import FIVE
from project import ROOT

from dpbandits import studies
from dpbandits.errors import InputError
from dpbandits.plan import checking

PAPER = yaml.safe_load((ROOT / "config/papers/mishra2015.yaml").read_text())


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda p: p["environments"]["five-arms"].update(means=[0.5]), "is a single arm; give at least two"),
        (lambda p: p["policies"]["private-ucb"].update(sweep={"epsilon": [0]}), "epsilon: 0 should be a number above"),
        (lambda p: p["policies"]["private-ucb"]["published"].update(relax_c=-1), "relax_c: -1 should be a number of"),
        (lambda p: p["policies"]["literal-ucb"]["parameters"].update(failure_prob=2), "should be a number in (0, 1)"),
        (lambda p: p["experiments"]["fig1a"]["design"].update(horizon=3), "horizon 3 is too short: each of 5 arms"),
        (lambda p: p["experiments"]["fig1a"]["design"].update(columns=["mode"]), "'mode' is not one of median"),
        (lambda p: p["experiments"]["s-budget"]["design"].update(columns=[]), "does not ask for 'locked_in'; add design"),
        (lambda p: p["claims"]["E3-private"].pop("together"), "compares experiments with each other; add together: true"),
        (
            lambda p: p["claims"]["E3-private"]["measure"]["ratio_between_experiments"].update(to=["private-ucbs"]),
            "has no series 'private-ucbs'",
        ),
    ],
)  # fmt: skip
def test_a_wrong_paper_file_is_refused_in_one_line(change, part, tmp_path):
    content = copy.deepcopy(PAPER)
    change(content)
    path = tmp_path / "mishra2015.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    with pytest.raises(InputError) as refusal:
        checking.check(studies.load(path))
    assert part in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_the_paper_scale_of_figure_1():
    paper = studies.load(ROOT / "config/papers/mishra2015.yaml")
    for base, (algorithm, parameter, published, corrected) in {
        "fig1a": ("private_ucb_tuned", "relax_c", 0, 6),
        "fig1b": ("private_thompson", "explore_c", 0, 15),
    }.items():
        for name, value in ((base, published), (f"{base}.corrected", corrected)):
            experiment = paper.experiments[name]
            assert (experiment.design.horizon, experiment.design.runs) == (10**5, 500)
            assert experiment.environment["means"] == FIVE
            private = [s for s in experiment.series.values() if s.algorithm == algorithm]
            assert [s.parameters["epsilon"] for s in private] == [0.1, 0.5, 1, 2, 10]
            assert {s.parameters[parameter] for s in private} == {value}
            assert 50_000 in experiment.design.checkpoints
