"""The measures of claims about an arena: each gives a number from the scores of the cells, and the evidence for it.

`of` and `to` name policies, families or leagues; of several, the best one counts in each cell. `epsilons`: only cells
at these; at all if absent. `horizon`: cells of the shorter or longer game of that many rounds; of the game that everybody
plays if absent. Policies as printed, and those that do not keep their promise, count only where they are named themselves.
"""

import math
from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np

from dpbandits.arena.cells import Cell, Field
from dpbandits.verdicts.measurement import Measurement, NotMeasured, measure

Take = Literal["largest", "smallest", "geometric_mean"]


@measure(compares="cells")
def lowest_score(field: Field, *, of: list[str], epsilons: list[float] | None = None) -> Measurement:
    """The lowest score of these policies in any cell."""
    return _extreme([Measurement(field.score(cell), where) for cell, where in _cells(field, of, epsilons)], min)


@measure(compares="cells")
def ratio_of_best(
    field: Field,
    *,
    of: list[str],
    to: list[str],
    take: Take,
    epsilons: list[float] | None = None,
    horizon: int = 0,
) -> Measurement:
    """The regret of the best of these policies, divided by that of the best of the others, in each cell."""
    found = []
    for instance, epsilon in _places(field, epsilons):
        ours, theirs = (_best(field, names, instance, epsilon, horizon) for names in (of, to))
        if ours and theirs:
            names = f"{_label(field, ours[1])} / {_label(field, theirs[1])}"
            found.append(Measurement(ours[0] / theirs[0], f"{names} on {_place(field, instance, epsilon)}"))
    if take == "geometric_mean" and found:
        return _geometric_mean([one.value for one in found])
    worst = _extreme(found, max if take == "largest" else min)
    return worst._replace(evidence=f"{worst.evidence}; {_below_1([one.value for one in found])}")


@measure(compares="cells")
def share_won(field: Field, *, of: list[str], epsilons: list[float] | None = None) -> Measurement:
    """The share of the cells in which the most frequent winner among these policies wins."""
    wins: dict[str, int] = {}
    for instance, epsilon in _places(field, epsilons):
        if best := _best(field, of, instance, epsilon):
            wins[best[1]] = wins.get(best[1], 0) + 1
    if not wins:
        raise NotMeasured("none of these policies plays at this scale")
    ordered = sorted(wins.items(), key=lambda entry: -entry[1])
    shown = ", ".join(f"{_label(field, policy)} {number}" for policy, number in ordered)
    return Measurement(ordered[0][1] / sum(wins.values()), f"cells won: {shown}")


@measure(compares="cells")
def mean_to_median(field: Field, *, of: list[str], epsilons: list[float] | None = None) -> Measurement:
    """The largest ratio of mean to median regret of these policies in any cell."""
    found = []
    for cell, where in _cells(field, of, epsilons):
        if (median := float(np.median(field.finals(cell)))) > 0:
            found.append(Measurement(field.regret(cell) / median, where))
    return _extreme(found, max)


@measure(compares="cells")
def longer_game(field: Field, *, of: list[str], horizon: int, epsilons: list[float] | None = None) -> Measurement:
    """Regret over the yardstick's in the game of this horizon, divided by the same in the game that everybody plays: the
    geometric mean over policies and cells."""
    ratios = []
    for short, _ in _cells(field, of, epsilons):
        long = field.cell(short.policy, short.instance, short.epsilon, horizon)
        if long is not None and (units := (field.reference(long), field.reference(short))) and None not in units:
            ratios.append(field.regret(long) / field.regret(units[0]) / field.regret(short) * field.regret(units[1]))
    if not ratios:
        raise NotMeasured("none of these policies plays a game of this length at this scale")
    return _geometric_mean(ratios)


def _places(field: Field, epsilons: list[float] | None) -> Iterator[tuple[str, float]]:
    """Every instance at every epsilon of the claim."""
    for instance in field.arena.instances:
        for epsilon in field.arena.epsilons:
            if epsilons is None or epsilon in epsilons:
                yield instance, epsilon


def _cells(field: Field, names: list[str], epsilons: list[float] | None) -> Iterator[tuple[Cell, str]]:
    """Every cell of these policies, and where it is, for a reader."""
    for instance, epsilon in _places(field, epsilons):
        for policy in field.members_of(names):
            if (cell := field.cell(policy, instance, epsilon)) is not None:
                yield cell, f"{_label(field, policy)} on {_place(field, instance, epsilon)}"


def _best(field: Field, names: list[str], instance: str, epsilon: float, horizon: int = 0) -> tuple[float, str] | None:
    """The lowest mean regret of these policies in a cell, and whose it is."""
    found = (field.cell(policy, instance, epsilon, horizon) for policy in field.members_of(names))
    cells = [cell for cell in found if cell is not None]
    return min(((field.regret(cell), cell.policy) for cell in cells), default=None)


def _extreme(found: list[Measurement], choose: Callable) -> Measurement:
    if not found:
        raise NotMeasured("it speaks of cells that this scale does not have")
    return choose(found, key=lambda one: one.value)


def _geometric_mean(ratios: list[float]) -> Measurement:
    return Measurement(math.exp(float(np.mean(np.log(ratios)))), _below_1(ratios))


def _below_1(ratios: list[float]) -> str:
    return f"{sum(ratio < 1 for ratio in ratios)} of {len(ratios)} cells below 1"


def _label(field: Field, policy: str) -> str:
    return field.arena.members[policy].label


def _place(field: Field, instance: str, epsilon: float) -> str:
    return f"{field.arena.instances[instance]}, ε = {epsilon:g}"
