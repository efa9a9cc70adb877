"""The recommendation for any numbers, from cells by hand and from the newcomer's question."""

import pandas as pd
import pytest

from dpbandits import recommend
from dpbandits.errors import InputError

POLICIES = {"a": "A", "b": "B", "c": "C"}


def scores(cells):
    """(epsilon, arms, t) -> the regrets of A, B and C, whose errors are a hundredth of them."""
    rows = [
        {
            "policy": policy, "instance": f"of {arms}", "family": "", "smallest_gap": 0.1,
            "arms": arms, "epsilon": epsilon, "label": label, "source": "",
            "python": f"{label}(epsilon={2 * epsilon}, c=1)",
            "league": "local", "game": "all", "horizon": t, "knows_horizon": 0, "t": t, "runs": 9,
            "mean": regret, "standard_error": regret / 100, "locked_in": 0.0,
            "uniform": 100.0, "over_yardstick": regret, "over_operator_bound": regret / 2,
            "over_nobody_bound": regret / 4, "delta": 0.0, "spent": epsilon, "measured": epsilon,
            "promise": "kept",
        }
        for (epsilon, arms, t), regrets in cells.items()
        for (policy, label), regret in zip(POLICIES.items(), regrets, strict=True)
    ]  # fmt: skip
    return pd.DataFrame(rows)


GRID = scores({
    (0.25, 10, 1000): (1, 2, 3), (0.25, 10, 10_000): (1, 2, 3), (0.25, 40, 1000): (1, 1.01, 3),
    (1, 10, 1000): (2, 1, 3), (1, 40, 1000): (2, 1, 3), (4, 40, 10_000): (2, 3, 1),
})  # fmt: skip


def asked(arms=10, rounds=1000, epsilon=0.25, trust="nobody", table=GRID):
    return recommend(arms, rounds, epsilon, trust, scores=table)


def cells_of(result):
    return list(result.cells[["epsilon", "arms", "rounds"]].itertuples(index=False, name=None))


@pytest.mark.parametrize(
    ("numbers", "policies", "cells"),
    [
        ({}, ["A"], [(0.25, 10, 1000)]),  # a measured cell answers for itself
        ({"arms": 40}, ["A", "B"], [(0.25, 40, 1000)]),  # ties are recommended together
        # 0.45 is 1.8 times 0.25, and 1 is 2.2 times 0.45. 19 arms are nearer to 10, 21 to 40.
        ({"arms": 19, "epsilon": 0.45}, ["A"],
         [(0.25, 10, 1000), (0.25, 40, 1000), (1, 10, 1000), (1, 40, 1000)]),
        ({"arms": 21, "epsilon": 0.45}, ["A", "B"],
         [(0.25, 40, 1000), (0.25, 10, 1000), (1, 40, 1000), (1, 10, 1000)]),
        # No cell has at most 10 arms, at least 2000 rounds and at least epsilon = 1.
        ({"rounds": 2000, "epsilon": 1}, ["B"],
         [(1, 10, 1000), (0.25, 10, 10_000), (4, 40, 10_000)]),
    ],
)  # fmt: skip
def test_the_nearest_cell_of_each_direction_by_ratios(numbers, policies, cells):
    result = asked(**numbers)
    assert (result.policies, cells_of(result)) == (policies, cells)
    # At epsilon = 1 B is the best one, at 4 C.
    assert result.agree == ("epsilon" not in numbers)
    assert ("The cells disagree" in str(result)) != result.agree


def test_a_recommendation_in_words():
    """A tie need not be second: C has 1.3 +- 0.2, within two errors of A's 1.00 +- 0.01.

    B has 1.1 +- 0.01.
    """
    table = scores({(0.25, 10, 1000): (1, 1.1, 1.3)})
    table.loc[table["policy"] == "c", "standard_error"] = 0.2
    result = asked(table=table)
    assert result.policies == ["A", "C"]
    assert result.ranking["label"].tolist() == ["A", "B", "C"]
    assert all(f"p.{policy}(" in result.code for policy in "ABC")
    scale = "Regret of the best: 1 times that without privacy, 0.25 times the lower bound"
    assert scale in str(result)
    assert result.usable
    assert "usable" not in str(result)
    says = "None is usable: A loses 60% of its runs."  # with a hundredth of uniform play's regret
    result = asked(table=table.assign(locked_in=0.6))
    assert not result.usable
    assert says in str(result)


def test_the_code_compares_the_candidates_at_the_readers_epsilon():
    """The policies play with twice the epsilon of the league; C is best in no cell around."""
    code = asked(arms=19, epsilon=0.5).code
    assert "compare([p.A(epsilon=1, c=1), p.B(epsilon=1, c=1)]" in code
    assert "*[0.5] * 18]" in code
    assert "horizon=1000" in code
    assert "p.B" in asked().code  # the next one, if there is one best policy


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"rounds": 50}, "rounds: 50 is outside the measured range .* from 1,000 to 10,000"),
        ({"arms": 41}, "arms: 41 is outside .* from 10 to 40"),
        ({"epsilon": 0.2}, "epsilon: 0.2 is outside .* from 0.25 to 4"),
        ({"trust": "nobdy"}, "unknown trust 'nobdy'; did you mean 'nobody'?"),
    ],
)
def test_no_answer_without_a_sentence(numbers, message):
    with pytest.raises(InputError, match=message):
        asked(**numbers)


def test_the_newcomers_question():
    """20 arms, 50,000 rounds and epsilon = 0.3: 200 games found epsilon-greedy before RR-KL-UCB."""
    result = recommend(arms=20, rounds=50_000, epsilon=0.3, trust="nobody")
    assert result.policies == ["Epsilon-greedy, reports", "TS-CF"]
    assert cells_of(result)[0] == (0.25, 20, 50_000)
    assert "p.LDPEpsilonGreedy(epsilon=0.3)" in result.code
    assert "p.TSCF(epsilon=0.3)" in result.code
