"""The papers' tables of theorems: the orders as the paper writes them, and what the theorems give on its own example."""

import numpy as np
import pandas as pd

from dpbandits import algorithms, bounds

T, EPSILON, ALPHA = 10_000_000, 1.0, 3.1
MEANS = np.array([0.75, 0.625, 0.5, 0.375, 0.25])  # azize2022's Figure 2


def azize2022_table1() -> pd.DataFrame:
    """Table 1: the algorithms. The last three columns are computed on Figure 2's arms, for epsilon = 1 and T = 1e7."""
    rows = [
        ("DP-UCB", "ln(T)^2.5/eps + sum ln(T)/gap_a", "K T", True, False, "private_ucb", {}),
        ("DP-SE", "K ln(T)/eps + sum ln(T)/gap_a", "O(ln T)", False, True, "elimination", {}),
        ("AdaP-UCB", "sum gap_a ln(T)/min(gap_a^2, eps gap_a)", "O(ln T)", True, True, "adap_ucb", {"alpha": ALPHA}),
        ("AdaP-KLUCB", "sum gap_a ln(T)/min(d_a, eps gap_a)", "O(ln T)", True, True, "adap_klucb", {"alpha": ALPHA}),
    ]
    computed = {"adap_ucb": "azize2022_t7", "adap_klucb": "azize2022_t8"}
    table = []
    for name, regret, means, anytime, forgetful, algorithm, given in rows:
        account = algorithms.find(algorithm).privacy(T, len(MEANS), epsilon=EPSILON, **given)
        bound = computed.get(algorithm)
        table.append(
            {
                "algorithm": name,
                "regret": regret,
                "private means": means,
                "anytime": "yes" if anytime else "no",
                "forgetful": "yes" if forgetful else "no",
                "private means of one arm that is always played": account.ledger.releases,
                "epsilon spent": round(account.spent, 9),
                "upper bound": bounds.at(bound, MEANS, T, {"epsilon": EPSILON, "alpha": ALPHA}) if bound else np.nan,
            }
        )
    return pd.DataFrame(table)


def azize2022_table2() -> pd.DataFrame:
    """Table 2: the lower bounds, with and without privacy, and their values on Figure 2's arms, or on K orthonormal
    actions with these means."""
    gaps = MEANS.max() - MEANS
    low, none = 0.1, 1e9

    def minimax(epsilon: float) -> float:
        return bounds.azize2022_t2(gaps, T, epsilon)

    def dependent(epsilon: float) -> float:
        return bounds.azize2022_t3(MEANS, T, epsilon)

    def linear(epsilon: float) -> float:
        return bounds.azize2022_t5(np.eye(len(MEANS)), MEANS, T, epsilon)

    rows = [
        ("Theorem 2", "stochastic, minimax", "max(sqrt(T(K-1))/27, (K-1)/(131 eps))", minimax),
        ("Theorem 3", "stochastic, problem-dependent", "ln(T) sum gap_a/min(d_a, 6 eps t_a)", dependent),
        ("Theorem 5", "linear, problem-dependent", "ln(T) inf sum alpha(a) gap_a, |a|^2 <= min(gap_a^2/2, 3 eps rho_a gap_a)", linear),
    ]  # fmt: skip
    return pd.DataFrame(
        [
            {
                "theorem": theorem,
                "setting": setting,
                "lower bound": text,
                "epsilon = 0.1": value(low),
                "epsilon = 1": value(EPSILON),
                "no privacy": value(none),
            }
            for theorem, setting, text, value in rows
        ]
    )


TABLES = {"azize2022": {"table1": azize2022_table1, "table2": azize2022_table2}}
