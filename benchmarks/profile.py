"""Where the time of a whole run goes: `make profile`, `make profile SCALE=paper`.

Makes the tables of docs/cost.md. Runs the whole workflow again, with the compiled kernels in the
cache, and adds up the times that Snakemake keeps of each job (.snakemake/metadata). With
`--finished` it runs nothing and takes those of the last run. Times are of the clock: run nothing
beside it, and no more jobs at once than there are processors.
"""

import argparse
import base64
import json
import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from pathlib import Path

LISTED = 10  # of the longest jobs
CORES = (1, 2, 4, 8, 16, 32, 64)


@dataclass
class Job:
    """A job that has run; its name is that of its log, without rule and suffix."""

    rule: str
    name: tuple[str, ...]
    seconds: float
    began: float
    inputs: set[str]
    outputs: set[str] = field(default_factory=set)


def jobs_of(results: Path) -> list[Job]:
    """The jobs whose logs are below `results`.

    Snakemake has a record for every output, in a file named by it in base64.
    """
    found: dict[tuple, Job] = {}
    metadata, logs = Path(".snakemake/metadata"), results / "logs"
    for path in metadata.rglob("*"):
        if not path.is_file():
            continue
        record = json.loads(path.read_text(encoding="utf-8"))
        if not record.get("log") or not Path(record["log"][0]).is_relative_to(logs):
            continue
        parts = Path(record["log"][0]).relative_to(logs).with_suffix("").parts
        name = [part for part in parts if part != record["rule"]]
        key = record["rule"], *name
        if key not in found:
            took = record["endtime"] - record["starttime"]
            found[key] = Job(
                record["rule"], tuple(name), took, record["starttime"], set(record["input"])
            )
        parts = [part.removeprefix("@") for part in path.relative_to(metadata).parts]
        found[key].outputs.add(base64.urlsafe_b64decode("".join(parts)).decode())
    return list(found.values())


def wall_time(jobs: Sequence[Job], cores: int) -> float:
    """How long these jobs take on so many cores.

    Of the jobs whose inputs exist, a free core takes the one with the most time on its way to the
    end.
    """
    makes = {output: i for i, job in enumerate(jobs) for output in job.outputs}
    needs = [
        {makes[name] for name in job.inputs if name in makes} - {i} for i, job in enumerate(jobs)
    ]
    users = defaultdict(list)
    for i, needed in enumerate(needs):
        for other in needed:
            users[other].append(i)
    ahead = [0.0] * len(jobs)
    for i in sorted(
        range(len(jobs)), key=lambda i: -jobs[i].began
    ):  # users began after what they need
        ahead[i] = jobs[i].seconds + max((ahead[user] for user in users[i]), default=0.0)
    ready, running, clock = [], [], 0.0
    for i, needed in enumerate(needs):
        if not needed:
            heappush(ready, (-ahead[i], i))
    while ready or running:
        while ready and len(running) < cores:
            _, i = heappop(ready)
            heappush(running, (clock + jobs[i].seconds, i))
        clock, done = heappop(running)
        for user in users[done]:
            needs[user].remove(done)
            if not needs[user]:
                heappush(ready, (-ahead[user], user))
    return clock


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def sums(seconds: Mapping[str, list[float]]) -> list[list[str]]:
    """Rows of name, number of jobs, their sum and the longest; the largest sum first."""
    ordered = sorted(seconds.items(), key=lambda item: -sum(item[1]))
    return [
        [name, str(len(each)), f"{sum(each):.0f}", f"{max(each):.1f}"] for name, each in ordered
    ]


def tables(jobs: Sequence[Job]) -> str:
    """By rule, by study, the longest jobs, and how long all take on more cores."""
    by_rule, by_study = defaultdict(list), defaultdict(list)
    for job in jobs:
        by_rule[job.rule].append(job.seconds)
        if job.rule == "simulate":
            by_study[job.name[0]].append(job.seconds)
    longest = sorted(jobs, key=lambda job: -job.seconds)[:LISTED]
    return "\n\n".join(
        [
            table(
                ["rule", "jobs", "seconds", "longest job"],
                sums(by_rule | {"**all**": [j.seconds for j in jobs]}),
            ),
            table(["simulations of", "jobs", "seconds", "longest job"], sums(by_study)),
            table(
                ["longest jobs", "seconds"],
                [[" ".join([j.rule, *j.name]), f"{j.seconds:.1f}"] for j in longest],
            ),
            table(
                ["cores", *map(str, CORES)],
                [["seconds", *(f"{wall_time(jobs, n):.0f}" for n in CORES)]],
            ),
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scale", default="smoke", choices=["smoke", "paper"])
    parser.add_argument("--cores", default="all")
    parser.add_argument("--finished", action="store_true")
    parser.add_argument("targets", nargs="*", default=["all"])
    options = parser.parse_args()
    began, start = time.time(), time.perf_counter()
    if not options.finished:
        command = [sys.executable, "-m", "snakemake", "--cores", options.cores, "--forceall"]
        subprocess.run(
            [*command, "--config", f"scale={options.scale}", "--", *options.targets], check=True
        )
    jobs = jobs_of(Path("results") / options.scale)
    if not options.finished:
        jobs = [job for job in jobs if job.began >= began]
    print(tables(jobs) if jobs else f"there is no finished run of results/{options.scale}")
    if not options.finished:
        used, took = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - start
        print(f"\n{took:.0f} s, {used.ru_utime + used.ru_stime:.0f} CPU-seconds in all")


if __name__ == "__main__":
    main()
