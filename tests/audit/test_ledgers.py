"""The ledgers beside the noise that the kernels draw: equal wherever a short game attains the worst case.

A `privacy` function says what a release costs; here the cost is added up from the scales that a kernel gives to the
generator. A kernel with too much or too little noise, or a ledger that books a release twice or not at all, differs.
"""

import math
from dataclasses import replace

import pytest
from project import PAPERS, ROOT

from dpbandits import studies
from dpbandits.algorithms.arms import gdp_ncb, private_thompson
from dpbandits.audit import lower_bounds, players, tape
from dpbandits.kernels.streams import stream
from dpbandits.privacy.releases import Setting

LOADED = studies.load_all(ROOT / "config/papers", "smoke")


def with_a(tap):
    """Every mechanism of the papers that has this tap."""
    found = {}
    for paper in PAPERS:
        for entry, mechanism in lower_bounds.policies(LOADED[paper].experiments.values()):
            if tap in lower_bounds.taps_of(mechanism):
                found.setdefault(mechanism, f"{paper}-{entry['policy']}-{len(found)}")
    return {"argvalues": found, "ids": found.values()}


def worst_case(mechanism, epsilon, given):
    """Games that attain the worst case, how many to play on each pair of inputs, and how much of the ledger it costs."""
    if (
        mechanism.algorithm == "private_thompson"
    ):  # after 127 more the first pulls, one leaf, are in all nodes of a path
        setting = private_thompson.after_first_pulls(epsilon, 1, 127, **given)
        return [replace(setting, backgrounds=("zeros",), canaries=(1,))], 8, 1
    if given.get("private_mean") == "in_test":  # Phase I ends after two rounds, and with it the first releases
        shorter = gdp_ncb.short_phase1(epsilon, 16, given["c"])
        return [Setting(1, 16, ("ones",), (1,), changes=shorter)], 8, 1
    settings = mechanism.settings(epsilon).releases
    if given.get("redraw_noise"):  # an arm stays at one number of pulls for all rounds in few games
        return settings, 10_000, 1
    # Where the context is the article's, a visit that is changed changes the six sums of its click.
    return settings, 8, 6 / 27 if given.get("context") == "shared_article" else 1


@pytest.mark.parametrize("mechanism", **with_a("release"))
def test_the_noise_that_is_drawn_costs_what_the_ledger_books(mechanism):
    epsilon, given = 1.0 if mechanism.budget else None, dict(mechanism.parameters)
    settings, number, share = worst_case(mechanism, epsilon or 1.0, given)
    kind = tape.KINDS[mechanism.releases(epsilon)]
    for setting in settings:
        player = players.player(
            mechanism.algorithm, mechanism.with_epsilon(epsilon), setting, kind, stream(3, "ledgers")
        )
        for background in setting.backgrounds:
            for canary in setting.canaries:
                player.sample(*setting.rewards(background, canary), canary, number)
        ledger = mechanism.account(setting, epsilon).ledger
        assert player.drawn == pytest.approx(math.inf if ledger is None else share * ledger.basic(), rel=1e-9)


@pytest.mark.parametrize("epsilon", [0.2, 1.0])
@pytest.mark.parametrize("mechanism", **with_a("report"))
def test_the_noise_of_a_report_costs_what_the_ledger_books(mechanism, epsilon):
    losses = []
    for rule in players.reporting_rules(mechanism.algorithm, mechanism.with_epsilon(epsilon)).values():
        record = tape.blank_tape(1, 1, 1)
        rule.report(tape.RecordingGenerator(stream(3, "reports"), record), 1.0)
        losses.append(1 / record.rows[0, tape.SCALE])
    ledger = mechanism.account(Setting(2, 8), epsilon).ledger
    assert max(losses) == pytest.approx(ledger.basic(), rel=1e-9)
