"""Which edits of the source simulate again, which judge again, and which draw again."""

from functools import cache

import pytest

from dpbandits.plan.fingerprints import fingerprint, fingerprint_of_parts, fingerprint_of_runs

UCB = "algorithms.arms.private_ucb"
MODULES = ("simulation", "environments.arms.bernoulli", UCB)


@cache
def unchanged():
    """The fingerprints of runs and of everything, asked before the first edit."""
    return fingerprint_of_runs(*MODULES), fingerprint(*MODULES)


@pytest.mark.parametrize(
    ("module", "old", "new", "runs", "everything"),
    [
        (UCB, "return Account(epsilon, 0.0,", "return Account(2 * epsilon, 0.0,", False, True),
        (UCB, 'return {"trees": number_of_arms *', 'return {"trees": 2 *', False, True),
        ("algorithms.arms._checks", "if horizon < number_of_arms:", "if horizon <= number_of_arms:", False, True),
        (UCB, '"""Play one run.', '"""Fast.', False, False),
        (UCB, "mu_hat + bonus * width + G * slack", "mu_hat + bonus * width + 2 * G * slack", True, True),
        ("algorithms.arms._index", "t // 64", "t // 65", True, True),
        ("privacy.ledger", "self.spent <= self.epsilon", "self.spent < self.epsilon", True, True),
        ("environments.arms._rewards", "uniform(rng) < self.means[a]", "uniform(rng) > self.means[a]", True, True),
    ],
)
def test_what_an_algorithm_says_beside_its_play_simulates_nothing_again(
    edit_package, module, old, new, runs, everything
):
    """privacy.ledger counts for runs of Private-UCB only through privacy.tree, which noise and account share."""
    before = unchanged()
    edit_package(module, old, new)
    assert (fingerprint_of_runs(*MODULES) != before[0], fingerprint(*MODULES) != before[1]) == (runs, everything)


def test_what_users_report_to_an_audit_simulates_nothing_again(edit_package):
    runs, everything = (function("algorithms.arms.ldp_ucb") for function in (fingerprint_of_runs, fingerprint))
    edit_package("algorithms.arms.ldp_ucb", '"any round"', '"every round"')
    assert fingerprint_of_runs("algorithms.arms.ldp_ucb") == runs
    assert fingerprint("algorithms.arms.ldp_ucb") != everything


def test_what_is_imported_for_an_account_alone_does_not_count(edit_package):
    runs, everything = (
        function("algorithms.arms.adap_ucb_as_drawn") for function in (fingerprint_of_runs, fingerprint)
    )
    of_ldp = fingerprint_of_runs("algorithms.arms.ldp_ucb")
    edit_package("privacy.ledger", "self.spent <= self.epsilon", "self.spent < self.epsilon")
    assert fingerprint("algorithms.arms.adap_ucb_as_drawn") != everything
    assert fingerprint_of_runs("algorithms.arms.ldp_ucb") == of_ldp
    assert runs  # which shares _adaptive_episodes, whose account is a function of its own


def test_a_figure_depends_on_the_bounds_that_it_draws(edit_package):
    def of(*names):
        return fingerprint_of_parts("theory.azize2022", names)

    before, others = of("azize2022_theorem_7"), of("azize2022_theorem_3")
    rest = fingerprint("figures", without=["theory.bounds"])
    edit_package("theory.azize2022", "def azize2022_theorem_7(gaps: np.ndarray, t: int, epsilon: float, alpha: float) -> float:\n",
         "def azize2022_theorem_7(gaps: np.ndarray, t: int, epsilon: float, alpha: float) -> float:\n    epsilon = 2 * epsilon\n")  # fmt: skip
    assert of("azize2022_theorem_7") != before
    assert of("azize2022_theorem_3") == others
    assert fingerprint("figures", without=["theory.bounds"]) == rest
    edit_package(
        "theory.arms",
        "def suboptimal(gaps: np.ndarray) -> np.ndarray:\n",
        "def suboptimal(gaps: np.ndarray) -> np.ndarray:\n    gaps = 1 * gaps\n",
    )
    assert of("azize2022_theorem_3") != others
