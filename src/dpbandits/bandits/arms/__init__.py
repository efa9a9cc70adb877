"""Stochastic arms: each pull of arm a pays an independent number in [0, 1] of mean mu_a.

A policy of this family plays a `Run`, which says what an author needs. The run counts the pulls,
and the bandit computes the regret from them. Its arms and their means are unknown to a policy.
"""
