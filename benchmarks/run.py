"""Nanoseconds per round of every kernel, of a NumPy loop and of a C loop, all in one run.

Every value is the best of several repetitions in this process, which other load on the machine affects least. Compare
the ratios, not the nanoseconds. The median regret of each version is printed as well: three versions of one policy must
agree.
"""

import ctypes
import math
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import episodes
import games
import nash
import news
import numpy as np
import numpy_loops
from numba.np.random._constants import fe_double, ke_double, we_double, ziggurat_exp_r

from dpbandits import algorithms
from dpbandits.algorithms.arms import dp_ucb_int
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.kernels.streams import stream
from dpbandits.studies.study import checkpoints

HORIZON = 100_000
DELTA = math.exp(-10)
INSTANCES = {
    "2 arms, eps 1": ([0.9, 0.6], 1.0),
    "10 arms, eps 1": ([0.1] * 8 + [0.2, 0.55], 1.0),
}
KERNELS = [
    "ucb", "private_ucb", "dp_ucb_bound", "dp_ucb", "dp_ucb_int", "private_ucb_tuned", "thompson", "private_thompson",
]  # fmt: skip
NOT_PRIVATE = {"ucb", "thompson"}
RUNS = {"kernel": 20, "C": 20, "NumPy": 2}


def compiled_c() -> ctypes.CDLL | None:
    """Compile and load loops.c."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        print("no C compiler on this machine: the C column stays empty", file=sys.stderr)
        return None
    library = Path(tempfile.mkdtemp()) / "loops.so"
    source = Path(__file__).parent / "loops.c"
    subprocess.run([compiler, "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source, "-lm"], check=True)
    loops = ctypes.CDLL(str(library))
    for name in [*KERNELS, *games.CONSTANTS, *episodes.PARAMETERS, *nash.ROWS]:
        getattr(loops, name).restype = ctypes.c_double
    loops.seed(ctypes.c_uint64(1))
    tables = (
        np.ascontiguousarray(table).ctypes.data_as(ctypes.c_void_p) for table in (we_double, ke_double, fe_double)
    )
    loops.ziggurat(*tables, ctypes.c_double(ziggurat_exp_r))
    return loops


def kernel_run(name, means, epsilon):
    """A function that plays run number i with the package's kernel."""
    module, environment = algorithms.find(name), bernoulli(means=means)
    t = np.array(checkpoints(HORIZON, {"log": 200}))
    parameters = {} if name in NOT_PRIVATE else {"epsilon": epsilon}
    if name == "dp_ucb_int":
        parameters["delta"] = DELTA

    def run(i):
        arms, journal = environment.begin(None, HORIZON, t)
        module.play(stream(1, "benchmark", i), arms, HORIZON, journal, **parameters)
        return journal.regret[-1]

    return run


def updates_of(epsilon):
    return dp_ucb_int.update_counts("series_y", dp_ucb_int.input_epsilon(epsilon, DELTA, 1.1), 1.1, HORIZON)


def numpy_run(name, means, epsilon):
    given = {"dp_ucb_int": (1.1, updates_of(epsilon))}.get(name, () if name in NOT_PRIVATE else (epsilon,))
    return lambda i: getattr(numpy_loops, name)(np.random.default_rng(i), np.array(means), HORIZON, *given)


def c_run(loops, name, means, epsilon):
    array, updates = (ctypes.c_double * len(means))(*means), updates_of(epsilon)
    given = {
        "dp_ucb_int": (
            ctypes.c_double(1.1),
            updates.ctypes.data_as(ctypes.POINTER(ctypes.c_int64)),
            ctypes.c_int64(len(updates)),
        ),
    }.get(name, () if name in NOT_PRIVATE else (ctypes.c_double(epsilon),))
    return lambda i: getattr(loops, name)(array, ctypes.c_int(len(means)), ctypes.c_int64(HORIZON), *given)


def measure(run, runs, horizon=HORIZON):
    """The best nanoseconds per round, and the median final regret."""
    run(0)
    best, regrets = math.inf, []
    for i in range(runs):
        start = time.perf_counter()
        regrets.append(run(i))
        best = min(best, time.perf_counter() - start)
    return best / horizon * 1e9, float(np.median(regrets))


def show(name, instance, versions, share=1, more=""):
    """Measure the versions of one kernel, each with the number of rounds of its runs, and print a line."""
    found = {v: measure(run, max(1, RUNS[v] // share), T) for v, (run, T) in versions.items()}
    (ours, _), (plain, _), (c, _) = found["kernel"], found["NumPy"], found.get("C", (math.nan, math.nan))
    regrets = " / ".join(f"{regret:.0f}" for _, regret in found.values())
    rounds = f"; {1e9 / ours:.1e} rounds/s, {more}" if more else ""
    print(
        f"{name:17} {instance:15} {ours:9.3g} {plain:9.0f} {c:7.1f} {plain / ours:8.0f} {ours / c:6.2f}   {regrets}{rounds}"
    )


def main() -> None:
    loops = compiled_c()
    print(f"T = {HORIZON}; ns per round, best of {RUNS['kernel']} runs (NumPy: {RUNS['NumPy']})\n")
    print(
        f"{'kernel':17} {'instance':15} {'kernel ns':>9} {'NumPy ns':>9} {'C ns':>7} {'x NumPy':>8} {'/ C':>6}   median regret"
    )
    for name in KERNELS:
        for instance, (means, epsilon) in INSTANCES.items():
            versions = {"kernel": kernel_run(name, means, epsilon), "NumPy": numpy_run(name, means, epsilon)}
            if loops:
                versions["C"] = c_run(loops, name, means, epsilon)
            show(name, instance, {version: (run, HORIZON) for version, run in versions.items()})
    for name in games.CONSTANTS:
        versions = {version: (run, games.T) for version, run in games.versions(name, loops).items()}
        show(name, f"a game, 2^{games.T.bit_length() - 1}", versions)
    for name in episodes.PARAMETERS:
        block = f"{episodes.mean_block(name):.0f} rounds per block"
        horizon = episodes.END.get(name, episodes.T)
        show(name, f"C2, T = {horizon:.0e}", episodes.versions(name, loops), share=5, more=block)
    for name in nash.ROWS:
        block = f"{nash.mean_block(name):.3g} rounds per block in 2e5 or 1e6 rounds"
        for horizon in nash.HORIZONS:
            versions = nash.versions(name, horizon, loops)
            show(name, f"50 arms, {horizon:.0e}", versions, share=horizon // 2_000_000, more=block)
    for row in news.rows():
        print(row)


if __name__ == "__main__":
    main()
