"""Policies that play stochastic arms, one class in one module each."""
