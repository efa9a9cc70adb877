"""The arena's ranking again, by plain Python: do the compiled policies have the regrets of the slow ones, and their order?

Each policy of two cells of the arena plays a shorter game twice: by its plain twin of tests/plain, which draws every reward by
itself from a generator of NumPy's, and by its kernel, at the setting that spends its promise in that game. Prints, for each cell
and epsilon, both means and their distance in standard errors, from the spread of the kernel's runs; then how often the order
of two policies of a league differs. docs/arena.md has what came out.
`--runs` is for policies that play round by round; those in phases or episodes have twenty times as many.

    python benchmarks/plain_ranking.py                             # about fifteen minutes of processor time
    python benchmarks/plain_ranking.py --cells two-arms --runs 5   # one cell, less exactly
"""

import argparse
import inspect
import itertools
import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from dpbandits import simulation, studies
from dpbandits.algorithms.arms import dp_ucb_int
from dpbandits.arena import cells
from dpbandits.claims import scoreboard
from dpbandits.studies.arena import epsilon_that_spends_the_promise

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from plain import (  # noqa: E402
    azize2022,
    azize2024,
    azize2025,
    baselines,
    chowdhury2023,
    gajane2018,
    mishra2015,
    sarkar2025,
    tossou2016,
    tossou2017,
)

MODULES = (baselines, tossou2016, azize2022, azize2024, azize2025, chowdhury2023, gajane2018, mishra2015, sarkar2025)
CHEAP = 200  # whoever has as many runs in the arena plays in phases or episodes
COMPILED = 10  # times as many runs of the kernels
COLUMNS = dict.fromkeys(("league", "policy"), scoreboard.LEFT)
COLUMNS |= dict.fromkeys(("runs", "plain Python", "kernel", "distance"), scoreboard.RIGHT)


def interval(rng, means, horizon, *, epsilon, delta, v, schedule, may_stay_in_round_robin, one_by_one):
    inside = dp_ucb_int.input_epsilon(epsilon, delta, v)
    return tossou2016.dp_ucb_int(rng, means, horizon, inside, v, schedule=schedule, one_by_one=one_by_one)


def of_adversaries(name):
    """A policy for games, on a table of rewards."""

    def play(rng, means, horizon, **given):
        player = tossou2017.Player((rng.random((horizon, len(means))) < means).astype(float).tolist())
        getattr(tossou2017, name)(rng, player, **given)
        return player.actions

    return play


SPECIAL = {
    "dp_ucb_int": interval,
    "exp3_on_arms": of_adversaries("exp3"),
    "dp_exp3_lap_on_arms": of_adversaries("dp_exp3_lap"),
}


def twin_of(series):
    """The twin of a series with its parameters, or None if there is none, or none for one of the parameters."""
    module = next((module for module in MODULES if hasattr(module, series.algorithm)), None)
    twin = SPECIAL.get(series.algorithm) or getattr(module, series.algorithm, None)
    if twin is None:
        return None
    given, known = dict(series.parameters), inspect.signature(twin).parameters
    if given.get("planned_for") == "T" or given.get("failure_prob") == 0.1:
        return None
    if "one_by_one" in known:
        given["one_by_one"] = True
    return lambda rng, means, horizon: twin(rng, means, horizon, **given)


def plain_regrets(twin, means, horizon, runs, seed):
    """The final regret of every run, the arms in another order in each."""
    found = []
    for run in range(runs):
        rng = np.random.default_rng([seed, run])
        order = rng.permutation(means)
        counts = np.bincount(twin(rng, order.tolist(), horizon), minlength=len(order))
        found.append(float(counts @ (order.max() - order)))
    return np.array(found)


def compiled_regrets(experiment, policy, series, horizon, runs):
    entry = {"algorithm": series.algorithm, "parameters": dict(series.parameters)}
    spec = {**experiment.spec(policy.id, 1), "horizon": horizon, "checkpoints": [horizon], "series": {series.id: entry}}
    return simulation.simulate(spec, 0, runs - 1).values["regret"][0, :, -1]


def of_cell(arena, experiment, epsilon, horizon, runs):
    """(league, label, regrets of the twin, regrets of the kernel) of every policy with a twin; prints who has none."""
    means = simulation.make_environment(experiment.environment).arms.means
    for number, policy in enumerate(experiment.policies):
        member = arena.members[policy.id]
        if policy.as_printed_of:
            continue
        if member.private:
            at = next(series for series in policy.series if arena.epsilons[series.variant] == epsilon)
            league = replace(at, parameters={**at.parameters, "epsilon": epsilon})
            spent = epsilon_that_spends_the_promise(league, horizon, len(means))
            series = replace(league, parameters={**league.parameters, "epsilon": spent})
        else:
            series = policy.series[0]
        twin = twin_of(series)
        if twin is None:
            print(f"no twin: {member.label}")
            continue
        many = runs * (20 if policy.runs >= CHEAP and policy.id != arena.yardstick else 1)
        slow = plain_regrets(twin, means, horizon, many, seed=number)
        fast = compiled_regrets(experiment, policy, series, horizon, COMPILED * many)
        print(
            f"{experiment.id}, ε = {epsilon:g}, {member.label}: {slow.mean():.1f}, {fast.mean():.1f}",
            file=sys.stderr,
            flush=True,
        )
        yield cells.promise_of(series, horizon, len(means), epsilon).league, member.label, slow, fast


def standard_error(regrets, runs):
    """Of the mean of so many runs with the law of these."""
    return regrets.std(ddof=1) / math.sqrt(runs)


def distance(difference, *errors):
    """In standard errors; 0 where nothing but rounding differs."""
    return 0.0 if abs(difference) < 1e-6 else difference / max(math.hypot(*errors), 1e-9)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", nargs="+", default=["two-arms", "C2"])
    parser.add_argument("--epsilons", nargs="+", type=float, default=[0.1, 1.0])
    parser.add_argument("--horizon", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=20)
    given = parser.parse_args()
    study = studies.load(ROOT / "config/arena.yaml")
    distances, pairs, other_order, apart = [], 0, 0, []
    for cell, epsilon in itertools.product(given.cells, given.epsilons):
        experiment = study.experiments[cell]
        print(f"\n{cell}, ε = {epsilon:g}, T = {given.horizon:,}\n")
        rows = list(of_cell(study.arena, experiment, epsilon, given.horizon, given.runs))
        lines = []
        for league, label, slow, fast in sorted(rows, key=lambda row: (cells.LEAGUES.index(row[0]), row[2].mean())):
            errors = standard_error(fast, len(slow)), standard_error(fast, len(fast))
            far = distance(slow.mean() - fast.mean(), *errors)
            distances.append((abs(far), f"{label}, {cell}, ε = {epsilon:g}"))
            numbers = f"{slow.mean():.1f} ± {errors[0]:.1f}", f"{fast.mean():.1f} ± {errors[1]:.1f}", f"{far:.1f}"
            lines.append([league, label, str(len(slow)), *numbers])
        print(scoreboard.as_table(COLUMNS, lines), flush=True)
        for one, other in itertools.combinations(rows, 2):
            if one[0] == other[0]:
                pairs += 1
                gap = one[2].mean() - other[2].mean()
                if gap * (one[3].mean() - other[3].mean()) < 0:
                    other_order += 1
                    far = abs(distance(gap, *(standard_error(fast, len(slow)) for _, _, slow, fast in (one, other))))
                    apart += [f"{one[1]} and {other[1]}, {cell}, ε = {epsilon:g}: {far:.1f}"] if far > 2 else []
    far, where = max(distances)
    beyond = sum(distance > 2 for distance, _ in distances)
    print(f"\n{len(distances)} means: {beyond} farther apart than two standard errors, at most {far:.1f} ({where})")
    print(f"{pairs} pairs of a league: {other_order} in another order, {len(apart)} by more than two standard errors")
    print(*apart, sep="\n")


if __name__ == "__main__":
    main()
