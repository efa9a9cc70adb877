"""Arenas: policies on the same instances at the same epsilons, scored. An arena is a study with the key `arena`.

    traces -> cells (the runs of one policy on one instance at one epsilon) -> scores (a table; pairwise differences)
    scores -> pictures (figures/<arena>), summary (the README's table)

Claims about the cells are judged as all others (`verdicts.measures.arena`).

A score is a regret without a unit: divided by the private lower bound of azize2022's Theorem 3 for policies that promise
pure privacy with a central trustee, for which it holds, and by the regret of the arena's yardstick for all others. It does not depend on
who else takes part.
"""
