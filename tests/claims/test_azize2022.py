"""The measures of azize2022's claims on curves that are known exactly."""

import math
from dataclasses import replace

import numpy as np
import pytest
from project import ROOT
from recorded import judged

from dpbandits import claims, simulation, studies
from dpbandits.claims.measures import azize2022, general
from dpbandits.files.traces import Trace
from dpbandits.studies import Claim, Design, Experiment, Policy, Series

T = np.array([1, 10, 100, 1000])
MEANS = [0.8, 0.1, 0.1, 0.1, 0.1]


def runs(finals, base="fig1", reading="", along="epsilon", algorithm="adap_klucb", curves=None, spread=0.0):
    """One policy `p` swept over a parameter: finals = {value: regret at T}; or given curves, one policy each."""
    offsets = np.linspace(-spread, spread, 10)[:, None]
    if curves is None:
        curves = {f"p-{value:g}": [0, 0, 0, final] for value, final in finals.items()}
        series = tuple(
            Series(f"p-{value:g}", "p", algorithm, {"alpha": 3.1, along: value}, "p", i)
            for i, value in enumerate(finals)
        )
        policies = (Policy("p", base, series, 10),)
    else:
        given = {"epsilon": 0.5, "alpha": 3.1}
        policies = tuple(Policy(n, base, (Series(n, n, algorithm, given, n, 0),), 10) for n in curves)
    experiment = Experiment(
        id=base + (".corrected" if reading == "corrected" else ""),
        base=base,
        reading=reading,
        paper="toy2020",
        environment={"kind": "bernoulli", "means": MEANS},
        policies=policies,
        design=Design(1000, 10, 5, 10, tuple(T.tolist()), "mean", "sigma"),
    )
    values = {name: np.asarray(curve, float)[None, :] + offsets for name, curve in curves.items()}
    return claims.Runs(experiment, T, values, "mean")


SWEEP = {0.1: 80.0, 0.5: 40.0, 1.0: 10.0, 2.0: 20.0}


def test_range_along_looks_between_its_values():
    value, where, *_ = azize2022.range_along(runs(SWEEP), of=["p"], along="epsilon", least=0.2, most=2)
    assert value == pytest.approx(4.0)
    assert where == "40 at epsilon = 0.5, 10 at epsilon = 1"
    assert azize2022.range_along(runs(SWEEP), of=["p"], along="epsilon", least=0, most=9)[0] == pytest.approx(8.0)


def test_exponent_along_a_parameter():
    """Regret 8/epsilon^0.5 below 4, constant from there on; a constant has exponent 0."""
    it = runs({0.25: 16.0, 1.0: 8.0, 4.0: 4.0, 16.0: 4.0})
    value, where, *_ = general.exponent_along(it, of=["p"], along="epsilon", least=0.25, most=4)
    assert value == pytest.approx(-0.5)
    assert where == "16 at epsilon = 0.25, 4 at epsilon = 4"
    assert general.exponent_along(it, of=["p"], along="epsilon", least=4, most=16)[0] == pytest.approx(0.0, abs=1e-12)


def test_the_smallest_rise():
    value, where, *_ = general.rise(runs(SWEEP), of=["p"], along="epsilon", take="min")
    assert value == pytest.approx(0.25)
    assert where == "from epsilon = 0.5 to 1"


def test_final_over_bound_asks_each_series_for_its_own_parameters():
    """T3 on means .8 and .1: at epsilon = .1 the coefficient is 6.667, from .273 on 2.444."""
    it = runs({0.1: 6.6667 * np.log(1000) * 3, 1.0: 2.44387 * np.log(1000) * 2})
    small = general.over_bound(it, of=["p"], bound="azize2022_theorem_3", take="min")
    large = general.over_bound(it, of=["p"], bound="azize2022_theorem_3")
    assert small[:2] == (pytest.approx(2.0, rel=1e-4), "p-1 against azize2022_theorem_3")
    assert large[:2] == (pytest.approx(3.0, rel=1e-4), "p-0.1 against azize2022_theorem_3")


def test_largest_window():
    """Of a final regret of 20 the window from 10 to 110 holds 12, that from 100 on nothing longer than to itself."""
    it = runs({}, curves={"a": [0, 2, 14, 20]})
    assert azize2022.largest_window(it, of="a", width=0.1, since=0.005)[0] == pytest.approx(12 / 20)
    assert azize2022.largest_window(it, of="a", width=0.1, since=0.05)[0] == 0.0
    assert azize2022.largest_window(it, of="a", width=0.9, since=0.05)[0] == pytest.approx(6 / 20)


def together(*finals):
    return claims.Together(tuple(runs({}, f"fig{i}", curves={"a": [0, 0, 0, it]}) for i, it in enumerate(finals)))


def test_largest_rise_over_experiments():
    value, where, *_ = azize2022.rise_between_experiments(together(100, 50, 60, 10), of=["a"])
    assert value == pytest.approx(1.2)
    assert where == "a, fig2 / fig1"


def test_relative_range_over_experiments():
    assert azize2022.range_over_experiments(together(100, 110, 105), of="a")[:2] == (
        pytest.approx(0.1),
        "a: 100, 110, 105",
    )


def test_crossing_of_the_example():
    value, where, *_ = azize2022.crossing_of_example(runs(SWEEP), number_of_arms=100, horizon=10**6)
    assert value == pytest.approx(0.002051, abs=5e-7)
    assert where.startswith("0.04828 with the constants exchanged")


def test_a_claim_on_several_experiments_is_judged_once_a_reading():
    """fig1 has two readings, fig2 one: the published verdict is on (fig1, fig2), the corrected on (fig1.corrected, fig2)."""
    its = [
        runs({}, "fig1", "published", curves={"a": [0, 0, 0, 100]}, spread=1),
        runs({}, "fig1", "corrected", curves={"a": [0, 0, 0, 200]}, spread=1),
        runs({}, "fig2", curves={"a": [0, 0, 0, 150]}, spread=1),
    ]
    traces = {it.experiment.id: [Trace({"series": {"a": {}}}, T, {"regret": it.values["a"][None]})] for it in its}
    sentence = Claim(
        "D5",
        "says",
        "source",
        ("fig1", "fig2"),
        "mean",
        "rise_between_experiments",
        {"of": ["a"]},
        {"at_most": 1},
        {},
        together=True,
    )
    # The order of the claim counts, not that of the paper file.
    table = judged([sentence], [it.experiment for it in reversed(its)], traces)
    table = table.sort_values("reading", ascending=False)
    assert table["reading"].tolist() == ["published", "corrected"]
    assert table["experiment"].tolist() == ["fig1 fig2", "fig1 fig2"]
    assert table["verdict"].tolist() == ["fails", "holds"]
    assert table["value"].tolist() == pytest.approx([1.5, 0.75])


def test_a_claim_may_name_a_policy_for_all_its_series():
    it = runs(SWEEP)
    assert it.finals(["p"]) == {f"p-{value:g}": final for value, final in SWEEP.items()}
    assert it.finals(["p-0.5"]) == {"p-0.5": 40.0}
    assert simulation.make_environment(it.experiment.environment).gaps == pytest.approx(it.means.max() - it.means)


def claim_of_the_paper(id):
    paper = studies.load(ROOT / "config/papers/azize2022.yaml")
    return next(claim for claim in paper.claims if claim.id == id)


@pytest.mark.parametrize(("later", "verdict"), [(100, "fails"), (95, "fails"), (80, "holds")])
def test_a_regret_that_does_not_depend_on_epsilon_is_not_smaller_at_epsilon_1(later, verdict):
    """D5 compares the first and the last panel; the same regret in both fails it."""
    its = [
        runs({}, name, curves={p: [0, 0, 0, final] for p in ("adap-ucb", "adap-klucb", "dp-ucb")}, spread=1)
        for name, final in (("fig4a", 100), ("fig4d", later))
    ]
    row = claims.judge(claim_of_the_paper("D5-c1"), claims.Together(tuple(its)), 1)
    assert row["verdict"] == verdict


@pytest.mark.parametrize(("id", "verdicts"), [("D8", ["holds", "fails"]), ("D8-printed", ["fails", "holds"])])
def test_the_caption_of_figure_3_and_its_sentence_exclude_each_other(id, verdicts):
    """A regret like 1/epsilon below 0.3, and one that does not depend on epsilon there."""
    epsilons = (0.05, 0.1, 0.2, 0.3)
    for finals, verdict in zip(
        ({e: 1000 / e for e in epsilons}, dict.fromkeys(epsilons, 1000.0)), verdicts, strict=True
    ):
        it = runs(finals, "fig3", spread=10)
        claim = claim_of_the_paper(id)
        row = claims.judge(replace(claim, arguments={**claim.arguments, "of": ["p"]}), it, 1)
        assert row["verdict"] == verdict


def test_a_first_reward_without_noise_is_not_private():
    paper = studies.load(ROOT / "config/papers/azize2022.yaml")
    experiment = paper.experiments["s-first-rewards-d"]
    row = claims.judge(claim_of_the_paper("D16-first-rewards"), claims.Runs(experiment, T, {}, "mean"), 1)
    assert (row["value"], row["verdict"]) == (math.inf, "fails")
    noisy = general.privacy_spent(claims.Runs(experiment, T, {}, "mean"), of="klucb-as-defined")
    assert noisy[0] == 1
