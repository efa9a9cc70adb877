"""Which edits of the source make a result again."""

import pytest

from dpbandits.plan.fingerprints import code_of_runs, fingerprint

UCB = "algorithms.arms.private_ucb"
SPEC = {"environment": {"kind": "bernoulli"}, "series": {"private-ucb": {"algorithm": "private_ucb"}}}


@pytest.mark.parametrize(
    ("module", "old", "new", "counts"),
    [
        (UCB, '"""Play one run.', '"""Fast.', False),
        (UCB, "mu_hat + bonus * width + G * slack", "(mu_hat + bonus * width + G * slack)  # an index", False),
        (UCB, "mu_hat + bonus * width + G * slack", "mu_hat + bonus * width + 2 * G * slack", True),
        ("algorithms.arms._index", "t // 64", "t // 65", True),  # which it imports
        ("privacy.ledger", "self.spent <= self.epsilon", "self.spent < self.epsilon", True),
        ("environments.arms._rewards", "uniform(rng) < self.means[a]", "uniform(rng) > self.means[a]", True),
        ("algorithms.arms.ucb", "def ", "def _", False),  # of another policy
        ("figures.style", "import", "import os, ", False),
    ],
)
def test_a_change_of_what_it_runs_simulates_a_policy_again(edit_package, module, old, new, counts):
    before = code_of_runs(SPEC)
    edit_package(module, old, new, count=1)
    assert (code_of_runs(SPEC) != before) is counts


def test_modules_that_do_not_count_hide_what_they_alone_import(edit_package):
    drawn = fingerprint("dpbandits.figures"), fingerprint("dpbandits.figures", without=("dpbandits.theory.bounds",))
    edit_package("theory.azize2022", "d / (6 * gap)", "d / (5 * gap)")
    assert fingerprint("dpbandits.figures") != drawn[0]
    assert fingerprint("dpbandits.figures", without=("dpbandits.theory.bounds",)) == drawn[1]
