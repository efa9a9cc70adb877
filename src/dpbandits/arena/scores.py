"""The tables of the arena: the scores of all policies, and the differences between pairs of them."""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from dpbandits.arena import cells
from dpbandits.arena.cells import NONE, Cell, Field
from dpbandits.files import Entry, tables
from dpbandits.files.tables import Table
from dpbandits.random import stream
from dpbandits.statistics.estimators import locked_in
from dpbandits.studies.study import Arena, Experiment

RESAMPLES = 200
LEAST = 1e-12  # a regret of zero has no logarithm
TEXTS = {"instance", "policy", "label", "family", "league", "game", "unit", "promise", "other", "setting"}
WHOLE = {"arms", "t", "runs", "cells", "horizon", "knows_horizon"}
EQUAL, PRINTED = "equal", "printed"
TIED = 2.0  # standard errors


def scores(
    arena: Arena, experiments: Sequence[Experiment], traces: Mapping[str, Sequence[Entry]], audits: str
) -> Table:
    """The scores of an arena, from the files of its runs and the table of its audits."""
    return table(cells.read(arena, experiments, traces, audits))


def differences_of(
    arena: Arena, experiments: Sequence[Experiment], traces: Mapping[str, Sequence[Entry]], audits: str, seed: int
) -> Table:
    """The differences of an arena's scores, from the same files."""
    return differences(cells.read(arena, experiments, traces, audits), seed)


def table(field: Field) -> Table:
    """One row for every cell and checkpoint."""
    rows = [row for cell in field.cells for row in _rows(field, cell)]
    return Table({name: np.array([row[name] for row in rows]) for name in rows[0]})


def _rows(field: Field, cell: Cell) -> Iterator[dict]:
    member, promise = field.arena.members[cell.policy], cell.promise
    lost = locked_in(cell.runs, cell.t, cell.gap)
    reference = field.reference(cell)
    for k, t in enumerate(cell.t):
        regrets = cell.runs[:, k]
        unit, name = field.unit(cell, k)
        mean, error = float(regrets.mean()), float(regrets.std(ddof=1) / math.sqrt(len(regrets)))
        median, high = float(np.median(regrets)), float(np.quantile(regrets, 0.95))
        yield {
            "policy": cell.policy,
            "instance": cell.instance,
            "smallest_gap": cell.gap,
            "arms": len(cell.means),
            "epsilon": cell.epsilon,
            "label": member.label,
            "family": member.family,
            "league": promise.league,
            "setting": PRINTED if member.as_printed_of else EQUAL,
            "game": field.length(cell),
            "horizon": int(cell.t[-1]),
            "knows_horizon": int(member.knows_horizon),
            "t": int(t),
            "runs": len(regrets),
            "mean": mean,
            "standard_error": error,
            "median": median,
            "percentile_95": high,
            "locked_in": float(lost[k]),
            "unit": name,
            "unit_regret": unit,
            "score": mean / unit,
            "score_error": error / unit,
            "score_median": median / unit,
            "score_percentile_95": high / unit,
            "over_yardstick": mean / float(reference.runs[:, k].mean()) if reference else math.nan,
            "delta": promise.delta,
            "spent": promise.spent,
            "measured": promise.measured,
            "promise": "" if promise.league == NONE else "kept" if promise.kept else "exceeded",
        }


def differences(field: Field, seed: int) -> Table:
    """For every pair of policies with epsilon, at the privacy of their leagues: the mean over their common cells of
    ln(regret/regret of the other).

    The error is a bootstrap's, stratified by cell: the runs of each cell are resampled, and run i of both policies, which
    have the same arms in the same order, together.
    """
    arena = field.arena
    names = [name for name, member in arena.members.items() if member.private and not member.as_printed_of]
    logs = _logs_of_means(field, names, seed)
    rows: dict[str, list] = {key: [] for key in ("policy", "other", "cells", "log_ratio", "standard_error")}
    for policy, other in itertools.permutations(names, 2):
        ratios = []
        for instance, epsilon in itertools.product(arena.instances, arena.epsilons):
            pair = field.cell(policy, instance, epsilon), field.cell(other, instance, epsilon)
            if None not in pair:
                runs = min(len(cell.runs) for cell in pair)
                ratios.append(logs[policy, instance, epsilon, runs] - logs[other, instance, epsilon, runs])
        if ratios:
            mean = np.mean(ratios, axis=0)  # first of all runs, then of the resamples
            entry = (policy, other, len(ratios), float(mean[0]), float(mean[1:].std(ddof=1)))
            for key, value in zip(rows, entry, strict=True):
                rows[key].append(value)
    return Table({key: np.array(column) for key, column in rows.items()})


def _logs_of_means(field: Field, names: list[str], seed: int) -> dict[tuple, np.ndarray]:
    """(policy, instance, epsilon, first runs) -> ln of the mean regret of these runs, and of each resample of them."""
    found = {}
    for instance in field.arena.instances:
        cells = [c for c in field.cells if c.instance == instance and not c.game and c.policy in names]
        for runs in sorted({len(cell.runs) for cell in cells}):
            rng = stream(seed, field.arena.id, instance, runs, "differences").numpy()
            chosen = rng.integers(0, runs, (RESAMPLES, runs))
            for cell in cells:
                if len(cell.runs) >= runs:
                    final = cell.final[:runs]
                    means = np.concatenate([[final.mean()], final[chosen].mean(axis=1)])
                    found[cell.policy, instance, cell.epsilon, runs] = np.log(np.maximum(means, LEAST))
    return found


def ranked(rows: Table) -> np.ndarray:
    """Which rows are compared: of policies that spend what their league spends, and keep their promise."""
    return (rows["setting"] == EQUAL) & (rows["promise"] != "exceeded")


def tied(values: np.ndarray, errors: np.ndarray) -> list[int]:
    """The places of the lowest value and of all within two standard errors of it, the lowest first."""
    if not len(values):
        return []
    best = int(np.argmin(values))
    others = [i for i in np.argsort(values, kind="stable").tolist() if i != best]
    return [best, *(i for i in others if values[i] - values[best] <= TIED * math.hypot(errors[i], errors[best]))]


def final_rows(scores: Table, game: str = "all") -> Table:
    """The rows of the end of a game."""
    of_game = scores.rows(scores["game"] == game)
    if not len(of_game["t"]):
        return of_game
    return of_game.rows(of_game["t"] == of_game["t"].max())


def read(path: str | Path) -> Table:
    """Read one of these tables; if the file is damaged, the error says what to do."""
    return tables.read(path, TEXTS, WHOLE)
