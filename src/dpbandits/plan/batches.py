"""Batches: the policies of an experiment that one job simulates.

Starting a job takes longer than simulating most policies, and some environments draw the game of a run once for all
policies of a job. Therefore those policies of an experiment whose block of runs takes only seconds share a job, in the order
of the paper file, as long as the job stays short. A policy that takes longer has jobs of its own, so that a change of another
policy never repeats it. Results do not depend on the batches: a run's
random numbers follow from its own name.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dpbandits import algorithms
from dpbandits.plan import costs
from dpbandits.studies.study import Experiment, Policy

SHORT = 15.0  # seconds for a block of runs: a policy that takes longer does not share its job
TOGETHER = 30.0  # seconds for a block of runs of all policies of a shared job


@dataclass(frozen=True)
class Batch:
    """Policies of one experiment that are simulated together; `id` is that of the policy if there is only one."""

    id: str
    policies: tuple[str, ...]
    spec: Mapping[str, Any]
    runs: int
    block: int  # runs in one job, as the paper file says


def batches(
    experiment: Experiment,
    seed: int,
    apart: Collection[str] = (),
    short: float = SHORT,
    together: float = TOGETHER,
) -> list[Batch]:
    """The batches of the policies that are simulated for this experiment; those in `apart` share no job."""
    policies = experiment.policies
    seconds = {p.id: _block(experiment, p) * costs.seconds_per_run(experiment.spec(p.id, seed)) for p in policies}
    sharing = [policy for policy in policies if policy.id not in apart and seconds[policy.id] <= short]
    found = []
    for number, group in enumerate(_grouped(sharing, seconds, together), start=1):
        name = group[0].id if len(group) == 1 else f"together-{number}"
        found.append(_batch(experiment, name, group, seed))
    return found + [_batch(experiment, policy.id, [policy], seed) for policy in policies if policy not in sharing]


def times_of(guests: Iterable[str], jobs: Iterable[tuple[Batch, int]]) -> list[str]:
    """A line for each guest that takes minutes or hours to simulate, with the remedy if it is not compiled.

    `jobs`: those that are to run, each a batch and a number of runs of it.
    """
    lines, jobs = [], list(jobs)
    for guest in guests:
        own = [(batch, runs) for batch, runs in jobs if guest in batch.policies]
        minutes = sum(runs * costs.seconds_per_run(batch.spec) for batch, runs in own) / 60
        played = {algorithms.find(entry["algorithm"]) for batch, _ in own for entry in batch.spec["series"].values()}
        remedy = "" if all(map(costs.is_compiled, played)) else "; with @kernel a policy takes a hundredth"
        if minutes >= 5:
            time = f"{minutes / 60:.1f} hours" if minutes >= 90 else f"{minutes:.0f} minutes"
            lines.append(f"guest {guest}: about {time} of computing time{remedy}")
    return lines


def _grouped(policies: list[Policy], seconds: Mapping[str, float], together: float) -> Iterator[list[Policy]]:
    """Group policies that have the same number of runs, so that no group takes longer than `together`."""
    for runs in dict.fromkeys(policy.runs for policy in policies):
        group, total = [], 0.0
        for policy in (one for one in policies if one.runs == runs):
            if group and total + seconds[policy.id] > together:
                yield group
                group, total = [], 0.0
            group.append(policy)
            total += seconds[policy.id]
        yield group


def _batch(experiment: Experiment, name: str, policies: list[Policy], seed: int) -> Batch:
    specs = [experiment.spec(policy.id, seed) for policy in policies]
    series = {series: entry for spec in specs for series, entry in spec["series"].items()}
    first = policies[0]
    together = {**specs[0], "policy": name, "series": series}
    return Batch(name, tuple(p.id for p in policies), together, first.runs, _block(experiment, first))


def _block(experiment: Experiment, policy: Policy) -> int:
    """The runs in one job: a policy with runs of its own has as many jobs as the others."""
    block, runs = experiment.design.block, experiment.design.runs
    return math.ceil(min(block, runs) * policy.runs / runs)
