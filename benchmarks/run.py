"""Nanoseconds per round of the kernels and of C loops of the same policies, at the horizons of the figures.

The two versions of a policy are run in turn in this process, and the time of each is the best of several runs, which other
load on the machine affects least. Compare the ratios, not the nanoseconds. The median regrets of both are printed as they are
measured: where both play equally many rounds, they must agree. The table is that of docs/cost.md.
"""

import ctypes
import math
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import games
import numpy as np

from dpbandits import algorithms
from dpbandits.algorithms.arms import dp_ucb_int
from dpbandits.claims import scoreboard
from dpbandits.environments.arms._journal import blank_journal, counts_of, weighted
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.environments.arms.drawn_arms import drawn_arms
from dpbandits.random import STRIPS, TAIL, stream

LONGEST, MOST = 2.0, 20  # seconds for the runs of a version after the first, and how many they are at most
C_ROUNDS = 1_000_000  # of the loops that compute 50 indices in every round, which take equally long in a longer game
DELTA, V = math.exp(-10), 1.1
PRIVATELY, ALPHA = {"epsilon": 1.0}, {"epsilon": 1.0, "alpha": 3.1}
# environment, its name, horizon, rounds of the C loop, kernel, its parameters, those of the C loop
TEN = bernoulli(means=[0.1] * 8 + [0.2, 0.55]), "10 arms, T = 10⁵", 100_000, 100_000
TWO = bernoulli(means=[0.9, 0.6]), "2 arms, T = 10⁵", 100_000, 100_000
C2 = bernoulli(means=[0.75, 0.625, 0.5, 0.375, 0.25]), "C2, T = 10⁷", 10_000_000, 10_000_000
FIFTY = drawn_arms(number_of_arms=50, lowest=0.005, highest=1.0, draw=42)
SEVEN, EIGHT = ((FIFTY, f"50 arms, T = 10{digit}", 10**power, C_ROUNDS) for digit, power in (("⁷", 7), ("⁸", 8)))
NASH = {"ncb": {}, "gdp_ncb": {"epsilon": 0.2}, "ldp_ncb": {"epsilon": 0.2}, "ldp_ucb": {"epsilon": 0.2}}
ROWS = [
    (*TEN, "ucb", {}, []),
    (*TEN, "private_ucb", PRIVATELY, [1.0]),
    (*TEN, "dp_ucb_bound", PRIVATELY, [1.0]),
    (*TWO, "dp_ucb", PRIVATELY, [1.0]),
    (*TEN, "dp_ucb", PRIVATELY, [1.0]),
    (*TEN, "dp_ucb_int", {**PRIVATELY, "delta": DELTA, "v": V}, [V]),
    (*TEN, "private_ucb_tuned", PRIVATELY, [1.0]),
    (*TEN, "thompson", {}, []),
    (*TEN, "private_thompson", PRIVATELY, [1.0]),
    (*C2, "private_ucb", PRIVATELY, [1.0]),
    (*C2, "adap_ucb", ALPHA, [1.0, 3.1]),
    (*C2, "adap_klucb", ALPHA, [1.0, 3.1]),
    (*C2, "dp_se", PRIVATELY, [1.0]),
    *((*game, name, given, []) for name, given in NASH.items() for game in (SEVEN, EIGHT)),
    *((*game, "ldp_ucb_clipped", NASH["ldp_ucb"], []) for game in (SEVEN, EIGHT)),
]


def compiled_c() -> ctypes.CDLL:
    """Compile and load loops.c."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        sys.exit("there is no C compiler on this machine")
    library = Path(tempfile.mkdtemp()) / "loops.so"
    source = Path(__file__).parent / "loops.c"
    subprocess.run([compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
    loops = ctypes.CDLL(str(library))
    for name in [*(row[4] for row in ROWS), *games.CONSTANTS]:
        getattr(loops, name).restype = ctypes.c_double
    loops.seed(ctypes.c_uint64(1))
    widths, inside, heights = STRIPS.T
    tables = [np.ascontiguousarray(table) for table in (widths, inside.astype(np.uint64), heights)]
    pointers = (table.ctypes.data_as(ctypes.c_void_p) for table in tables)
    loops.ziggurat(*pointers, ctypes.c_double(TAIL))
    return loops


def rows_of_arms(loops):
    """For each kernel: its name, the game, and the two versions, each with its number of rounds."""
    for environment, game, horizon, rounds, name, parameters, numbers in ROWS:
        arms, _ = environment.begin(stream(1, "benchmark"), horizon, np.array([horizon]))
        given = [ctypes.c_double(number) for number in numbers]
        if name == "dp_ucb_int":
            updates = dp_ucb_int.update_counts("series_y", dp_ucb_int.input_epsilon(1.0, DELTA, V), V, horizon)
            given += [updates.ctypes.data_as(ctypes.POINTER(ctypes.c_int64)), ctypes.c_int64(len(updates))]
        means = (ctypes.c_double * len(arms.means))(*arms.means)

        def kernel(i, name=name, arms=arms, horizon=horizon, parameters=parameters):
            journal = blank_journal(len(arms.means), np.array([horizon]))
            algorithms.find(name).play(stream(1, "benchmark", i), arms, horizon, journal, **parameters)
            return weighted(counts_of(journal), arms.means.max() - arms.means)[-1]

        def c(i, name=name, means=means, rounds=rounds, given=given):
            return getattr(loops, name)(means, ctypes.c_int(len(means)), ctypes.c_int64(rounds), *given)

        yield name, game, (kernel, horizon), (c, rounds)


def measure(versions):
    """The best nanoseconds per round of each version, and their median regrets; the first run of each is not counted."""
    best, regrets = [math.inf] * len(versions), [[] for _ in versions]
    spent = [-1.0] * len(versions)
    for i in range(MOST + 1):
        for v, (run, rounds) in enumerate(versions):
            if spent[v] < LONGEST:
                start = time.process_time()
                regrets[v].append(run(i))
                took = time.process_time() - start
                spent[v] = max(spent[v], 0.0) + (took if i else 0.0)
                best[v] = min(best[v], took / rounds * 1e9) if i else math.inf
    return best, [float(np.median(found)) for found in regrets]


def main() -> None:
    loops, body = compiled_c(), []
    for name, game, *versions in (*rows_of_arms(loops), *games.rows(loops)):
        (ours, plain), regrets = measure(versions)
        body.append([name, game, *(f"{x:.0f}" if x >= 100 else f"{x:.2g}" for x in (ours, plain, ours / plain))])
        shown = " and ".join(
            f"{regret:.0f} in {rounds:.0e}" for regret, (_, rounds) in zip(regrets, versions, strict=True)
        )
        print(f"{name}, {game}: median regrets {shown} rounds", file=sys.stderr)
    columns = dict.fromkeys(("kernel", "game"), scoreboard.LEFT)
    columns |= dict.fromkeys(("kernel, ns", "C, ns", "ratio"), scoreboard.RIGHT)
    print(scoreboard.as_table(columns, body))


if __name__ == "__main__":
    main()
