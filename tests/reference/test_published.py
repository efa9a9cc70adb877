"""How far the curves of the last full run are from those that the authors drew, in reference/published/."""

import pandas as pd
import pytest
from reference_tables import REFERENCE

DISTANCES = {
    (row["paper"], row["figure"], row["series"]): row
    for row in pd.read_csv(REFERENCE / "distances.csv").to_dict("records")
}
# The largest permitted median and largest difference, relative to the drawn points. NCB in Figure 1b of sarkar2025 is so low that
# the error of the scale alone is 5% in the median; GDP-NCB in Figure 1a is noisy from round to round. Both AdaP curves of azize2022's
# Figure 2 are those of a single schedule of episodes, where ours are means over 1,000 runs; AdaP-UCB's steps between our 195 recorded
# rounds add .0066. The other limits are the larger of the distances that two sets of random numbers gave, plus their difference.
USUAL = (0.02, 0.04)
OTHERS = {
    ("sarkar2025", "fig1a", "gdp-ncb"): (0.02, 0.152),
    ("sarkar2025", "fig1b", "ncb"): (0.05, 0.08),
    ("azize2022", "fig2", "dp-se"): (0.051, 0.051),
    ("azize2022", "fig2", "adap-ucb"): (0.085, 0.187),
    # One run was drawn, not a mean; docs/readings/azize2022.md compares its path with those of single runs.
    ("azize2022", "fig2", "adap-klucb"): (0.28, 0.36),
    ("azize2022", "fig3", "adap-klucb-by-eps"): (0.01, 0.145),
}


@pytest.mark.parametrize("curve", DISTANCES, ids="/".join)
def test_a_curve_is_drawn_as_published(curve):
    median, largest = OTHERS.get(curve, USUAL)
    assert DISTANCES[curve]["points"] > 50
    assert DISTANCES[curve]["median"] <= median
    assert DISTANCES[curve]["largest"] <= largest


def test_every_curve_that_is_known_as_numbers_is_compared():
    known = set()
    for file in sorted((REFERENCE / "published").glob("*/*.csv")):
        series = pd.read_csv(file, dtype=str)["series"].dropna()
        known |= {(file.parent.name, file.stem, name) for name in series}
    assert set(DISTANCES) == known
    assert set(OTHERS) <= known
