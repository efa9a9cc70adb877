"""Every policy has one colour and one marker; no two curves of a panel look alike."""

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from figures.toys import series
from project import all_papers, study_of

from dpbandits.errors import InputError
from dpbandits.figures import arena, colours
from dpbandits.policies import POLICIES
from dpbandits.policy import ArmsPolicy
from dpbandits.studies.drawn_points import line_of

PAPERS = all_papers()
STUDY = study_of("arena")
ARENA = STUDY.arena
ALIKE = [{"adap_ucb", "adap_ucb_as_drawn"}, {"ldp_ucb", "ldp_ucb_clipped"}]


def test_every_class_names_a_look_of_its_own():
    classes = {name.removesuffix("_on_arms"): POLICIES.find(name) for name in POLICIES.known}
    found = defaultdict(set)
    for name, policy in classes.items():
        look = vars(policy)["look"]
        if not isinstance(look, property):  # which gives each of its variants one
            found[look].add(name)
    assert [names for names in found.values() if len(names) > 1] == ALIKE


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_no_two_curves_of_a_panel_look_alike(paper):
    for figure in paper.figures.values():
        for panel in figure.panels:
            experiment = paper.experiments[panel.experiment]
            looks, lines = colours.of_panel(panel, experiment), line_of(panel, experiment)
            assert len(set(looks.values())) == len(set(lines.values())), (figure.id, panel.title)


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
    known = [*colours.PALETTE.values(), *colours.UNNAMED]
    assert [colour for colour in known if contrast(colour) < 3] == []


@pytest.mark.parametrize(("algorithm", "colour"), [("gdp_ncb", "pink"), ("dp_se", "green")])
def test_a_sweep_has_shades_from_light_to_dark(algorithm, colour):
    sweep = [series(f"a-{n}", algorithm, "a", n, epsilon=1.0) for n in range(6)]
    looks = list(colours.looks(sweep).values())
    shades = [contrast(look.colour) for look in looks]
    assert all(darker > 1.1 * lighter for lighter, darker in pairwise(shades))
    assert len({look.marker for look in looks}) == 6
    (alone,) = colours.looks(sweep[:1]).values()
    assert looks[0] == alone
    assert alone.colour == colours.PALETTE[colour]


class Mine(ArmsPolicy):
    """A policy of a user's, of which several modules have a copy."""


class Inherited(POLICIES.find("dp_se")):
    """A policy of a user's that changes one of ours."""


@pytest.fixture
def unnamed(monkeypatch):
    """A function that makes the series of a class in a module of this name."""
    found = {}
    monkeypatch.setattr(type(POLICIES), "find", lambda self, name: found[name])

    def make(name, of=Mine, **parameters):
        found[name] = of
        return replace(series(name), algorithm=name, parameters=parameters)

    return make


def test_a_class_without_a_look_has_one_that_is_stable_and_nobody_elses(unnamed):
    mine, yours = unnamed("mine"), unnamed("yours")
    inherited = unnamed("changed_dp_se", Inherited, epsilon=1.0)
    looks = colours.looks([yours, mine, inherited])
    assert len({(look.colour, look.marker) for look in looks.values()}) == 3
    assert {look.colour for look in looks.values()}.isdisjoint(colours.PALETTE.values())
    (alone,) = colours.looks([mine]).values()
    assert (alone.colour, alone.marker) == (looks["mine"].colour, looks["mine"].marker)
    many = [unnamed(f"m{n:02}") for n in range(30)]
    assert len(set(colours.looks(many).values())) == 30


@pytest.mark.parametrize(
    ("look", "message"),
    [(("skyy", "o"), "colour 'skyy'; did you mean 'sky'?"), (("sky", "y"), "m")],
)
def test_an_unknown_colour_or_marker_is_refused(look, message, unnamed, monkeypatch):
    monkeypatch.setattr(Mine, "look", look, raising=False)
    with pytest.raises(InputError, match=rf"test_colours\.py: look: unknown {message}"):
        colours.looks([unnamed("mine")])
