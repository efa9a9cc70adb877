"""The runs of the arena by cell: one policy on one instance at one epsilon, and resamples of them."""

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from dpbandits import simulation
from dpbandits.audit import promises
from dpbandits.audit.audit_table import ALARMS, rows_by
from dpbandits.environments.arms import Arms
from dpbandits.files import traces
from dpbandits.files.traces import Entry
from dpbandits.studies.study import Arena, Experiment, Series
from dpbandits.theory.azize2025 import azize2025_lower_bound
from dpbandits.theory.gajane2018 import gajane2018_lower_bound

Value = TypeVar("Value")
PURE, APPROXIMATE, AGGREGATOR, LOCAL, NONE = "central pure", "central approximate", "aggregator", "local", "none"
LEAGUES = (PURE, APPROXIMATE, AGGREGATOR, LOCAL, NONE)
PRIVATE = LEAGUES[:-1]
LOWER_BOUNDS = {  # of the regret on Bernoulli arms
    PURE: ("lower bound", azize2025_lower_bound),
    LOCAL: ("lower bound of randomised response", gajane2018_lower_bound),
}


@dataclass(frozen=True)
class Promise:
    """The promise of a series and the total of its ledger; no promise has the league `none`.

    A league is whom one trusts: with the rewards and a pure promise, with them and a delta, with their sums, or nobody.
    """

    league: str
    delta: float = 0.0
    spent: float = math.nan
    kept: bool = True
    measured: float = math.nan  # what the audit finds at least; nan where its games cost more than is spent


@dataclass(frozen=True)
class Cell:
    """The runs of one policy on one instance at one epsilon, which is nan for a policy without epsilon."""

    instance: str
    policy: str
    epsilon: float  # the league's, which the policy's own parameter need not be
    game: int  # 0 for the game that everybody plays, and the horizon of a shorter or longer one
    means: np.ndarray
    t: np.ndarray
    runs: np.ndarray  # (run, checkpoint)
    promise: Promise
    is_binary: bool = True  # whether the rewards are 0 or 1

    @property
    def final(self) -> np.ndarray:
        """The regret of every run at the end of the game."""
        return self.runs[:, -1]

    @property
    def gap(self) -> float:
        """The gap between the best arm and the second best."""
        second, best = np.sort(self.means)[-2:]
        return float(best - second)


@dataclass(frozen=True)
class Field:
    """All cells of the arena, with resamples of their runs: run i of an instance is resampled for all policies alike."""

    arena: Arena
    cells: tuple[Cell, ...]
    chosen: Mapping[tuple[str, int, int], np.ndarray] = field(default_factory=dict)  # instance, game, runs -> runs
    known: dict[Hashable, Any] = field(default_factory=dict)  # what is the same for all resamples
    parts = ()  # no experiments: a claim about cells names none (compare `verdicts.runs`)

    @property
    def fewest(self) -> int:
        """The smallest number of runs of a policy that spends as much as the others of its league."""
        return min(len(cell.runs) for cell in self.cells if not self.arena.members[cell.policy].as_printed_of)

    def _once(self, name: Hashable, compute: Callable[[], Value]) -> Value:
        """A value that no resample changes, computed when it is first needed."""
        if name not in self.known:
            self.known[name] = compute()
        return self.known[name]

    def cell(self, policy: str, instance: str, epsilon: float, game: int = 0) -> Cell | None:
        """A policy's cell; of a policy without epsilon the same one at every epsilon; None if it does not play there."""
        by_name = self._once("cells", lambda: {self._name_of(cell): cell for cell in self.cells})
        return by_name.get((policy, instance, epsilon if self.arena.members[policy].private else None, game))

    def _name_of(self, cell: Cell) -> tuple[str, str, float | None, int]:
        epsilon = cell.epsilon if self.arena.members[cell.policy].private else None
        return cell.policy, cell.instance, epsilon, cell.game

    def finals(self, cell: Cell) -> np.ndarray:
        """The regrets at the end of the game of all runs, or of this resample."""
        chosen = self.chosen.get((cell.instance, cell.game, len(cell.runs)))
        final = self._once(("final", *self._name_of(cell)), lambda: np.ascontiguousarray(cell.final))
        return final if chosen is None else final[chosen]

    def regret(self, cell: Cell) -> float:
        """The mean regret of a cell at the end of its game, over its runs or over this resample of them."""
        finals = self.finals(cell)
        return float(finals.sum() / finals.size)  # `mean`, which takes twice as long for a short array

    def unit(self, cell: Cell, k: int = -1) -> tuple[float, str]:
        """The regret by which the cell's is divided, at checkpoint k, and its name; nan where it was not played."""
        if cell.promise.league in LOWER_BOUNDS and cell.is_binary:
            (name, bound), t = LOWER_BOUNDS[cell.promise.league], int(cell.t[k])
            return self._once(("bound", *self._name_of(cell), t), lambda: bound(cell.means, t, cell.epsilon)), name
        name, reference = self.arena.members[self.arena.yardstick].label, self.reference(cell)
        if reference is None:
            return math.nan, name
        return (self.regret(reference) if k == -1 else float(reference.runs[:, k].mean())), name

    def reference(self, cell: Cell) -> Cell | None:
        """The runs of the policy that is the arena's yardstick, in the same game; None if it does not play it."""
        return self.cell(self.arena.yardstick, cell.instance, cell.epsilon, cell.game)

    def length(self, cell: Cell) -> str:
        """Which game a cell is of: `all`, or one that is `short` or `long` beside it."""
        if not cell.game:
            return "all"
        own = self.cell(cell.policy, cell.instance, cell.epsilon)
        return "short" if own and cell.game < own.t[-1] else "long"

    def score(self, cell: Cell) -> float:
        """The mean regret at the end of the game, divided by its unit."""
        return self.regret(cell) / self.unit(cell)[0]

    def members_of(self, names: Iterable[str]) -> list[str]:
        """The policies of these names, families and leagues; of families and leagues only those that keep their promise.

        Guests, and policies as printed, are members only by their own names: a guest changes no verdict.
        """
        wanted = tuple(names)
        return self._once(("members", wanted), lambda: list(self._members_of(set(wanted))))

    def _members_of(self, wanted: set[str]) -> Iterator[str]:
        for policy, member in self.arena.members.items():
            mine = [cell for cell in self.cells if cell.policy == policy]
            leagues = {cell.promise.league for cell in mine}
            honest = not (member.as_printed_of or member.guest) and all(cell.promise.kept for cell in mine)
            if policy in wanted or (honest and (member.family in wanted or leagues & wanted)):
                yield policy

    def resampled(self, rng: np.random.Generator) -> "Field":
        """As many runs of every instance, drawn with replacement; policies with as many runs keep them paired."""
        kinds = self._once("kinds", lambda: sorted({(c.instance, c.game, len(c.runs)) for c in self.cells}))
        return replace(self, chosen={kind: rng.integers(0, kind[2], kind[2]) for kind in kinds})


def read(
    arena: Arena, experiments: Iterable[Experiment], entries: Mapping[str, Sequence[Entry]], audits: str | Path
) -> Field:
    """All cells, from the traces. `entries`: experiment -> its traces (specification, files, series). `audits`: the
    table of the audits of all policies.
    """
    known: dict[tuple, Promise] = {}
    audited = measured(audits)
    cells = []
    games = {(e.instance, e.design.horizon if e.stream else 0): e for e in experiments}
    for place in itertools.product(arena.instances, sorted({game for _, game in games})):
        if place not in games:
            continue
        experiment = games[place]
        environment = simulation.make_environment(experiment.environment)
        means, is_binary = environment.arms.means, isinstance(environment.arms, Arms)
        finals = {}
        for spec, files, series in entries[experiment.id]:
            trace = traces.read_blocks(files, dict(spec), series)
            finals |= {name: trace.values["regret"][i] for i, name in enumerate(trace.header["series"])}
        for policy in experiment.policies:
            member = arena.members[policy.id]
            for series in policy.series:
                epsilon = arena.epsilons[series.variant] if member.private else math.nan
                horizon = experiment.design.horizon
                key = (series.algorithm, repr(sorted(series.parameters.items())), horizon, len(means), epsilon)
                if key not in known:
                    known[key] = promise_of(series, horizon, len(means), epsilon)
                mechanism = "" if member.printed else policy.as_printed_of or policy.id  # it is audited as printed
                promise = as_measured(known[key], audited.get((mechanism, f"{epsilon:.6g}"), []))
                t = np.array(experiment.design.checkpoints)
                runs = finals[series.id]
                cells.append(Cell(place[0], policy.id, epsilon, place[1], means, t, runs, promise, is_binary))
    return Field(arena, tuple(cells))


def promise_of(series: Series, horizon: int, number_of_arms: int, epsilon: float) -> Promise:
    """The promise of a series that stands for `epsilon`, and whether its ledger stays within it."""
    account = promises.promise_of(series.algorithm, series.parameters, horizon, number_of_arms)
    if account is None:
        return Promise(NONE)
    central = APPROXIMATE if account.delta > 0 else PURE
    league = central if account.trust == "central" else account.trust
    spent = float(account.spent)
    promised = account.epsilon if math.isnan(epsilon) else epsilon
    return Promise(league, float(account.delta), spent, spent <= promised * (1 + 1e-9))


def measured(audits: str | Path) -> dict[tuple[str, str], list[dict[str, str]]]:
    """The rows of a table of audits, by policy and epsilon."""
    return rows_by(lambda row: (row["policy"], f"{float(row['epsilon']):.6g}"), audits)


def as_measured(promise: Promise, audits: Iterable[Mapping[str, str]]) -> Promise:
    """The promise of a series with what its audits found: a bound above the promise breaks it, as a ledger above it does. A
    loss that is measured in games that cost more, such as those with fewer arms, says nothing about what is spent here."""
    audits = list(audits)
    bounds = [float(row["measured"]) for row in audits if float(row["spent"]) <= promise.spent * (1 + 1e-6)]
    kept = promise.kept and all(row["finding"] not in ALARMS for row in audits)
    return replace(promise, kept=kept, measured=max(bounds, default=math.nan))
