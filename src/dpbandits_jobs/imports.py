"""Import the modules of most jobs, and warm up numba and matplotlib with a game.

Forks inherit the environment. It has the variables that Snakemake sets for a job of one
thread, because numpy's libraries read them only when they are imported.
"""

import os
from contextlib import suppress
from tempfile import TemporaryDirectory

LIBRARIES = ("OMP", "GOTO", "OPENBLAS", "MKL", "NUMEXPR")
os.environ.update({f"{library}_NUM_THREADS": "1" for library in LIBRARIES})
os.environ["VECLIB_MAXIMUM_THREADS"] = "1"

with suppress(Exception):  # the job itself reports what is wrong
    import snakemake.script  # noqa: F401 (a script's first lines need it)

    from dpbandits import Bernoulli, compare
    from dpbandits.policies import UCB

    comparison = compare(
        {r"UCB$_\tau$": UCB()}, on=Bernoulli([0.9, 0.6]), horizon=100, n_runs=2, n_jobs=1
    )
    with TemporaryDirectory() as folder:
        for kind in ("pdf", "png", "svg"):
            comparison.plot(f"{folder}/a.{kind}")
