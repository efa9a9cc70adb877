"""Arenas: scores of policies on the same instances at the same epsilons.

An arena is a study with the key `arena`.

    traces -> scores (a table: a policy on an instance at an epsilon after some rounds)
    scores -> figures.arena (figures/<arena>), rankings, page (which policy to use)

A score is the mean regret over that of the arena's yardstick, a policy that is not private.
"""

FIGURES = ("scores", "winners")
