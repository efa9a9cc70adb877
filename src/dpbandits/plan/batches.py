"""Batches: the policies of an experiment that one job simulates, a chunk of runs at a time.

A policy that plays many rounds has jobs of its own, and so has a guest: a change of one repeats no other's long job. Those
that play few rounds in the same number of runs share a job, since it takes longer to start one, and so do those on a log, which
is drawn once for all. Results do not depend on batches or chunks: a run's random numbers follow from its own name.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpbandits import environments
from dpbandits.studies.experiment import Experiment, Policy

FEW = 10**9  # rounds of all series in a chunk of runs: about half a minute of most policies


@dataclass(frozen=True)
class Batch:
    """Policies of one experiment that are simulated together; `id` is that of the policy if there is only one."""

    id: str
    policies: tuple[str, ...]
    spec: Mapping[str, Any]
    runs: int
    block: int  # the number of runs in a chunk

    @property
    def rounds(self) -> int:
        """How many rounds a job plays."""
        return self.block * len(self.spec["series"]) * self.spec["horizon"]

    @property
    def chunks(self) -> list[str]:
        """The first and the last run of each job."""
        return [f"{first}-{min(first + self.block, self.runs) - 1}" for first in range(0, self.runs, self.block)]


def batches(experiment: Experiment, seed: int, block: int | None = None, together: bool = False) -> list[Batch]:
    """The batches of an experiment. `block`: the number of runs in a chunk, if not that of the paper file; `together`: however
    long policies play."""
    alone, shared = [], {}
    together |= environments.family_of(experiment.environment["kind"]) == "logs"
    for policy in experiment.policies.values():
        few = _block(experiment, policy) * len(policy.series) * experiment.design.horizon <= FEW
        if not policy.guest and (together or few):
            shared.setdefault(policy.runs, []).append(policy)
        else:
            alone.append([policy])
    found = []
    for number, group in enumerate([*shared.values(), *alone], start=1):
        name = group[0].id if len(group) == 1 else f"together-{number}"
        spec = {**experiment.spec(group[0].id, seed), "policy": name}
        spec["series"] = {id: s for policy in group for id, s in experiment.spec(policy.id, seed)["series"].items()}
        size = min(block or _block(experiment, group[0]), group[0].runs)
        found.append(Batch(name, tuple(policy.id for policy in group), spec, group[0].runs, size))
    return found


def _block(experiment: Experiment, policy: Policy) -> int:
    """The runs in a chunk: more runs make larger chunks, not more."""
    block, runs = experiment.design.block, experiment.design.runs
    return math.ceil(min(block, runs) * policy.runs / runs)
