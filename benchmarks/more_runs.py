"""Judge the closest verdicts again with many times the runs: a verdict must not hang on which runs were drawn.

Of each paper's sentences about experiments that the reference at the paper's scale decides in a reading, those nearest to
another verdict (in standard errors of the number that decides) are measured again: that number is simulated with `--factor`
times the runs, at the paper's horizon, and judged by the same rule. Numbers whose runs would take longer than `--minutes`
are left out, and counted. Prints a table for docs/method.md.

    python benchmarks/more_runs.py --factor 50 --closest 3 --minutes 4
"""

import argparse
import math
from dataclasses import replace
from pathlib import Path

from dpbandits import claims, simulation, studies
from dpbandits.claims import scoreboard, sentences
from dpbandits.claims.recordings import series_in
from dpbandits.plan import costs

ROOT = Path(__file__).parent.parent


def distance(row):
    """The distance of a measured number from the nearest border, in standard errors; infinite if no chance is in it."""
    borders = [row[name] for name in ("border", "border_high") if row[name] is not None]
    if row["value"] is None or not row["standard_error"]:
        return math.inf
    return min(abs(row["value"] - border) for border in borders) / row["standard_error"]


def deciding(sentence, verdict, rows):
    """The rows that decide a sentence, and how far they are from another verdict: one row, or all that are averaged.

    Where all rows must hold, or one must, the nearest of those that hold is one that could end it, and of those that fail
    the farthest must change as well; by the same count `in most panels`.
    """
    if sentence.rule == sentences.ON_AVERAGE:
        return rows, distance(sentences.mean_of(rows))
    same = sorted((row for row in rows if row["verdict"] == verdict), key=distance)
    every_one_must_change = (sentence.rule == "in all panels") == (verdict == "fails")
    if sentence.rule == "in most panels":
        spare = len(same) - len(rows) // 2 - 1 if verdict == "holds" else len(same) - (len(rows) + 1) // 2
        row = same[max(0, spare)]
    else:
        row = same[-1 if every_one_must_change else 0]
    return [row], distance(row)


def closest(paper):
    """(distance, sentence, reading, verdict, deciding rows) of every decided sentence of a paper, the closest first."""
    rows = scoreboard.read_claims(ROOT / f"reference/claims/{paper.id}.csv", checksum=False)
    found = []
    for sentence in paper.sentences:
        for judged in sentences.judged(sentence, paper, rows):
            if sentence.kind == "sentence" and judged["verdict"] in ("holds", "fails"):
                mine = sentences.rows_of(sentence, judged["reading"], rows)
                decisive, far = deciding(sentence, judged["verdict"], mine)
                if far < math.inf:
                    found.append((far, sentence, judged["reading"], judged["verdict"], decisive))
    return sorted(found, key=lambda entry: (entry[0], entry[1].id, entry[2]))


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


def again(paper, row, factor, seed, minutes):
    """The row of a claim with a multiple of its runs; None if these would take too long."""
    claim = next(claim for claim in paper.claims if claim.id == row["claim"])
    judged = [
        with_more_runs(experiment, factor)
        for base in row["experiment"].split()
        for experiment in paper.readings_of(base)
        if experiment.reading in ("", row["reading"])
    ]
    entries = {experiment.id: entries_of(experiment, claim, seed) for experiment in judged}
    parts = [(spec, files[0][2]) for listed in entries.values() for spec, files, _ in listed]
    if sum(runs * costs.seconds_per_run(spec) for spec, runs in parts) > 60 * minutes:
        return None
    claim = replace(claim, experiments=tuple(experiment.base for experiment in judged))
    (found,) = claims.judge_all(
        [claim], judged, entries, seed, dict.fromkeys(entries, ()),
        read=lambda files, spec: simulation.simulate(spec, 0, files[0][2] - 1),
    )  # fmt: skip
    return found


def main():
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--factor", type=int, default=50)
    options.add_argument("--closest", type=int, default=3, help="sentences of each paper")
    options.add_argument("--minutes", type=float, default=4)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("papers", nargs="*", help="only these")
    chosen = options.parse_args()
    print(f"| sentence | measured by | reading | border | verdict | {chosen.factor} times the runs |")
    print("| --- | --- | --- | --- | --- | --- |")
    left_out = {}
    for path in sorted((ROOT / "config/papers").glob("*.yaml")):
        if path.stem not in (chosen.papers or (path.stem,)):
            continue
        paper, shown = studies.load(path), 0
        for _, sentence, reading, verdict, rows in closest(paper):
            if shown == chosen.closest:
                break
            found = [again(paper, row, chosen.factor, chosen.seed, chosen.minutes / len(rows)) for row in rows]
            if None in found:
                left_out[paper.id] = left_out.get(paper.id, 0) + 1
                continue
            before, after = sentences.mean_of(rows), sentences.mean_of(found)
            measured = " ".join(f"{row['claim']} on {row['experiment']}" for row in rows)
            now = sentences.verdict_of(sentence, reading, found)[0]
            print(
                f"| {paper.id} {sentence.id} | {measured} | {reading} | {scoreboard.expected(before)} | {verdict}: "
                f"{scoreboard.number(before)} | {now}: {scoreboard.number(after)} |",
                flush=True,
            )
            shown += 1
    for paper, number in left_out.items():
        print(
            f"\n{paper}: {number} that are nearer than the last one would take longer than {chosen.minutes:g} minutes."
        )


if __name__ == "__main__":
    main()
