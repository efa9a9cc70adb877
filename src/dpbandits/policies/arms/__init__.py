"""Algorithms that play stochastic arms, one module each; `_template.py` is a template to copy.

A policy that chooses an arm in every round by an index is a rule played by a driver (`drivers.index`), one that chooses an arm for an
episode a rule played by another (`drivers.episodes`). Posterior sampling is in `_posterior`, the first phase of the Nash confidence bounds
in `_nash`. Kernels pull arms and record rounds with the functions of `dpbandits.bandits.arms`.
"""
