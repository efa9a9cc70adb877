"""What a panel shows: line, band, the paper's own statistic, and the footnote about them."""

from dataclasses import replace
from math import nan, sqrt

import pytest
from project import study_of

from dpbandits.figures import curves
from dpbandits.figures.bands import NAMES, Part, footnote
from figures import toys

GINI = "; band: Gini's mean differences"
MEDIAN = "50 runs; line: median of means of 5 groups"
NASH = {"quantity": "nash_regret"}
ERROR = 2 * 0.5 / sqrt(50)
SHOWN = [  # design, panel, estimator, [lower, line, upper, beside], footnote
    ({}, {}, "default", [0.9, 1, 1.2, 1.3], MEDIAN + GINI),
    ({"groups": 1}, {}, "default", [0.9, 1, 1.2, nan], "50 runs; line: mean" + GINI),
    (
        {"band": "errors"},
        {"judged": True},
        "default",
        [1 - ERROR, 1, 1 + ERROR, 1.3],
        f"{MEDIAN}; band: two standard errors\nchecks judge the mean",
    ),
    ({"band": "range"}, {}, "default", [0.5, 1, 2, 1.3], MEDIAN + "; band: range of the runs"),
    ({}, {}, "paper", [nan, 1.3, nan, nan], "50 runs; line: mean"),
    (
        {"statistic": "mean_std", "runs_of_paper": 20},
        {"judged": True},
        "paper",
        [0.8, 1.2, 1.6, nan],
        "20 runs; line: mean; band: standard deviation",
    ),
    (
        {"statistic": "median_of_means", "runs_of_paper": 20},
        {},
        "paper",
        [0.9, 1, 1.2, nan],
        MEDIAN + GINI,
    ),
    (
        {"runs_of_paper": 20},
        {"column": "locked_in"},
        "paper",
        [nan, 0.6, nan, nan],
        f"50 runs; line: {NAMES['locked_in']}",
    ),
    (
        NASH,
        {"judged": True},
        "default",
        [0.6, 0.9, 1.3, 1.1],
        f"50 runs; line: Nash regret, median of means of 5 groups{GINI}\n"
        "checks judge the Nash regret",
    ),
    (
        NASH,
        {},
        "paper",
        [1.08, 1.1, 1.12, nan],
        "50 runs; line: Nash regret; band: two standard errors",
    ),
]


def note(*parts, reading="", remarks=()):
    return footnote(parts, reading, curves.WORDS, remarks)


@pytest.mark.parametrize(("design", "panel", "estimator", "sides", "says"), SHOWN)
def test_line_band_and_footnote_follow_from_the_design(design, panel, estimator, sides, says):
    played = toys.experiment(toys.series("a"), **design)
    numbers = toys.summary(
        played,
        mean=1.3,
        locked_in=0.6,
        mean_of_paper=1.2,
        std_of_paper=0.4,
        nash_regret=1.1,
        nash_regret_error=0.01,
        nash_median_of_means=0.9,
        nash_gmd_below=0.3,
        nash_gmd_above=0.4,
    )
    part = Part(toys.panel(played, **panel), played, numbers, estimator, {})
    end = part.with_band(numbers, by="policy").iloc[-1]
    shown = end[["lower", "centre", "upper", "beside"]] / toys.END
    assert [*shown] == pytest.approx(sides, nan_ok=True)
    assert note(part) == says


@pytest.mark.parametrize(("mean", "is_far"), [(1.04, False), (1.06, True), (0.94, True)])
def test_a_mean_is_shown_beside_a_line_that_is_5_percent_away_at_a_late_round(mean, is_far):
    numbers = toys.summary()
    numbers.loc[numbers["t"] < 1000, "mean"] *= 2
    is_late = (numbers["policy"] == "b") & (numbers["t"] == 1000)
    numbers.loc[is_late, "mean"] = mean * numbers["median_of_means"]
    rows = Part(toys.panel(), toys.PLAYED, numbers, "default", {}).with_band(numbers, "policy")
    shown = rows[rows["beside"].notna()]
    assert shown["policy"].tolist() == ["b"] * 5 * is_far
    assert shown["beside"].tolist() == numbers["mean"][shown.index].tolist()


OF_PAPERS = [  # paper, figure, estimator, the first line of its footnote
    (
        "azize2022",
        "fig2",
        "default",
        "20 to 1,000 runs; line: median of means of 25 groups or mean of 20 runs",
    ),
    (
        "tossou2017",
        "s-feedback",
        "paper",
        "48 to 720 runs; line: median of means of 6 to 24 groups",
    ),
    (
        "sarkar2025",
        "fig1a",
        "default",
        "10 sweeps of 50 games; line: Nash regret, mean",
    ),
]


def note_of(paper, figure, estimator="default"):
    """The footnote of a paper's figure."""
    study = study_of(paper)
    figure = study.figures[figure]
    played = [study.experiments[p.experiment].in_reading(figure.reading) for p in figure.panels]
    pairs = zip(figure.panels, played, strict=True)
    return note(*(Part(*each, None, estimator, {}) for each in pairs))


@pytest.mark.parametrize(("paper", "figure", "estimator", "says"), OF_PAPERS)
def test_a_footnote_joins_the_runs_and_statistics_of_all_policies(paper, figure, estimator, says):
    assert note_of(paper, figure, estimator).splitlines()[0] == says + GINI


def test_a_footnote_says_once_what_several_panels_remark_with_what_each_adds():
    part = Part(toys.panel(), toys.PLAYED, None, "default", {})
    remarks = [("circles", ""), ("0 (zero)", ""), *(("circles", each) for each in "aba")]
    says = f"{MEDIAN}{GINI}\nread; circles (a; b); 0 (zero)"
    assert note(part, part, reading="read", remarks=remarks) == says


def test_a_footnote_names_the_log_our_reconstruction_and_policies_above_their_promise():
    environment = {"kind": "news_log", "source": "Yahoo! R6A", "tables": "tables.npz", "live": 9}
    of = {"b": replace(toys.PLAYED.policies["b"], reconstructed=["published"])}
    played = replace(toys.PLAYED, environment=environment, policies=of, reconstructed="its log")
    part = Part(toys.panel(played, labels={"b": "B"}), played, None, "default", {})
    assert part.label("b") == "B ∗"
    says = (
        "Yahoo! R6A (the same log in all runs); ∗ our reconstruction; our reconstruction: its log"
    )
    assert note(part).splitlines()[1] == says
    says = "the ledger adds up to more than the promise (GDP-NCB; LDP-NCB)"
    infinite = note_of("sarkar2025", "fig1b")
    assert says in infinite
    assert "not private (AdaP-UCB)" in infinite
    assert "promise" not in note_of("sarkar2025", "fig1b.corrected")
