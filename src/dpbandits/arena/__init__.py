"""The arena: all algorithms on the same instances at the same epsilons, and which of them one should use.

    config/arena.yaml -> expanding (experiments, which the workflow simulates as those of the papers)
    traces -> cells (the runs of one policy on one instance at one epsilon) -> scores (a table; pairwise differences)
    cells -> measures -> claims (verdicts on statements of our own)
    scores -> pictures (figures/arena), words (the README's table)

A score is a regret without a unit: divided by the private lower bound of azize2022's Theorem 3 for policies that promise
pure privacy with a central trustee, for which it holds, and by KL-UCB's regret for all others. It does not depend on who
else takes part.
"""
