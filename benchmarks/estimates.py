"""Compare the estimated costs of runs, which determine the sizes and limits of jobs, with measured costs.

Every algorithm is measured once in each kind of environment. An estimate is good enough within a factor of three, the
margin in the limits of a cluster's jobs, or for a run of under a tenth of a second. Use an idle machine: on a busy one
a time can differ more by chance.
"""

import math
import sys
import time
from pathlib import Path

from dpbandits import simulation, studies
from dpbandits.plan import costs

ROOT = Path(__file__).parent.parent
FACTOR = 3
UCB = {
    "paper": "none", "stream": "none", "seed": 1, "horizon": 10**7, "checkpoints": [10**7],
    "environment": {"kind": "bernoulli", "means": [0.9, 0.6]}, "series": {"a": {"algorithm": "ucb", "parameters": {}}},
}  # fmt: skip


def kinds_of_work():
    """One series for each algorithm in each kind of environment: the first one with the largest estimate."""
    chosen = {}
    for study in studies.load_all(ROOT / "config").values():
        for experiment in study.experiments.values():
            for policy in experiment.policies:
                spec = experiment.spec(policy.id, 1)
                series, entry = next(iter(spec["series"].items()))
                kind = (entry["algorithm"], spec["environment"]["kind"])
                one = {**spec, "series": {series: entry}}
                if kind not in chosen or costs.seconds_per_run(one) > costs.seconds_per_run(chosen[kind]):
                    chosen[kind] = one
    return chosen


def shortened(spec):
    """The same run at a shorter horizon, if it is estimated at more than a second."""
    while costs.seconds_per_run(spec) > 1:
        horizon = spec["horizon"] // 2
        spec = {**spec, "horizon": horizon, "checkpoints": [t for t in spec["checkpoints"] if t < horizon] + [horizon]}
    return spec


def measured(spec):
    """Processor seconds of a run without compilation: the smallest of three."""
    simulation.simulate(spec, 0, 0)
    least = math.inf
    for run in (1, 2, 3):
        start = time.process_time()
        simulation.simulate(spec, run, run)
        least = min(least, time.process_time() - start)
    return least


def main():
    slowness = measured(UCB) / costs.seconds_per_run(UCB)
    print(
        f"a run of UCB takes {slowness:.2f} times as long here as estimated; the other times are divided by this factor"
    )
    far = 0
    for kind, spec in kinds_of_work().items():
        spec = shortened(spec)
        estimated, took = costs.seconds_per_run(spec), measured(spec) / slowness
        near = estimated / FACTOR <= took <= FACTOR * estimated or max(estimated, took) < 0.1
        far += not near
        mark = "" if near else f"  more than a factor of {FACTOR}"
        print(f"{' in '.join(kind):45} estimated {1e3 * estimated:8.2f} ms, measured {1e3 * took:8.2f} ms{mark}")
    sys.exit(1 if far else 0)


if __name__ == "__main__":
    main()
