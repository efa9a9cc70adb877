"""Nanoseconds per round of six kernels, one for each driver, beside C loops of the same policies.

The two versions of a policy are run in turn in one process, and the time of each is the best of several runs, which other
load on the machine affects least: compare the ratios, not the nanoseconds. The median regrets of both are printed beside them; where
both play equally many rounds, these must agree.
"""

import ctypes
import math
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from dpbandits import policies
from dpbandits.bandits import make
from dpbandits.drivers.exp3_constants import corollary_epsilon, gamma_of
from dpbandits.random import STRIPS, TAIL, stream

SECONDS, MOST = (
    2.0,
    20,
)  # of processor time for the runs of a version after the first, and how many they are at most
TEN = {"kind": "bernoulli", "means": [0.1] * 8 + [0.2, 0.55]}
C2 = {"kind": "bernoulli", "means": [0.75, 0.625, 0.5, 0.375, 0.25]}
FIFTY = {"kind": "drawn_arms", "number_of_arms": 50, "lowest": 0.005, "highest": 1.0, "draw": 42}
GAME = {"kind": "stochastic_adversary", "number_of_arms": 4, "best": 0.55, "others": 0.5}
T = 2**18
# driver, kernel, its parameters, the constants of the C loop, environment, its name, horizon, rounds of the C loop. The loops that
# compute 50 indices in every round take equally long in a longer game.
ROWS = [
    ("_index", "dp_ucb_bound", {"epsilon": 1.0}, [1.0], TEN, "10 arms, T = 10⁵", 100_000, 100_000),
    ("_posterior", "thompson", {}, [], TEN, "10 arms, T = 10⁵", 100_000, 100_000),
    ("_episodes", "adap_ucb", {"epsilon": 1.0, "alpha": 3.1}, [1.0, 3.1], C2, "C2, T = 10⁷", 10_000_000, 10_000_000),
    ("_nash", "ncb", {}, [], FIFTY, "50 arms, T = 10⁷", 10_000_000, 1_000_000),
    ("_levels", "ldp_ucb_clipped", {"epsilon": 0.2}, [0.2], FIFTY, "50 arms, T = 10⁷", 10_000_000, 1_000_000),
    ("_weights", "dp_exp3_lap", {}, [gamma_of(T, 4), corollary_epsilon(T, 4)], GAME, "4 arms, T = 2¹⁸", T, T),
]  # fmt: skip


def compiled_c() -> ctypes.CDLL:
    """Compile and load loops.c, and give it the tables of the ziggurat."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        sys.exit("there is no C compiler on this machine")
    library, source = Path(tempfile.mkdtemp()) / "loops.so", Path(__file__).with_name("loops.c")
    subprocess.run(
        [compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source, "-lm"],
        check=True,
    )
    loops = ctypes.CDLL(str(library))
    loops.seed(ctypes.c_uint64(1))
    widths, inside, heights = STRIPS.T
    tables = [np.ascontiguousarray(table) for table in (widths, inside.astype(np.uint64), heights)]
    loops.ziggurat(
        *(table.ctypes.data_as(ctypes.c_void_p) for table in tables), ctypes.c_double(TAIL)
    )
    return loops


def kernel(name: str, parameters: dict, environment, horizon: int, i: int) -> float:
    """The regret of run i of the compiled policy; all runs are in the same game."""
    play = partial(policies.find(name).play, **parameters)
    rngs = stream(1, "benchmark", "environment"), stream(1, "benchmark", i)
    return environment.play_run(play, *rngs, horizon, np.array([horizon]), {})["regret"][-1]


def c_loop(
    loops: ctypes.CDLL, name: str, constants: list[float], environment, rounds: int
) -> Callable[[int], float]:
    """A function that plays a run of the C loop, which goes on with its one stream, and returns the regret."""
    game, _ = environment.begin(stream(1, "benchmark", "environment"), rounds, np.array([rounds]))
    gains = getattr(game, "gains", None)
    table = np.ascontiguousarray(game.means, float) if gains is None else gains
    best = 0.0 if gains is None else float(gains.sum(axis=0, dtype=float).max())
    loop = getattr(loops, name)
    loop.restype = ctypes.c_double
    numbers = [ctypes.c_double(constant) for constant in constants]

    def run(i: int) -> float:
        pointer = ctypes.c_void_p(table.ctypes.data)
        found = loop(
            pointer, ctypes.c_int(environment.number_of_arms), ctypes.c_int64(rounds), *numbers
        )
        return found if gains is None else best - found

    return run


def measure(versions: list[tuple]) -> tuple[list[float], list[float]]:
    """The best nanoseconds per round of each version, and their median regrets; the first run of each is not counted."""
    best, spent, regrets = [math.inf] * len(versions), [0.0] * len(versions), [[] for _ in versions]
    for i in range(MOST + 1):
        for v, (run, rounds) in enumerate(versions):
            if spent[v] < SECONDS:
                start = time.process_time()
                regrets[v].append(run(i))
                if i:
                    took = time.process_time() - start
                    spent[v] += took
                    best[v] = min(best[v], took / rounds * 1e9)
    return best, [float(np.median(found)) for found in regrets]


def main() -> None:
    loops = compiled_c()
    print(
        "| driver | kernel | game | kernel, ns | C, ns | ratio | regrets |\n| --- | --- | --- | ---: | ---: | ---: | --- |"
    )
    for driver, name, parameters, constants, environment, game, horizon, rounds in ROWS:
        played = make(environment)
        versions = [
            (partial(kernel, name, parameters, played, horizon), horizon),
            (c_loop(loops, name, constants, played, rounds), rounds),
        ]
        (ours, plain), regrets = measure(versions)
        times = " | ".join(
            f"{x:.0f}" if x >= 100 else f"{x:.2g}" for x in (ours, plain, ours / plain)
        )
        shown = " and ".join(
            f"{each:.0f} in {n:.0e}" for each, n in zip(regrets, (horizon, rounds), strict=True)
        )
        print(f"| `{driver}` | {name} | {game} | {times} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
