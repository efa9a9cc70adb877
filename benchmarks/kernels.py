"""Nanoseconds per round of six kernels, one for each driver, beside C loops.

Both versions of a policy are run in turn in one process. The time of each is the best of several
runs, which other load on the machine affects least: compare the ratios, not the nanoseconds. The
median regrets of both are printed beside them. Where both play equally many rounds, these must
agree.
"""

import ctypes
import math
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from dpbandits.bandit import Bandit
from dpbandits.bandits import Bernoulli, DrawnArms, StochasticAdversary
from dpbandits.policies import NCB, AdaPUCB, DPEXP3Lap, DPUCBBound, LDPUCBClipped, Thompson
from dpbandits.policy import Policy
from dpbandits.random import STRIPS, TAIL, stream
from dpbandits.theory.exp3_constants import corollary_epsilon, gamma_of

SECONDS = 2.0  # of processor time, for the runs of a version after the first
MAX_RUNS = 20  # of these
TEN, C2 = Bernoulli([0.1] * 8 + [0.2, 0.55]), Bernoulli([0.75, 0.625, 0.5, 0.375, 0.25])
FIFTY = DrawnArms(50, lowest=0.005, highest=1.0, draw=42)
GAME = StochasticAdversary(4, best=0.55, others=0.5)
T = 2**18
# Driver, policy, constants of the C loop, bandit, its name, horizon, rounds of the C loop. Loops
# that compute 50 indices in every round take equally long in a longer game.
ROWS = [
    ("index", DPUCBBound(epsilon=1), [1.0], TEN, "10 arms, T = 10⁵", 10**5, 10**5),
    ("posterior", Thompson(), [], TEN, "10 arms, T = 10⁵", 10**5, 10**5),
    ("episodes", AdaPUCB(epsilon=1, alpha=3.1), [1.0, 3.1], C2, "C2, T = 10⁷", 10**7, 10**7),
    ("nash_phases", NCB(), [], FIFTY, "50 arms, T = 10⁷", 10**7, 10**6),
    ("levels", LDPUCBClipped(epsilon=0.2), [0.2], FIFTY, "50 arms, T = 10⁷", 10**7, 10**6),
    ("exp3_weights", DPEXP3Lap(), [gamma_of(T, 4), corollary_epsilon(T, 4)], GAME,
     "4 arms, T = 2¹⁸", T, T),
]  # fmt: skip
HEAD = """
| driver | kernel | game | kernel, ns | C, ns | ratio | regrets |
| --- | --- | --- | ---: | ---: | ---: | --- |
"""


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
        *(table.ctypes.data_as(ctypes.c_void_p) for table in tables),
        ctypes.c_double(TAIL),
    )
    return loops


@cache
def game_of(bandit: Bandit, horizon: int) -> Any:
    """The game of all runs."""
    return bandit.draw_game(stream(1, "benchmark", "environment"), horizon)


def kernel(policy: Policy, bandit: Bandit, horizon: int, i: int) -> float:
    """The regret of run i of the compiled policy; all runs are in the same game."""
    game, rng = game_of(bandit, horizon), stream(1, "benchmark", i)
    return bandit.play_run(policy, game, rng, horizon, np.array([horizon]))["regret"][-1]


def c_loop(
    loops: ctypes.CDLL, name: str, constants: list[float], bandit: Bandit, rounds: int
) -> Callable[[int], float]:
    """A function that plays a run of the C loop and returns the regret.

    The C loop has one stream for all runs.
    """
    game = game_of(bandit, rounds)
    gains = getattr(game, "gains", None)
    table = np.ascontiguousarray(game.means, float) if gains is None else gains
    best = 0.0 if gains is None else float(gains.sum(axis=0, dtype=float).max())
    loop = getattr(loops, name)
    loop.restype = ctypes.c_double
    numbers = [ctypes.c_double(constant) for constant in constants]

    def run(i: int) -> float:
        pointer = ctypes.c_void_p(table.ctypes.data)
        result = loop(
            pointer, ctypes.c_int(bandit.number_of_arms), ctypes.c_int64(rounds), *numbers
        )
        return result if gains is None else best - result

    return run


def measure(versions: list[tuple]) -> tuple[list[float], list[float]]:
    """The best nanoseconds per round of each version, and their median regrets.

    The first run of each does not count.
    """
    best, spent, regrets = [math.inf] * len(versions), [0.0] * len(versions), [[] for _ in versions]
    for i in range(MAX_RUNS + 1):
        for v, (run, rounds) in enumerate(versions):
            if spent[v] < SECONDS:
                start = time.process_time()
                regrets[v].append(run(i))
                if i:
                    took = time.process_time() - start
                    spent[v] += took
                    best[v] = min(best[v], took / rounds * 1e9)
    return best, [float(np.median(result)) for result in regrets]


def main() -> None:
    loops = compiled_c()
    print(HEAD.strip())
    for driver, policy, constants, bandit, game, horizon, rounds in ROWS:
        name = type(policy).__module__.rpartition(".")[2]
        versions = [
            (partial(kernel, policy, bandit, horizon), horizon),
            (c_loop(loops, name, constants, bandit, rounds), rounds),
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
