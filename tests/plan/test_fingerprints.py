"""Which edits of the source make a result again."""

import pytest
from project import forget_sources

from dpbandits.plan import fingerprints
from dpbandits.plan.fingerprints import code_of

UCB = "algorithms.arms.private_ucb"
SPEC = {
    "environment": {"kind": "bernoulli"},
    "series": {"private-ucb": {"algorithm": "private_ucb"}},
}


def code():
    return code_of("dpbandits.simulation.simulate", {"spec": SPEC})


@pytest.mark.parametrize(
    ("module", "old", "new", "counts"),
    [
        (UCB, '"""Play one run.', '"""Fast.', False),
        (
            UCB,
            "mu_hat + bonus * width + G * slack",
            "(mu_hat + bonus * width + G * slack)  # an index",
            False,
        ),
        (UCB, "mu_hat + bonus * width + G * slack", "mu_hat + bonus * width + 2 * G * slack", True),
        ("algorithms.arms._index", "t // 64", "t // 65", True),  # which it imports
        ("privacy.ledger", "self.spent <= self.epsilon", "self.spent < self.epsilon", True),
        (
            "environments.arms._rewards",
            "uniform(rng) < self.means[a]",
            "uniform(rng) > self.means[a]",
            True,
        ),
        ("algorithms.arms.ucb", "def ", "def _", False),  # of another policy
        ("figures.style", "import", "import os, ", False),
    ],
)
def test_a_change_of_what_it_runs_simulates_a_policy_again(edit_package, module, old, new, counts):
    before = code()
    edit_package(module, old, new, count=1)
    assert (code() != before) is counts


def test_a_template_of_the_page_counts(edit_package):
    before = code_of("dpbandits.page.site.write", {})
    template = fingerprints._file("dpbandits.page").parent / "templates/page.css"
    template.write_text(template.read_text() + "/* */")
    forget_sources()
    assert code_of("dpbandits.page.site.write", {}) != before
