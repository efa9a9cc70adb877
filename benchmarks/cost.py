"""What the seconds of a whole run decide, and how its jobs would fill many cores.

After `make figures`, the tables of docs/cost.md:

    python benchmarks/cost.py

The numbers are Snakemake's own records: seconds of the clock while a job ran, which on a busy
machine are more than those of the processor. `--horizons FILE` plays three policies at growing
horizons and draws their cost.
"""

import argparse
import heapq
import json
import time
from base64 import urlsafe_b64decode
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure

from dpbandits.bandits import Bernoulli
from dpbandits.figures.style import applied
from dpbandits.library import compare
from dpbandits.plan.plan import Plan, load
from dpbandits.policies import LDPUCB, AdaPUCB, Thompson
from dpbandits.studies.strict_yaml import read_yaml

RECORDS = Path(".snakemake/metadata")
CORES = (1, 2, 8, 64)
# What a simulation decides: the first of these that applies.
DRAWN, ANSWERS, OURS, ARENA = "the papers' figures", "answers", "figures of ours", "the arena"
THREE = (Thompson(), AdaPUCB(epsilon=1), LDPUCB(epsilon=1))
RULES = {"audit_part": "audits", "replay": "replays", "check": "checks", "draw": "drawing",
         "draw_scores": "drawing"}  # fmt: skip
HORIZONS = (10**5, 10**6, 10**7, 10**8)


def records() -> pd.DataFrame:
    """A row for each job of the paper's scale: its rule, outputs, inputs, and seconds."""
    jobs: dict[str, dict[str, Any]] = {}  # log -> job
    for path in RECORDS.iterdir():
        output = urlsafe_b64decode(path.name).decode()
        if "/smoke/" in output or not Path(output).exists():
            continue
        record = json.loads(path.read_text())
        fresh = {"rule": record["rule"], "outputs": [], "seconds": 0.0}
        job = jobs.setdefault(str(record["log"]), fresh)
        job["outputs"].append(output)
        job["inputs"] = record["input"]
        job["seconds"] = max(job["seconds"], record["endtime"] - record["starttime"])
    return pd.DataFrame(jobs.values())


def decides(plan: Plan) -> dict[str, str]:
    """Trace -> what it decides."""
    drawn = {
        table
        for row in plan.outputs.itertuples()
        if row.kind == "figure" and row.study in plan.papers
        and not plan.papers[row.study].figures[row.name.split("/")[1]].ours
        for table in row.draws
    }  # fmt: skip
    found = {}
    for row in plan.simulations.itertuples():
        if row.study in plan.arenas:
            what = ARENA
        elif f"summaries/{row.study}/{row.experiment}" in drawn:
            what = DRAWN
        else:
            what = ANSWERS if row.checks else OURS
        found[f"{plan.layout.results}/traces/{row.trace}.npz"] = what
    return found


def table_of_jobs(plan: Plan, jobs: pd.DataFrame) -> pd.DataFrame:
    """Seconds by what they decide or do, and study."""
    of_trace, rows = decides(plan), []
    for job in jobs.itertuples():
        output = job.outputs[0]
        study = next((id for id in plan.studies if f"/{id}" in output), "all")
        rows.append((of_trace.get(output, RULES.get(job.rule, "the rest")), study, job.seconds))
    table = pd.DataFrame(rows, columns=["what", "study", "seconds"])
    pivot = table.pivot_table("seconds", "what", "study", "sum", fill_value=0, margins=True)
    order = [DRAWN, ANSWERS, OURS, ARENA, *dict.fromkeys(RULES.values()), "the rest", "All"]
    return pivot.reindex([each for each in order if each in pivot.index])


def makespan(jobs: pd.DataFrame, cores: int) -> float:
    """The seconds of all jobs on so many cores, if the longest ready job starts first."""
    made_by = {output: n for n, outputs in enumerate(jobs["outputs"]) for output in outputs}
    seconds = jobs["seconds"].to_numpy()
    order = TopologicalSorter(
        {
            job: [made_by[i] for i in needs if i in made_by]
            for job, needs in enumerate(jobs["inputs"])
        }
    )
    order.prepare()
    ready: list[tuple[float, int]] = []
    running: list[tuple[float, int]] = []
    now = 0.0
    while order:
        for job in order.get_ready():
            heapq.heappush(ready, (-seconds[job], job))
        while ready and len(running) < cores:
            _, job = heapq.heappop(ready)
            heapq.heappush(running, (now + seconds[job], job))
        now, done = heapq.heappop(running)
        order.done(done)
    return now


def horizons(file: Path) -> None:
    """Draw the CPU-seconds of a run of three policies against the horizon."""
    game = Bernoulli([0.75, 0.625, 0.5, 0.375, 0.25])
    rows = []
    for policy in THREE:
        compare([policy], on=game, horizon=1000, n_runs=2, n_jobs=1)  # compiles
        for horizon in HORIZONS:
            start = time.process_time()
            compare([policy], on=game, horizon=horizon, n_runs=2, n_jobs=1)
            rows.append((type(policy).__name__, horizon, (time.process_time() - start) / 2))
    table = pd.DataFrame(rows, columns=["policy", "T", "CPU-seconds of a run"])
    print(table.to_markdown(index=False, floatfmt=".2g"))
    with applied():
        figure = Figure(figsize=(4.5, 3))
        axes = figure.add_subplot()
        looks = {"hue": "policy", "style": "policy", "palette": "colorblind", "markers": True}
        sns.lineplot(table, x="T", y="CPU-seconds of a run", ax=axes, **looks)
        axes.set(xscale="log", yscale="log")
        figure.savefig(file, bbox_inches="tight", metadata={"Date": None})


def main() -> None:
    """Print the tables, or draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--horizons", type=Path, metavar="FILE", help="draw cost by horizon")
    options = parser.parse_args()
    if options.horizons:
        horizons(options.horizons)
        return
    plan, jobs = load(read_yaml("config/config.yaml")), records()
    print(table_of_jobs(plan, jobs).round().astype(int).to_markdown())
    total = jobs["seconds"].sum()
    longest = jobs.nlargest(5, "seconds")
    print(f"\n{len(jobs)} jobs. The longest:")
    for job in longest.itertuples():
        print(f"{job.outputs[0]}: {job.seconds:.0f} s, {job.seconds / total:.1%}")
    print()
    for cores in CORES:
        print(f"{cores} cores: {makespan(jobs, cores):.0f} s, total/{cores} {total / cores:.0f} s")
    print(f"as many cores as jobs: {makespan(jobs, len(jobs)):.0f} s")


if __name__ == "__main__":
    main()
