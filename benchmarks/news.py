"""Benchmarks for run.py on news logs: events per second of the contextual kernels, lines per second of the reader."""

import gzip
import tempfile
import time
from pathlib import Path

import numpy as np
import yaml

from dpbandits import algorithms, simulation
from dpbandits.environments.logs import _r6a
from dpbandits.environments.logs._events import blank_journal
from dpbandits.kernels.streams import stream

FILE = Path(__file__).parent.parent / "config/papers/mishra2015.yaml"
EVENTS, PLAIN_EVENTS, LINES = 200_000, 4_000, 50_000
KERNELS = {
    "lin_ucb": {},
    "lin_ts": {},
    "private_lin_ucb": {"eps0": 0.1},
    "private_lin_ts": {"eps0": 0.1},
}


class Drawn:
    """A log that is drawn in advance, so that only the policy is timed."""

    def __init__(self, horizon: int, mode: str = "replay"):
        news = yaml.safe_load(FILE.read_text())["environments"]["news"]
        environment = simulation.make_environment({**news, "mode": mode})
        log, _ = environment.begin(stream(1, "benchmark", "log"), horizon, np.array([horizon]))
        self.articles, self.pool_size, self.events = log.articles, log.pool_size, list(log.blocks())

    def blocks(self):
        return iter(self.events)


def kernel(name, log, horizon):
    """Play one run and return the clicks on its kept events."""
    journal = blank_journal(np.array([horizon]))
    algorithms.find(name).play(stream(1, "benchmark"), log, horizon, journal, **KERNELS[name])
    return journal.results()["clicks"][-1]


def numpy_lin_ucb(log, alpha=0.1):
    """LinUCB in plain NumPy, with rank-one updates of the inverse matrix."""
    inverse, b, theta, clicks = np.eye(6), np.zeros(6), np.zeros(6), 0
    for events in log.blocks():
        for i in range(len(events.t)):
            z = events.users[i] * log.articles[:, events.pools[events.pool[i]]].T
            score = z @ theta + alpha * np.sqrt(np.einsum("ai,ij,aj->a", z, inverse, z))
            a = int(np.argmax(score))
            if a == events.displayed[i]:
                clicks += events.clicked[i]
                column = inverse @ z[a]
                inverse -= np.outer(column, column) / (1 + z[a] @ column)
                b += events.clicked[i] * z[a]
                theta = inverse @ b
    return clicks


def best(function, repetitions=5):
    """Processor seconds of a call: the smallest of several."""
    function()
    times = []
    for _ in range(repetitions):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return min(times)


def rows():
    """The lines that run.py prints."""
    log, short = Drawn(EVENTS), Drawn(PLAIN_EVENTS)
    plain = best(lambda: numpy_lin_ucb(short), 2) / PLAIN_EVENTS
    for name in KERNELS:
        ours = best(lambda name=name: kernel(name, log, EVENTS)) / EVENTS
        beside = f"{plain * 1e9:9.0f} {'':7} {plain / ours:8.0f}" if name == "lin_ucb" else " " * 26
        yield f"{name:15} replay, 20 live {ours * 1e9:8.0f} {beside}          {1 / ours:.1e} logged events/s"
    with tempfile.TemporaryDirectory() as folder:
        _r6a.write(folder, Drawn(LINES).blocks(), log.articles, LINES)
        files = _r6a.days(folder)
        names = [Path(folder) / name for name in ("events.bin", "tables.npz", "report.json")]
        ours = best(lambda: _r6a.read(files, *names, log_progress=lambda text: None), 3) / LINES
        with gzip.open(files[0]) as file:
            lines = file.read().splitlines()
        plain = best(lambda: [_r6a.parse(line) for line in lines], 1) / len(lines)
    yield f"{'R6A loader':14} packed files    {ours * 1e9:8.0f} {plain * 1e9:9.0f} {'':7} {plain / ours:8.0f}          {1 / ours:.1e} lines/s; second column: plain Python"


if __name__ == "__main__":
    for row in rows():
        print(row)
