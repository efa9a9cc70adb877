"""How often a candidate for AdaP-UCB or AdaP-KLUCB takes the path that azize2022's Figure 2 draws.

The drawn curves have the levels of a single schedule, so that their distance from a mean says little. This counts the runs that
stay within 1.5% of the drawn curve at four rounds from T/100 on, between its steps:

    python benchmarks/drawn_paths.py --runs 24000       # about a minute for each candidate
"""

import argparse

import numpy as np

from dpbandits.files import tables
from dpbandits.simulation import simulate

POINTS = "reference/published/azize2022/fig2.csv"
ROUNDS = {
    "AdaP-KLUCB": (105_000, 500_000, 3_000_000, 9_999_990),
    "AdaP-UCB": (105_000, 1_000_000, 5_000_000, 9_999_990),
}
CANDIDATES = [
    ("AdaP-KLUCB", "eq. 8 as printed", "adap_klucb", {"alpha": 3.1}),
    ("AdaP-KLUCB", "alpha/2 in the budget", "adap_klucb", {"alpha": 3.1, "kl_budget": "alpha/2"}),
    ("AdaP-KLUCB", "private term without alpha", "adap_klucb", {"alpha": 3.1, "kl_bonus": "one"}),
    ("AdaP-UCB", "eq. 7 as printed", "adap_ucb", {"alpha": 3.1}),
]  # fmt: skip


def path(policy: str, algorithm: str, given: dict, runs: int) -> np.ndarray:
    """(run, round): whether the run is at the drawn level."""
    rows = [row for row in tables.rows(POINTS, checksum=False) if row["policy"] == policy]
    x, y = zip(*sorted((float(row["x"]), float(row["y"])) for row in rows), strict=True)
    drawn = np.exp(np.interp(ROUNDS[policy], x, np.log(y)))
    series = {
        "algorithm": algorithm,
        "parameters": {"epsilon": 1.0, **given},
        "regret": {"leaving_out": "one_round_per_doubling"},
    }
    spec = {
        "paper": "azize2022",
        "stream": "drawn-paths",
        "policy": policy,
        "environment": {"kind": "bernoulli", "means": [0.75, 0.625, 0.5, 0.375, 0.25]},
        "horizon": 10_000_000,
        "checkpoints": [*ROUNDS[policy], 10_000_000],
        "seed": 1,
        "series": {policy: series},
    }
    regret = simulate(spec, 0, runs - 1).values["regret"][0][:, :-1]
    return np.abs(regret / drawn - 1) < 0.015


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=24_000)
    runs = parser.parse_args().runs
    for policy, name, algorithm, given in CANDIDATES:
        on_path = path(policy, algorithm, given, runs)
        each = ", ".join(f"{share:.4f}" for share in on_path.mean(axis=0))
        print(f"{policy}, {name}: {on_path.all(axis=1).sum()} of {runs} runs; by round {each}", flush=True)
