"""The mechanisms that audits and replays test: private policies at an epsilon of 1."""

from collections.abc import Iterable
from dataclasses import replace

import pandas as pd

from dpbandits.audit.accounts import label_of
from dpbandits.audit.findings import MECHANISM
from dpbandits.errors import InputError
from dpbandits.policy import Policy
from dpbandits.privacy.games import SHORT, AuditGames
from dpbandits.studies.experiment import Experiment, Series
from dpbandits.studies.things import BOTH


def mechanisms(experiments: Iterable[Experiment]) -> pd.DataFrame:
    """The mechanisms that are played in games of audits and replays, each at an epsilon of 1.

    Of our own policies' sweeps over other numbers than epsilon, this is the first mechanism, and of
    guests' all. A row has the first columns of a table, and the policy that `plays`.
    """
    rows = []
    for experiment in (part for each in experiments for part in each.by_reading):
        for policy in experiment.policies.values():
            chosen = {}
            for series in policy.series:
                if series.as_policy.account(SHORT.horizon, SHORT.arms):
                    options = {
                        k: v for k, v in series.parameters.items() if isinstance(v, str | bool)
                    }
                    key = series.as_policy.mechanism if policy.guest else repr(options)
                    chosen.setdefault(key, series)
            for series in chosen.values():
                of = experiment.paper, policy.id, label_of(series)
                reading, plays = experiment.reading or BOTH, mechanism_of(series)
                rows.append((*of, reading, plays.mechanism, plays))
    table = pd.DataFrame(rows, columns=[*MECHANISM, "plays"])
    return table.drop_duplicates([*MECHANISM], ignore_index=True)


def mechanism_of(series: Series) -> Policy:
    """The mechanism of a series: its policy at an epsilon of 1, if it has one."""
    policy = series.as_policy
    return replace(policy, epsilon=1.0) if "epsilon" in policy.parameters else policy


def games_of(policy: Policy) -> AuditGames:
    """Return `audit_games`, checked, since a user may have written it."""
    games = policy.audit_games()
    if not isinstance(games, AuditGames):
        says = f"audit_games: {games!r} should be an AuditGames of dpbandits.privacy.games"
        raise InputError(f"{policy.file()}: {says}")
    return games
