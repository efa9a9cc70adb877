"""Judge the closest verdicts again with many times the runs: a verdict must not hang on which runs were drawn.

Of the sentences about experiments that the reference at the paper's scale decides, those nearest to their border (in
standard errors) are simulated with `--factor` times the runs, at the paper's horizon, and judged by the same rule. Claims
whose runs would take longer than `--minutes` each are left out, and counted. Prints a table for docs/method.md.

    python benchmarks/more_runs.py --factor 50 --closest 10 --minutes 4
"""

import argparse
from dataclasses import replace
from pathlib import Path

from dpbandits import claims, simulation, studies
from dpbandits.claims.recordings import series_in
from dpbandits.files import tables
from dpbandits.plan import costs

ROOT = Path(__file__).parent.parent


def distance(row):
    """The distance of a measured number from the nearest border, in standard errors."""
    borders = [float(row[name]) for name in ("border", "border_high") if row[name]]
    return min(abs(float(row["value"]) - border) for border in borders) / float(row["standard_error"])


def closest():
    """(distance, paper, row) of every decided sentence whose number depends on chance, the closest to its border first."""
    found = []
    for path in sorted((ROOT / "reference/claims").glob("*.csv")):
        for row in tables.rows(path, checksum=False):
            decided = row["verdict"] in ("holds", "fails") and row["kind"] == "sentence"
            if decided and float(row["standard_error"] or 0) > 0:
                found.append((distance(row), path.stem, row))
    return sorted(found, key=lambda entry: entry[:2])


def with_more_runs(experiment, factor):
    """The experiment with a multiple of its runs."""
    policies = tuple(replace(policy, runs=factor * policy.runs) for policy in experiment.policies)
    return replace(
        experiment, policies=policies, design=replace(experiment.design, runs=factor * experiment.design.runs)
    )


def entries_of(experiment, claim, seed):
    """One entry for each policy in the claim: its specification, its runs in place of files, and its series."""
    wanted = set(series_in(experiment, claims.series_of(claim)))
    found = []
    for policy in experiment.policies:
        names = [series.id for series in policy.series if series.id in wanted]
        if names:
            spec = experiment.spec(policy.id, seed)
            spec = {**spec, "series": {name: spec["series"][name] for name in names}}
            found.append((spec, [(policy.home, policy.id, policy.runs)], names))
    return found


def main():
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--factor", type=int, default=50)
    options.add_argument("--closest", type=int, default=10)
    options.add_argument("--minutes", type=float, default=4)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    known = {path.stem: studies.load(path) for path in sorted((ROOT / "config/papers").glob("*.yaml"))}
    print(f"| claim | experiments | reading | border | verdict | {chosen.factor} times the runs |")
    print("| --- | --- | --- | --- | --- | --- |")
    shown = left_out = 0
    for _, name, row in closest():
        if shown == chosen.closest:
            break
        paper = known[name]
        claim = next(claim for claim in paper.claims if claim.id == row["claim"])
        judged = [
            with_more_runs(experiment, chosen.factor)
            for base in row["experiment"].split()
            for experiment in paper.readings_of(base)
            if experiment.reading in ("", row["reading"])
        ]
        entries = {experiment.id: entries_of(experiment, claim, chosen.seed) for experiment in judged}
        parts = [(spec, files[0][2]) for listed in entries.values() for spec, files, _ in listed]
        if sum(runs * costs.seconds_per_run(spec) for spec, runs in parts) > 60 * chosen.minutes:
            left_out += 1
            continue
        claim = replace(claim, experiments=tuple(experiment.base for experiment in judged))
        (again,) = claims.judge_all(
            [claim], judged, entries, chosen.seed, dict.fromkeys(entries, ()),
            read=lambda files, spec: simulation.simulate(spec, 0, files[0][2] - 1),
        )  # fmt: skip
        border = " to ".join(row[key] for key in ("border", "border_high") if row[key])
        before = f"{row['verdict']}: {row['value']} ± {row['standard_error']}"
        after = f"{again['verdict']}: {again['value']:g} ± {again['standard_error']:g}"
        print(
            f"| {name} {row['claim']} | {row['experiment']} | {row['reading']} | {row['relation']} {border} | {before} | {after} |",
            flush=True,
        )
        shown += 1
    print(
        f"\n{left_out} claims that are nearer than the last one would take longer than {chosen.minutes:g} minutes each."
    )


if __name__ == "__main__":
    main()
