"""Judge the closest verdicts again with many times the runs: a verdict must not hang on which runs were drawn.

Of each paper's sentences about experiments that the reference at the paper's scale decides in a reading, those are
measured again that are within `--within` standard errors of another verdict: the number that decides is simulated with
as many times the runs as take `--minutes`, at most `--most` times, at the paper's horizon, and judged by the same rule.
Prints a table for docs/method.md, which names those that would take longer even with twice the runs.

    python benchmarks/more_runs.py --within 6 --most 50 --minutes 2
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


def again(paper, row, seed, minutes, most):
    """The row of a claim with many times its runs, and how many times; None if even twice its runs would take too long."""
    claim = next(claim for claim in paper.claims if claim.id == row["claim"])
    experiments = [
        experiment
        for base in row["experiment"].split()
        for experiment in paper.readings_of(base)
        if experiment.reading in ("", row["reading"])
    ]
    once = sum(
        files[0][2] * costs.seconds_per_run(spec)
        for experiment in experiments
        for spec, files, _ in entries_of(experiment, claim, seed)
    )
    factor = min(most, int(60 * minutes / once))
    if factor < 2:
        return None
    judged = [with_more_runs(experiment, factor) for experiment in experiments]
    entries = {experiment.id: entries_of(experiment, claim, seed) for experiment in judged}
    claim = replace(claim, experiments=tuple(experiment.base for experiment in judged))
    (found,) = claims.judge_all(
        [claim], judged, entries, seed, dict.fromkeys(entries, ()),
        read=lambda files, spec: simulation.simulate(spec, 0, files[0][2] - 1),
    )  # fmt: skip
    return found, factor


def main():
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--within", type=float, default=6, help="standard errors of another verdict")
    options.add_argument("--most", type=int, default=50, help="times the runs")
    options.add_argument("--minutes", type=float, default=2, help="per sentence")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("papers", nargs="*", help="only these")
    chosen = options.parse_args()
    print("| sentence | measured by | reading | border | verdict | runs | verdict with these |")
    print("| --- | --- | --- | --- | --- | ---: | --- |")
    for path in sorted((ROOT / "config/papers").glob("*.yaml")):
        if path.stem not in (chosen.papers or (path.stem,)):
            continue
        paper = studies.load(path)
        for far, sentence, reading, verdict, rows in closest(paper):
            if far > chosen.within:
                break
            found = [again(paper, row, chosen.seed, chosen.minutes / len(rows), chosen.most) for row in rows]
            before = sentences.mean_of(rows)
            more, then = "–", "takes longer"
            if None not in found:
                found, factors = zip(*found, strict=True)
                more = f"× {min(factors)}"
                now = sentences.verdict_of(sentence, reading, found)[0]
                then = f"{now}: {scoreboard.number(sentences.mean_of(found))}"
            measured = " ".join(f"{row['claim']} on {row['experiment']}" for row in rows)
            print(
                f"| {paper.id} {sentence.id} | {measured} | {reading} | {scoreboard.expected(before)} | {verdict}: "
                f"{scoreboard.number(before)} | {more} | {then} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
