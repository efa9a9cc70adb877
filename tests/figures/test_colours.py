"""Every algorithm has one colour and one marker; no two curves of a panel look alike."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from figures.toys import series
from project import all_papers, study_of

from dpbandits.figures import arena, colours
from dpbandits.policies import POLICIES

PAPERS = all_papers()
STUDY = study_of("arena")
ARENA = STUDY.arena


def test_every_algorithm_has_a_line_of_its_own():
    shipped = {name.removesuffix("_on_arms") for name in POLICIES.known}
    assert shipped <= {name.split("(")[0] for name in colours.LOOKS}
    named_alike = [{"adap_ucb", "adap_ucb_as_drawn"}, {"ldp_ucb", "ldp_ucb_clipped"}]
    for look in colours.LOOKS.values():
        same = {name for name, other in colours.LOOKS.items() if other == look}
        assert len(same) == 1 or same in named_alike


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_a_policy_has_one_colour_and_marker_in_all_figures_of_its_paper_and_in_the_arena(paper):
    result = {}
    for figure in paper.figures.values():
        for panel in figure.panels:
            experiment = paper.experiments[panel.experiment]
            drawn_series, looks = (
                [experiment.series[name] for name in panel.series],
                colours.of_panel(panel, experiment),
            )
            lines = {
                each.policy if panel.along else each.id: looks[each.id] for each in drawn_series
            }
            assert len(set(lines.values())) == len(lines), (figure.id, panel.title)
            for each in drawn_series:
                same_algorithm = [
                    other for other in drawn_series if other.algorithm == each.algorithm
                ]
                if (
                    panel.along
                    or len({other.policy for other in same_algorithm}) == len(same_algorithm) == 1
                ):  # else it has shades
                    look = looks[each.id]
                    result.setdefault((each.policy, each.algorithm), set()).add(
                        (look.colour, look.marker)
                    )
    assert {policy: looks for policy, looks in result.items() if len(looks) != 1} == {}
    played = {
        policy.id: policy.series[0].algorithm
        for e in STUDY.experiments.values()
        for policy in e.policies.values()
    }
    for policy, look in arena._looks(ARENA).items():
        algorithm = played[policy].removesuffix("_on_arms")
        assert result.get((policy, algorithm), {(look.colour, look.marker)}) == {
            (look.colour, look.marker)
        }


def test_no_two_policies_of_the_arena_look_alike():
    looks = arena._looks(ARENA)
    assert looks.keys() == ARENA.members.keys()
    assert len({(look.colour, look.marker) for look in looks.values()}) == len(looks) > 35
    azize = PAPERS["azize2022"]
    theirs = colours.of_panel(azize.figures["fig2"].panels[0], azize.experiments["fig2"])["dp-ucb"]
    ours = looks["dp-ucb-gamma"]  # its id where tossou2016's DP-UCB plays, too
    assert (ours.colour, ours.marker) == (theirs.colour, theirs.marker)


def contrast(colour):
    """To white, as WCAG 2.1 defines it."""
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    light = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return 1.05 / (light @ [0.2126, 0.7152, 0.0722] + 0.05)


def test_every_colour_can_be_seen_on_white():
    """WCAG 2.1 asks for 3 of graphics (success criterion 1.4.11)."""
    assert {
        look: contrast(look[0]) for look in colours.LOOKS.values() if contrast(look[0]) < 3
    } == {}


@pytest.mark.parametrize("algorithm", ["gdp_ncb", "adap_klucb", "dp_se"])
def test_a_sweep_has_shades_from_light_to_dark(algorithm):
    sweep = [series(f"a-{n}", algorithm, "a", n) for n in range(6)]
    shades = [contrast(look.colour) for look in colours.looks(sweep, sweep).values()]
    assert all(darker > 1.1 * lighter for lighter, darker in pairwise(shades))
    (alone,) = colours.looks(sweep[:1], sweep).values()
    assert (alone.colour, alone.marker) == colours.LOOKS[algorithm]


def test_policies_of_one_algorithm_have_other_shades_and_markers_and_the_first_its_own():
    five = [series(name, "gdp_ncb") for name in "abcde"]
    looks = list(colours.looks(five, five).values())
    assert looks[0] == (colours.PINK, "-", "P")
    assert len({look.colour for look in looks}) == len({look.marker for look in looks}) == 5


def test_an_algorithm_without_a_line_has_a_colour_that_nobody_else_has():
    ours, mine, yours = (series(name, name) for name in ("gdp_ncb", "mine", "yours"))
    looks = colours.looks([ours, yours, mine], [ours, yours, mine])
    assert len({look.colour for look in looks.values()}) == 3
    assert looks["mine"].colour not in {colour for colour, _ in colours.LOOKS.values()}
    assert colours.looks([mine], [mine, ours])["mine"] == looks["mine"]  # in other company, too
    many = [
        replace(mine, name=f"m{n:02}", policy=f"m{n:02}", algorithm=f"m{n:02}") for n in range(30)
    ]
    assert len(set(colours.looks(many, many).values())) == 30
