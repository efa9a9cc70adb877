"""Profile the processor time of a whole run: `make profile` (smoke scale), `make profile SCALE=paper`.

Runs the whole workflow again, with the compiled kernels in the cache, and sums the costs in the logs of all jobs. The
rest of the total is Snakemake itself. Prints a table in Markdown. With `--finished` it runs nothing and sums the logs
of a finished run, whose total is unknown.
"""

import argparse
import resource
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

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
        print(table(results, list((results / "logs").rglob("*.log"))))
        return
    command = [sys.executable, "-m", "snakemake", "--cores", arguments.cores, "--forceall"]
    command += ["--config", f"scale={arguments.scale}", "--", *arguments.targets]
    subprocess.run(command, check=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall, total = time.perf_counter() - start, used.ru_utime + used.ru_stime
    logs = [path for path in (results / "logs").rglob("*.log") if path.stat().st_mtime >= began]
    print(table(results, logs, total, wall))


def table(results: Path, logs: list[Path], total: float | None = None, wall: float | None = None) -> str:
    """A table of the processor seconds by rule, those of Snakemake itself, and the most expensive series."""
    jobs, seconds, peak = defaultdict(int), defaultdict(float), defaultdict(int)
    series: dict[str, float] = defaultdict(float)
    for path in sorted(logs):
        rule, *name = path.relative_to(results / "logs").with_suffix("").parts
        for cost in costs_in([path]):
            played = cost.get("series", {})
            for series_id, series_seconds in played.items():
                series[" ".join([*name[:2], series_id])] += series_seconds
            seconds[rule] += cost["cpu_seconds"]
            seconds["of which runs"] += sum(played.values())
            jobs[rule] += 1
            peak[rule] = max(peak[rule], cost["peak_megabytes"])
    of_jobs = sum(seconds[rule] for rule in jobs)
    lines = ["| rule | jobs | CPU-seconds | per job | peak MB |", "| --- | ---: | ---: | ---: | ---: |"]
    for rule in sorted(jobs, key=seconds.get, reverse=True):
        lines.append(
            f"| {rule} | {jobs[rule]} | {seconds[rule]:.0f} | {seconds[rule] / jobs[rule]:.2f} | {peak[rule]} |"
        )
    if total is not None:
        lines.append(f"| Snakemake itself, and starting Python | | {total - of_jobs:.0f} | | |")
    lines.append(f"| **all** | {sum(jobs.values())} | **{total or of_jobs:.0f}** | | {max(peak.values())} |")
    lines += [
        "",
        f"Of these, {seconds['of which runs']:.0f} CPU-seconds are runs of the algorithms, compiling included.",
    ]
    if wall is not None:
        lines.append(f"Wall time: {wall:.0f} s.")
    lines += ["", "| most expensive series | CPU-seconds |", "| --- | ---: |"]
    for name in sorted(series, key=series.get, reverse=True)[:MOST_EXPENSIVE]:
        lines.append(f"| {name} | {series[name]:.1f} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
