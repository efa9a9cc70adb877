"""Compare policies from Python, in a few lines, with the random numbers of the workflow."""

import io
import os
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import pandas as pd
from annotated_types import Len
from numba import NumbaError
from tqdm import tqdm

from dpbandits import files
from dpbandits import looks as known_looks
from dpbandits.bandit import Bandit
from dpbandits.errors import InputError, check_known, one_line, remedy_for, within
from dpbandits.parameters import Declared, Natural, Seed, Several, Words, validated
from dpbandits.playable import check_bandit, check_games, check_policy, is_shipped
from dpbandits.policy import Policy
from dpbandits.simulation import Checkpoints, Simulation
from dpbandits.statistics.summaries import summary_of

MAX_GROUPS = 25  # of runs, for the median of means
PRIVACY = ("epsilon", "delta", "trust", "neighbours", "spent")
CHECKPOINTS = Checkpoints(first=10, log=200, linear=200)
STREAM = Simulation.paper, Simulation.experiment  # the default
StreamNames = Annotated[Sequence[str], Len(2, 2), Words("a pair, (paper, experiment)")]
LooksByLabel = Annotated[Mapping[str, Any], Words("looks by label; write {'UCB': ('sky', 'h')}")]
if TYPE_CHECKING:
    from matplotlib.axes import Axes

USAGE = (
    "write compare([UCB(), DPSE(epsilon=0.5)], on=Bernoulli([0.8, 0.5]), horizon=..., n_runs=...)"
)


def compare(
    policies: Sequence[Policy] | Mapping[str, Policy],
    *,
    on: Bandit,
    horizon: float,
    n_runs: int,
    seed: int = 1,
    at: Iterable[int] | None = None,
    n_jobs: int = -1,
    stream: tuple[str, str] | None = None,
    looks: Mapping[str, tuple[str, str]] | None = None,
) -> "Comparison":
    """Play games of several policies on one bandit.

    Parameters
    ----------
    policies : sequence or mapping of Policy
        The policies. A mapping gives them labels; the default label is the policy as it prints
        itself, such as "DPSE(epsilon=0.5)". No label changes a number, unless `stream` is set.
    on : Bandit
        What is played. Run i is the same for all policies.
    horizon : int
        The number of rounds of a game; 1e5 is accepted.
    n_runs : int
        The number of games of each policy.
    seed : int, default 1
        The seed.
    at : iterable of int, optional
        The rounds to record besides the last. The default is the first 10, 200 evenly spaced in
        ln t and 200 evenly spaced in t.
    n_jobs : int, default -1
        The number of threads; -1 for all cores. The numbers do not depend on it. Policies in plain
        Python use one core.
    stream : (str, str), optional
        The names of the random numbers, such as a paper and an experiment; labels complete them.
        With ids of series as labels the games are the workflow's. By default a policy's random
        numbers follow from the policy as it prints itself.
    looks : mapping, optional
        Label -> the colour and the marker of its curve, such as ("sky", "h"). The names are in
        `dpbandits.looks`. By default a policy looks as in the figures of the papers.

    Returns
    -------
    Comparison
        The runs, their summary, and the policies' privacy.

    Raises
    ------
    InputError
        If an argument is not valid, two policies are equal or have one label, or a policy cannot
        play the bandit.

    Examples
    --------
    >>> from dpbandits import Bernoulli, compare
    >>> from dpbandits.policies import DPSE, UCB
    >>> result = compare([UCB(), DPSE(epsilon=1)], on=Bernoulli([0.9, 0.5]), horizon=100, n_runs=4)
    >>> result.runs.columns.tolist()
    ['policy', 'epsilon', 'elimination', 'rounding', 'run', 't', 'regret']
    """
    if not isinstance(on, Bandit):
        raise InputError(f"compare: on={on!r} is not a bandit; {USAGE}")
    horizon, n_runs = _integer("horizon", horizon, Several), _integer("n_runs", n_runs, Several)
    labelled = _labelled(policies, names_streams=stream is not None)
    looks = _looks(looks or {}, labelled)
    if not isinstance(at, Iterable | None):
        raise InputError(f"compare: at: {at!r} should be a list of rounds; write [{at!r}]")
    also = [_integer("at", t, Natural) for t in (() if at is None else at)]
    if also and max(also) > horizon:
        raise InputError(f"compare: at: {max(also)} should be at most the horizon, {horizon}")
    usual = replace(CHECKPOINTS, least=on.least_game)
    rounds = (usual if at is None else Checkpoints(also=also)).rounds(horizon)
    check_bandit(on)
    check_games(on, horizon, rounds)
    for label, policy in labelled.items():
        with within(f"compare: {label}"):
            check_policy(policy, on, horizon, rounds)
    names = STREAM if stream is None else validated(StreamNames, stream, "compare: stream")
    played = Simulation(
        bandit=on,
        policies=labelled,
        horizon=horizon,
        checkpoints=rounds,
        seed=_integer("seed", seed, Seed),
        paper=names[0],
        experiment=names[1],
        names={label: label if stream else repr(policy) for label, policy in labelled.items()},
    )
    return Comparison(played, _play(played, n_runs, n_jobs), looks)


@dataclass(frozen=True)
class Comparison:
    """The runs of a comparison, as `compare` returns them. A notebook shows table and picture.

    Attributes
    ----------
    simulation : Simulation
        What was played.
    trace : Trace
        The recorded curves.
    looks : mapping
        Label -> its colour and its marker, if one was chosen.

    Examples
    --------
    >>> from dpbandits import Bernoulli, compare
    >>> from dpbandits.policies import DPSE, UCB
    >>> policies = {"UCB": UCB(), "DP-SE": DPSE(epsilon=1)}
    >>> result = compare(policies, on=Bernoulli([0.9, 0.5]), horizon=100, n_runs=4)
    >>> len(result.runs[result.runs["t"] == 100])
    8
    >>> result.privacy[["policy", "epsilon", "spent"]]
      policy  epsilon  spent
    0    UCB      NaN    NaN
    1  DP-SE      1.0    1.0
    >>> ax = result.plot()
    """

    simulation: Simulation
    trace: files.Trace
    looks: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def quantity(self) -> str:
        """What was recorded first: the regret, or on news logs the ratio of click rates."""
        return next(iter(self.trace.values))

    @cached_property
    def runs(self) -> pd.DataFrame:
        """All runs, tidy: a row for each policy, run and t.

        The columns are the policy, its parameters (empty if it does not have them), the run, t and
        the quantity.
        """
        policies, values = self.simulation.policies, self.trace.values[self.quantity]
        played = pd.DataFrame([{"policy": k, **each.parameters} for k, each in policies.items()])
        axes = {"policy": policies, "run": range(values.shape[1]), "t": self.trace.t}
        index = pd.MultiIndex.from_product(axes.values(), names=axes)
        curves = pd.DataFrame({self.quantity: values.ravel()}, index).reset_index()
        return played.merge(curves, on="policy")

    @cached_property
    def summary(self) -> pd.DataFrame:
        """Statistics over the runs: a row for each policy and t, with the mean's error."""
        table = summary_of([self.trace], MAX_GROUPS, quantity=self.quantity)
        return table.assign(standard_error=table["std"] / np.sqrt(table["runs"]))

    @cached_property
    def privacy(self) -> pd.DataFrame:
        """A row for each policy: its promise, and the epsilon that its ledger adds up to.

        `kept` is whether the ledger proves the promise. Only a replay shows whether it has all that
        is released (`dpbandits.audit.replay.of`).

        `promise` is `stated`, `none`, or `not stated` if your own class has no method `privacy`.
        """
        played, rows = self.simulation, []
        for label, policy in played.policies.items():
            account = played.bandit.account(policy, played.horizon, played.checkpoints)
            is_known = policy.states_privacy() or is_shipped(policy)
            promise = "stated" if account else "none" if is_known else "not stated"
            numbers = {name: getattr(account, name, None) for name in PRIVACY}
            kept = account.kept() if account else None
            rows.append({"policy": label, "promise": promise, **numbers, "kept": kept})
        return pd.DataFrame(rows)

    def plot(
        self, file: str | Path | None = None, *, ax: "Axes | None" = None, log: bool = True
    ) -> "Axes":
        """Draw the curves: medians of means with Gini's mean differences below and above them.

        Parameters
        ----------
        file : path, optional
            Where to save the picture: .pdf, .png or .svg.
        ax : Axes, optional
            Where to draw; a new figure by default, which is pyplot's if there is no file.
        log : bool, default True
            Whether the axes are logarithmic.

        Returns
        -------
        Axes
            Where the curves are.

        Raises
        ------
        InputError
            If the name of the file has another suffix.
        """
        from dpbandits.figures import colours, comparison  # seaborn takes seconds

        own = {
            label: colours.of_policy(_source(policy), policy.parameters, self.looks.get(label))
            for label, policy in self.simulation.policies.items()
        }
        return comparison.draw(self.summary, self.quantity.replace("_", " "), own, file, ax, log)

    def export(self, folder: str | Path) -> None:
        """Write a table, the picture and BibTeX for a paper in LaTeX.

        `table.tex` has the last rows in the style of booktabs. `curves.pdf` is the picture, and
        `references.bib` has the sources of the policies.

        Parameters
        ----------
        folder : path
            Where to write the three files; made if it does not exist.
        """
        from dpbandits import export

        target = Path(folder)
        ax = self.plot(target / "curves.pdf")
        files.write(target / "table.tex", export.table(self._last, self.privacy, ax.get_ylabel()))
        sources = [_source(policy) for policy in self.simulation.policies.values()]
        files.write(target / "references.bib", export.references(sources))

    @property
    def _last(self) -> pd.DataFrame:
        last = self.summary[self.summary["t"] == self.simulation.horizon]
        return last[["policy", "mean", "standard_error"]]

    def __repr__(self) -> str:
        """Return the last rows; everything that was played would fill pages."""
        return self._last.to_string(index=False)

    def _repr_html_(self) -> str:
        """Show the last rows and the picture in a notebook."""
        from matplotlib import pyplot as plt

        drawing = self.plot().figure
        drawing.savefig(content := io.StringIO(), format="svg")
        plt.close(drawing)  # which a notebook would show once more
        return self._last.to_html(index=False) + content.getvalue()


def _source(policy: Policy) -> str:
    """What a policy is: the name of a shipped module, or module and class."""
    kind = type(policy)
    module = kind.__module__.rpartition(".")[2]
    return module if is_shipped(policy) else f"{kind.__module__}.{kind.__qualname__}"


def _play(played: Simulation, n_runs: int, n_jobs: int) -> files.Trace:
    """All runs, in threads: kernels let other threads work."""
    threads = os.cpu_count() or 1 if n_jobs == -1 else _integer("n_jobs", n_jobs, Natural)
    size = -(-n_runs // (4 * threads))
    chunks = [(first, min(first + size, n_runs) - 1) for first in range(0, n_runs, size)]

    def run(chunk: tuple[int, int]) -> files.Trace:
        try:
            return played.run(*chunk)
        except (NumbaError, AttributeError) as failure:
            # numba's own message has dozens of lines. Other failures keep their traceback.
            if isinstance(failure, NumbaError) or remedy_for(failure):
                raise InputError(one_line(failure)) from None
            raise

    settings = np.geterr()  # which a new thread does not have
    with ThreadPoolExecutor(threads, initializer=lambda: np.seterr(**settings)) as pool:
        each = (map if _is_importing() else pool.map)(run, chunks)
        done = tqdm(each, total=len(chunks), unit="chunk", disable=None, leave=False, delay=1)
        return files.joined(done, played.header)


def _is_importing() -> bool:
    """Whether a module is being imported, for which numba would wait in another thread."""
    specs = (getattr(module, "__spec__", None) for module in [*sys.modules.values()])
    return any(getattr(spec, "_initializing", False) for spec in specs)


def _labelled(
    policies: Sequence[Policy] | Mapping[str, Policy], names_streams: bool
) -> dict[str, Policy]:
    """The policies by label. They differ, unless labels name their random numbers."""
    known = policies if isinstance(policies, Mapping | Sequence) else ()
    values = list(known.values() if isinstance(known, Mapping) else known)
    if not values or not all(isinstance(policy, Policy) for policy in values):
        says = f"{policies!r} should be policies, in a list or by label"
        raise InputError(f"compare: {says}; {USAGE}")
    names = [repr(policy) for policy in values]
    labels = [str(label) for label in known] if isinstance(known, Mapping) else names
    if not names_streams and (equal := _twice(names)):
        remedy = "leave one out, or set stream=('mine', 'test'), and labels name their games"
        raise InputError(f"compare: two policies are {equal} and play the same games; {remedy}")
    if label := _twice(labels):
        says = f"two policies have the label '{label}'"
        raise InputError(f"compare: {says}; give them labels: {{'a': ..., 'b': ...}}")
    return dict(zip(labels, values, strict=True))


def _looks(looks: Mapping[str, Any], labels: Collection[str]) -> dict[str, tuple[str, str]]:
    """The chosen looks, checked."""
    check_known("compare: looks", "label", validated(LooksByLabel, looks, "compare: looks"), labels)
    result = {}
    for label, look in looks.items():
        with within(f"compare: looks: {label}"):
            result[label] = known_looks.valid(look)
    return result


def _twice(names: list[str]) -> str | None:
    """The first name that occurs twice."""
    return next((name for name in names if names.count(name) > 1), None)


def _integer(name: str, number: Any, kind: Any) -> int:
    """Return an argument as an integer of this type; 1e5 is one."""
    is_integral = isinstance(number, float | np.floating) and float(number).is_integer()
    return Declared(kind).valid(f"compare: {name}", int(number) if is_integral else number)
