"""Recommend a policy for any number of arms and rounds and any epsilon in the measured range.

Nothing is interpolated. Around the numbers of a reader are up to eight measured cells: in each
direction (fewer or more arms, fewer or more rounds, a smaller or a larger epsilon) the nearest one,
by ratios. The nearest of all recommends, and the others may contradict it.
"""

import re
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from dpbandits.arena.rankings import RANKED_TOGETHER, admissible, ranking, why_unusable
from dpbandits.arena.scores import AGGREGATOR, LOCAL, PROMISING_DELTA, PURE, read
from dpbandits.errors import InputError, check_known
from dpbandits.tables import number

SCORES = Path(__file__).parents[3] / "reference/arena/scores.csv"
TRUST = {"operator": PURE, "aggregator": AGGREGATOR, "nobody": LOCAL}
AXES = RANKED_TOGETHER[1:]
CODE = """\
from dpbandits import Bernoulli, compare, policies as p
arms = Bernoulli([0.8, *[0.5] * {others}], shuffled=True)  # write your means
compare([{calls}], on=arms, horizon={rounds}, n_runs=100).plot("mine.pdf")"""


@dataclass(frozen=True)
class Recommendation:
    """What `recommend` returns; `print` shows all of it but the ranking.

    Attributes
    ----------
    policies : list of str
        The policies with the least regret in the nearest measured cell: the best one, and those
        within two standard errors of it.
    ranking : DataFrame
        All policies in the nearest cell, as `dpbandits.arena.rankings.ranking` returns them.
    cells : DataFrame
        The measured cells around the numbers, the nearest first, with the best policies of each.
    agree : bool
        Whether the best policy of the nearest cell is among the best ones of all these cells.
    code : str
        Three lines that compare the candidates on arms of your own.
    """

    policies: list[str]
    ranking: pd.DataFrame
    cells: pd.DataFrame
    agree: bool
    code: str

    @property
    def usable(self) -> bool:
        """Whether the best policy has at most a quarter of uniform play's regret and lost runs."""
        return not why_unusable(self.ranking.iloc[0])

    @property
    def _scale(self) -> str:
        """The regret of the best policy, over that without privacy and over the lower bound."""
        best = self.ranking.iloc[0]
        bound = "no lower bound is known here"
        if best["bounded"]:
            bound = f"{number(best['over_bound'], digits=2)} times the lower bound"
        return f"{number(best['regret'], digits=2)} times that without privacy, {bound}"

    def __str__(self) -> str:
        places = [
            f"epsilon = {cell.epsilon:g}, {cell.arms} arms, {cell.rounds:,} rounds: {cell.best}"
            for cell in self.cells.itertuples()
        ]
        nearest, *others = places
        lines = [f"Nearest measured cell, {nearest}", *others, f"Regret of the best: {self._scale}"]
        if why := why_unusable(self.ranking.iloc[0]):
            lines.append(f"{why[0].upper()}{why[1:]}.")
        if not self.agree:
            lines.append("The cells disagree, so compare the candidates before you choose:")
        return "\n".join([*lines, self.code])


def recommend(
    arms: int,
    rounds: int,
    epsilon: float,
    trust: str = "operator",
    delta: float = 0.0,
    scores: str | Path | pd.DataFrame = SCORES,
) -> Recommendation:
    """Recommend a policy from the measured cells of the arena that are nearest.

    Parameters
    ----------
    arms, rounds : int
        The game.
    epsilon : float
        The promise.
    trust : {"operator", "aggregator", "nobody"}, default "operator"
        Who may see rewards: the policy's operator, an aggregator of sums, or nobody. A policy that
        needs less trust serves, too.
    delta : float, default 0
        The promise may be (epsilon, delta). A policy with a smaller delta serves, too.
    scores : DataFrame or path, optional
        A table of scores, by default that of the last full run, in a checkout.

    Returns
    -------
    Recommendation
        The policies, the cells that they are from, and lines of Python that compare them.

    Raises
    ------
    InputError
        If a number is outside the measured range, which the message names.

    Examples
    --------
    >>> from dpbandits import recommend
    >>> recommend(arms=10, rounds=200_000, epsilon=0.5).policies
    ['DP-IMED', 'DP-IMED, secure sums', 'DP-IMED, growth 1.1']
    """
    check_known("recommend", "trust", [trust], TRUST)
    if not isinstance(scores, pd.DataFrame):
        scores = read(scores)
    need = TRUST[trust]
    need = PROMISING_DELTA.get(need, need) if delta > 0 else need
    asked = pd.Series({"epsilon": epsilon, "arms": arms, "rounds": rounds})
    ranks_of = {
        tuple(numbers): ranks
        for (serves, *numbers), ranks in measured(scores, delta).items()
        if serves == need
    }
    cells = around(asked, pd.DataFrame(ranks_of.keys(), columns=AXES))
    rankings = [ranks_of[cell] for cell in cells.itertuples(index=False, name=None)]
    best = [ranks.loc[ranks["tied"], "label"].tolist() for ranks in rankings]
    calls: dict[str, str] = {}
    for factor, ranks in zip(epsilon / cells["epsilon"], rankings, strict=True):
        for row in candidates(ranks).itertuples():
            if row.tied or ranks is rankings[0]:
                calls.setdefault(row.label, f"p.{at(row.python, factor)}")
    return Recommendation(
        policies=best[0],
        ranking=rankings[0],
        cells=cells.assign(best=[" = ".join(labels) for labels in best]),
        agree=all(best[0][0] in others for others in best),
        code=CODE.format(others=arms - 1, calls=", ".join(calls.values()), rounds=rounds),
    )


def measured(scores: pd.DataFrame, delta: float = 0.0) -> dict[tuple, pd.DataFrame]:
    """The ranking in each measured cell, (need, epsilon, arms, rounds), with a best policy."""
    ranks = ranking(scores)
    groups = admissible(ranks[ranks["delta"] <= delta]).groupby(["need", *AXES])
    return {cell: rows for cell, rows in groups if rows["tied"].any()}


def candidates(ranks: pd.DataFrame) -> pd.DataFrame:
    """The policies worth a comparison: the best ones and the second of the ranking."""
    ranked = ranks[ranks["ranked"]]
    return ranked[ranked["tied"] | (np.arange(len(ranked)) < 2)]


def at(call: str, factor: float) -> str:
    """The call that makes a policy, with its epsilon times this factor."""
    return re.sub(
        r"epsilon=([^,)]+)", lambda found: f"epsilon={float(found[1]) * factor:g}", call, count=1
    )


def around(asked: pd.Series, cells: pd.DataFrame) -> pd.DataFrame:
    """The nearest cell in each direction from the numbers `asked`, the nearest of all first.

    InputError if a number is outside the range of the cells.
    """
    for name, value in asked.items():
        low, high = cells[name].min(), cells[name].max()
        if not low <= value <= high:
            raise InputError(
                f"{name}: {value:,.15g} is outside the measured range of policies of this trust; "
                f"write a number from {low:,g} to {high:,.15g}"
            )
    ratios = np.log(cells / asked)
    distance = ratios.abs().sum(axis=1)
    found = {
        distance[beyond].idxmin()
        for signs in product((1, -1), repeat=len(AXES))
        if (beyond := (ratios * list(signs) >= -1e-12).all(axis=1)).any()
    }
    return cells.loc[distance[list(found)].sort_values(kind="stable").index]
