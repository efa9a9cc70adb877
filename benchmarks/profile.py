"""Profile the processor time of a whole run: `make profile` (smoke scale), `make profile SCALE=paper`.

Runs the whole workflow again, with the compiled kernels in the cache, and sums the costs in the logs of all jobs. The
rest of the total is Snakemake itself. Prints the tables of docs/cost.md. With `--finished` it runs nothing and sums the
logs of a finished run, whose total is unknown.
"""

import argparse
import resource
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from dpbandits.claims import scoreboard
from dpbandits.errors import costs_in

MOST_EXPENSIVE = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", default="smoke", choices=["smoke", "draft", "paper"])
    parser.add_argument("--cores", default="all")
    parser.add_argument("--finished", action="store_true")
    parser.add_argument("targets", nargs="*", default=["all"])
    arguments = parser.parse_args()
    results, start, began = Path("results") / arguments.scale, time.perf_counter(), time.time()
    if arguments.finished:
        logs = list((results / "logs").rglob("*.log"))
        print(table(results, logs) if logs else f"{results}/logs: there is no finished run")
        return
    command = [sys.executable, "-m", "snakemake", "--cores", arguments.cores, "--forceall"]
    command += ["--config", f"scale={arguments.scale}", "--", *arguments.targets]
    subprocess.run(command, check=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall, total = time.perf_counter() - start, used.ru_utime + used.ru_stime
    logs = [path for path in (results / "logs").rglob("*.log") if path.stat().st_mtime >= began]
    print(table(results, logs, total, wall))


def table(results: Path, logs: list[Path], total: float | None = None, wall: float | None = None) -> str:
    """The tables of docs/cost.md: the processor seconds by rule, those of the runs by study, and the most expensive series."""
    by_rule, by_study, of_ours, series = (defaultdict(float) for _ in range(4))
    jobs, peak = Counter(), defaultdict(int)
    for path in sorted(logs):
        rule, *name = path.relative_to(results / "logs").with_suffix("").parts
        for cost in costs_in([path]):
            for series_id, seconds in cost.get("series", {}).items():
                series[" ".join([*name[:2], series_id])] += seconds
            by_rule[rule] += cost["cpu_seconds"]
            jobs[rule] += 1
            peak[rule] = max(peak[rule], cost["peak_megabytes"])
            if rule == "simulate":
                study, experiment = name[:2]
                by_study[study] += cost["cpu_seconds"]
                of_ours[study] += cost["cpu_seconds"] * experiment.startswith("s-")
    rows = [
        [rule, str(jobs[rule]), f"{by_rule[rule]:.0f}", f"{by_rule[rule] / jobs[rule]:.2f}", str(peak[rule])]
        for rule in _largest_first(by_rule)
    ]
    of_jobs = sum(by_rule.values())
    if total is not None:
        rows.append(["Snakemake itself, and starting Python", "", f"{total - of_jobs:.0f}", "", ""])
    rows.append(["**all**", str(jobs.total()), f"**{total or of_jobs:.0f}**", "", str(max(peak.values()))])
    studies = [[study, f"{by_study[study]:.0f}", f"{of_ours[study]:.0f}"] for study in _largest_first(by_study)]
    most = [[name, f"{series[name]:.1f}"] for name in _largest_first(series)[:MOST_EXPENSIVE]]
    tables = [
        _as_table(["rule", "jobs", "CPU-seconds", "per job", "peak MB"], rows),
        _as_table(["study", "CPU-seconds", "supplementary"], studies),
        _as_table(["most expensive series", "CPU-seconds"], most),
    ]
    return "\n\n".join(tables) + (f"\n\nWall time: {wall:.0f} s." if wall is not None else "")


def _largest_first(seconds: dict[str, float]) -> list[str]:
    return sorted(seconds, key=seconds.get, reverse=True)


def _as_table(columns: list[str], rows: list[list[str]]) -> str:
    return scoreboard.as_table(dict.fromkeys(columns, scoreboard.RIGHT) | {columns[0]: scoreboard.LEFT}, rows)


if __name__ == "__main__":
    main()
