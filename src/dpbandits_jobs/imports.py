"""What most jobs import, and numba as it is after its first game."""

from contextlib import suppress

with suppress(Exception):  # a job says what is wrong
    import matplotlib.backends.backend_pdf  # noqa: F401

    from dpbandits import bernoulli, compare

    compare(bernoulli(means=[0.9, 0.6]), T=2, runs=2, policies={"UCB": "ucb"}, cores=1)
