"""Batches: the policies of an experiment that one job simulates, a chunk of runs at a time.

A policy that plays many rounds has jobs of its own, and so has a guest: a change of one policy
repeats no long job of another. Policies that play few rounds in the same number of runs share a
job, because to start one takes longer than to play them. So do policies on a log, which is drawn
once for all.
Results depend neither on batches nor on chunks: a run's random numbers follow from its own name.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from dpbandits.studies.experiment import Experiment, Policy

FEW_ROUNDS = 10**9  # of all series in a chunk of runs: half a minute of most policies


@dataclass(frozen=True)
class Batch:
    """Policies that are simulated together, a chunk of runs at a time."""

    policies: str  # the name of the batch: that of its policy, or together-<n>
    ids: tuple[str, ...]
    chunks: tuple[tuple[int, int], ...]  # the first and the last run of each job
    experiment: Experiment
    rounds_of_run: int  # of all its series


def batches(
    experiment: Experiment, block: int | None = None, together: bool = False
) -> Iterator[Batch]:
    """Divide the policies of an experiment into batches.

    `block` replaces the paper file's number of runs in a chunk. With `together`, policies share a
    job however long they play.
    """
    alone, shared, horizon = [], {}, experiment.design.horizon
    together |= experiment.bandit.family == "logs"
    for policy in experiment.policies.values():
        rounds = _block(experiment, policy) * len(policy.series) * horizon
        if not policy.guest and (together or rounds <= FEW_ROUNDS):
            shared.setdefault(policy.runs, []).append(policy)
        else:
            alone.append([policy])
    for number, group in enumerate([*shared.values(), *alone], start=1):
        runs, ids = group[0].runs, tuple(policy.id for policy in group)
        name = ids[0] if len(ids) == 1 else f"together-{number}"
        size = block or _block(experiment, group[0])
        chunks = tuple((first, min(first + size, runs) - 1) for first in range(0, runs, size))
        rounds = sum(len(policy.series) for policy in group) * horizon
        yield Batch(name, ids, chunks, experiment, rounds)


def _block(experiment: Experiment, policy: Policy) -> int:
    """The runs in a chunk: more runs make larger chunks, not more of them."""
    block, runs = experiment.design.block, experiment.design.runs
    return math.ceil(min(block, runs) * policy.runs / runs)
