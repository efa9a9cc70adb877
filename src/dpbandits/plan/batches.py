"""Batches: the policies of an experiment that one job simulates, a chunk of runs at a time.

A policy that plays many rounds has jobs of its own, and so has a guest: a change of one repeats no other's long job. Those
that play few rounds in the same number of runs share a job, since it takes longer to start one, and so do those on a log, which
is drawn once for all. Results do not depend on batches or chunks: a run's random numbers follow from its own name.
"""

import math
from collections.abc import Iterator
from typing import Any

from dpbandits import environments
from dpbandits.studies.experiment import Experiment, Policy

FEW = 10**9  # rounds of all series in a chunk of runs: about half a minute of most policies


def batches(
    experiment: Experiment, seed: int, block: int | None = None, together: bool = False
) -> Iterator[list[dict]]:
    """The batches of an experiment: of each the arguments of `simulate` for its chunks.

    `block`: the number of runs in a chunk, if not that of the paper file; `together`: however long policies play.
    """
    alone, shared = [], {}
    together |= environments.family_of(experiment.environment["kind"]) == "logs"
    for policy in experiment.policies.values():
        few = _block(experiment, policy) * len(policy.series) * experiment.design.horizon <= FEW
        if not policy.guest and (together or few):
            shared.setdefault(policy.runs, []).append(policy)
        else:
            alone.append([policy])
    for number, group in enumerate([*shared.values(), *alone], start=1):
        specs, runs = [experiment.spec(policy.id, seed) for policy in group], group[0].runs
        series = {id: each for spec in specs for id, each in spec["series"].items()}
        spec = {
            **specs[0],
            "policy": group[0].id if len(group) == 1 else f"together-{number}",
            "series": series,
        }
        size = block or _block(experiment, group[0])
        yield [
            {"spec": spec, "first": n, "last": min(n + size, runs) - 1}
            for n in range(0, runs, size)
        ]


def rounds_of(chunk: dict[str, Any]) -> int:
    """How many rounds a job plays."""
    return (
        (chunk["last"] - chunk["first"] + 1)
        * len(chunk["spec"]["series"])
        * chunk["spec"]["horizon"]
    )


def _block(experiment: Experiment, policy: Policy) -> int:
    """The runs in a chunk: more runs make larger chunks, not more."""
    block, runs = experiment.design.block, experiment.design.runs
    return math.ceil(min(block, runs) * policy.runs / runs)
