"""Every policy has one colour and one marker; no two curves of a panel look alike."""

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from figures.toys import series
from project import all_papers, study_of

from dpbandits import looks as names
from dpbandits.figures import arena, colours
from dpbandits.parameters import declared
from dpbandits.policies import POLICIES
from dpbandits.studies.drawn_points import line_of

PAPERS = all_papers()
ARENA = study_of("arena").arena
ALIKE = [{"adap_ucb", "adap_ucb_as_drawn"}, {"ldp_ucb", "ldp_ucb_clipped"}]


def test_every_policy_has_a_look_of_its_own():
    """A row names a policy, or a policy and a value of one of its parameters."""
    found = defaultdict(set)
    for row, look in colours.LOOKS.items():
        policy, *value = row.split()
        assert names.valid(look) == look
        assert {each.split("=")[0] for each in value} <= {*declared(POLICIES.find(policy))}
        found[look].add(policy.removesuffix("_on_arms"))
    assert {row.split()[0] for row in colours.LOOKS} == {*POLICIES.known}
    assert [policies for policies in found.values() if len(policies) > 1] == ALIKE
    assert {marker for colour, marker in found if colour != "black"}.isdisjoint("hp8")  # like o
    assert {*colours.PALETTE} == {*names.COLOURS}


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_no_two_curves_of_a_panel_look_alike(paper):
    for figure in paper.figures.values():
        for panel in figure.panels:
            experiment = paper.experiments[panel.experiment]
            looks, lines = colours.of_panel(panel, experiment), line_of(panel, experiment)
            assert len({*looks.values()}) == len({*lines.values()}), (figure.id, panel.title)


def test_no_two_policies_of_the_arena_look_alike():
    looks = arena._looks(ARENA)
    shown = {id: (look.colour, look.marker) for id, look in looks.items()}
    assert len({*shown.values()}) == len(shown) > 35
    assert shown.keys() == ARENA.members.keys()
    azize = PAPERS["azize2022"]
    theirs = colours.of_panel(azize.figures["fig2"].panels[0], azize.experiments["fig2"])["dp-ucb"]
    # Its id where tossou2016's DP-UCB plays, too.
    assert shown["dp-ucb-gamma"] == (theirs.colour, theirs.marker)


def contrast(colour):
    """To white, as WCAG 2.1 defines it."""
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    light = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return 1.05 / (light @ [0.2126, 0.7152, 0.0722] + 0.05)


def test_every_colour_can_be_seen_on_white():
    """WCAG 2.1 asks for 3 of graphics (success criterion 1.4.11)."""
    assert min(map(contrast, [*colours.PALETTE.values(), *colours.UNNAMED])) >= 3


@pytest.mark.parametrize(("algorithm", "colour"), [("gdp_ncb", "pink"), ("dp_se", "green")])
def test_a_sweep_has_shades_from_light_to_dark(algorithm, colour):
    sweep = [series(f"a-{n}", algorithm, "a", epsilon=1.0) for n in range(6)]
    own = {each.id: colours.of_series(each) for each in sweep}
    looks = [*colours.looks(own).values()]
    shades = [contrast(look.colour) for look in looks]
    assert all(darker > 1.1 * lighter for lighter, darker in pairwise(shades))
    assert len({look.marker for look in looks}) == 6
    (alone,) = colours.looks({"alone": own["a-0"]}).values()
    assert looks[0] == alone
    assert alone.colour == colours.PALETTE[colour]


def test_a_policy_without_a_row_has_a_look_that_is_stable_and_nobody_elses():
    """But a guest has the look that it asks for."""
    own = {f"m{n:02}": colours.of_policy(f"m{n:02}", {}) for n in range(30)}
    looks = colours.looks(own)
    assert len({*looks.values()}) == 30
    assert {look.colour for look in looks.values()}.isdisjoint(colours.PALETTE.values())
    assert own["m07"] == colours.of_policy("m07", {"epsilon": 1.0})
    guest = replace(series("mine"), look=("sky", "h"))
    assert colours.of_series(guest) == (colours.PALETTE["sky"], "h")
