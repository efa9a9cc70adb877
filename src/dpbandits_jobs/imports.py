"""What most jobs import, and numba and matplotlib as they are after their first game and pictures."""

from contextlib import suppress
from tempfile import TemporaryDirectory

with suppress(Exception):  # a job says what is wrong
    import snakemake.script  # noqa: F401 (a script's first lines need it)

    from dpbandits import bernoulli, compare

    played = compare(
        bernoulli(means=[0.9, 0.6]), T=100, runs=2, policies={r"UCB$_\tau$": "ucb"}, cores=1
    )
    with TemporaryDirectory() as folder:
        for kind in ("pdf", "png", "svg"):
            played.plot(f"{folder}/a.{kind}")
