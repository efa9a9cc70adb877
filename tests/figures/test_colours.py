"""Every algorithm has one colour and one marker, everywhere; no two lines of a panel look alike."""

from dataclasses import replace
from itertools import pairwise

import pytest
from project import ROOT

from dpbandits import algorithms, studies
from dpbandits.arena import pictures
from dpbandits.figures import colours
from dpbandits.studies.study import Series

PAPERS = studies.load_all(ROOT / "config/papers", "paper")
STUDY = studies.load(ROOT / "config/arena.yaml")
ARENA = STUDY.arena


def drawn(paper):
    """(panel, experiment, series -> look) of all panels of a paper."""
    for figure in paper.figures.values():
        for panel in figure.panels:
            experiment = paper.experiments[panel.experiment]
            if figure.kind == "contrasts":  # every bar has a name and its algorithm's own colour
                each = [colours.looks([experiment.series[name]], experiment.series.values()) for name in panel.series]
                yield panel, experiment, {name: look for looks in each for name, look in looks.items()}
            else:
                looks = colours.of_panel(panel, experiment)
                lines = {experiment.series[name].policy if panel.along else name: looks[name] for name in panel.series}
                assert len({look[:3] for look in lines.values()}) == len(lines), (figure.id, panel.title)
                yield panel, experiment, looks


def test_every_algorithm_has_a_line_of_its_own():
    shipped = {name.removesuffix("_on_arms") for name in algorithms.known()}
    assert shipped <= {name.split("(")[0] for name in colours.LOOKS}
    named_alike = [{"adap_ucb", "adap_ucb_as_drawn"}, {"ldp_ucb", "ldp_ucb_clipped"}]
    for look in colours.LOOKS.values():
        same = {name for name, other in colours.LOOKS.items() if other == look}
        assert len(same) == 1 or same in named_alike


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_a_policy_has_one_colour_and_marker_in_all_figures_of_its_paper_and_in_the_arena(paper):
    found = {}
    for panel, experiment, looks in drawn(paper):
        shown = [experiment.series[name] for name in panel.series]
        for series in shown:
            alike = [other for other in shown if other.algorithm == series.algorithm]
            if panel.along or len({other.policy for other in alike}) == len(alike):  # else it has shades
                look = looks[series.id]
                found.setdefault((series.policy, series.algorithm), set()).add((look.colour, look.marker))
    assert {policy: looks for policy, looks in found.items() if len(looks) != 1} == {}
    played = {policy.id: policy.series[0].algorithm for e in STUDY.experiments.values() for policy in e.policies}
    for policy, look in pictures._looks(ARENA).items():
        algorithm = played[policy].removesuffix("_on_arms")
        assert found.get((policy, algorithm), {(look.colour, look.marker)}) == {(look.colour, look.marker)}


def test_no_two_policies_of_the_arena_look_alike():
    looks = pictures._looks(ARENA)
    assert looks.keys() == {policy for policy, member in ARENA.members.items() if not member.as_printed_of}
    assert len(looks) > 35
    assert len({(look.colour, look.dash) for look in looks.values()}) == len(looks)  # profiles have no markers
    assert len({(look.colour, look.marker) for look in looks.values()}) == len(looks)  # winner maps have no dashes
    others = {"gdp-ncb-code", "adap-klucb-1", "adap-ucb-1", "adac-ucb-proof", "rr-kl-ucb-proof"}
    assert {policy for policy, look in looks.items() if look.order} == others
    azize = PAPERS["azize2022"]
    theirs = colours.of_panel(azize.figures["fig2"].panels[0], azize.experiments["fig2"])["dp-ucb"]
    ours = looks["dp-ucb-gamma"]  # its id where tossou2016's DP-UCB plays, too
    assert (ours.colour, ours.marker) == (theirs.colour, theirs.marker)


def sweep(number, policy="a-by-eps"):
    return [Series(f"{policy}-{n}", "", "gdp_ncb", {}, policy, n) for n in range(number)]


def test_a_sweep_has_shades_from_light_to_dark():
    for number in (2, 4, 6):
        series = sweep(number)
        looks = list(colours.looks(series, series).values())
        lightness = [colours.lightness_of(look.colour) for look in looks]
        assert all(lighter - darker > 9 for lighter, darker in pairwise(lightness))
        assert max(lightness) < 75  # still visible on white
    (alone,) = colours.looks(sweep(1), sweep(4)).values()
    assert (alone.colour, alone.marker) == colours.LOOKS["gdp_ncb"]


def test_policies_of_one_algorithm_have_other_shades_and_the_first_its_own():
    series = [*sweep(1, "a"), *sweep(1, "b"), *sweep(1, "c"), *sweep(1, "d")]
    first, *others = colours.looks(series, series).values()
    assert first[:3] == (colours.PURPLE, "-", "P")
    lightness = [colours.lightness_of(look.colour) for look in (first, *others)]
    assert all(abs(one - other) > 9 for n, one in enumerate(lightness) for other in lightness[:n])


def test_an_algorithm_without_a_line_has_a_colour_that_nobody_else_has():
    ours = sweep(1, "gdp-ncb")[0]
    mine, yours = (replace(ours, id=name, policy=name, algorithm=name) for name in ("mine", "yours"))
    looks = colours.looks([ours, yours, mine], [ours, yours, mine])
    assert len({look.colour for look in looks.values()}) == 3
    assert looks["mine"].colour not in {hue for hue, _ in colours.LOOKS.values()}
    assert colours.looks([mine], [mine, ours])["mine"] == looks["mine"]  # in other company, too
    many = [replace(mine, id=f"m{n:02}", policy=f"m{n:02}", algorithm=f"m{n:02}") for n in range(30)]
    assert len({look[:3] for look in colours.looks(many, many).values()}) == 30


def test_lightness_is_that_of_cie():
    for colour, lightness in (("#000000", 0), ("#777777", 50.03), ("#FF0000", 53.24), ("#FFFFFF", 100)):
        assert colours.lightness_of(colour) == pytest.approx(lightness, abs=0.01)
    for hue in {hue for hue, _ in colours.LOOKS.values()}:
        assert colours.lightness_of(colours.shade(hue, 60)) == pytest.approx(60, abs=0.3)
