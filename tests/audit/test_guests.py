"""Audits of guests: a compiled loop with any documented random numbers is audited, and any other says why it is not."""

import sys
from types import ModuleType

import numpy as np
import pytest
from project import ROOT

from dpbandits import algorithms, simulation, studies
from dpbandits.audit import lower_bounds, players, tape
from dpbandits.audit.audit_table import NOT_AUDITED, WITHIN, reasons_by, rows_by
from dpbandits.environments.arms import note, pull
from dpbandits.files import tables
from dpbandits.kernels.compiled import kernel
from dpbandits.kernels.sampling import gaussian
from dpbandits.parameters import Positive
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.studies.model import Effort
from dpbandits.studies.study import Experiment, Policy, Series

EFFORT = Effort(epsilons=[1.0], supplement=[1.0], games=400, rounds=20_000, users=1000, times=2)
INPUT = {"kind": "bernoulli", "means": [0.9, 0.6]}


def local(horizon, number_of_arms, *, epsilon, **_):
    ledger = Ledger(1)
    ledger.release(1, 1, sensitivity=1.0, scale=1 / epsilon)
    return Account(epsilon, 0.0, ledger, trust="local")


def reporting(*arguments, **parameters):
    account = local(*arguments, **parameters)
    return Account(account.epsilon, 0.0, account.ledger, trust="local", releases="reports")


def plain(rng, arms, horizon, journal, *, epsilon: Positive):
    K = len(arms.means)
    sums, pulls = np.zeros(K), np.zeros(K, np.int64)
    for t in range(1, horizon + 1):
        a = int(rng.choice(K)) if rng.random() < 0.1 else int(np.argmax(sums))
        sums[a] += pull(rng, arms, a) + rng.laplace(0.0, 1 / epsilon)
        pulls[a] += 1
        note(journal, t, pulls)


def compiled(rng, arms, horizon, journal, *, epsilon: Positive):
    every_number(rng, arms, horizon, journal, 1 / epsilon)


@kernel
def every_number(rng, arms, horizon, journal, scale):
    """Draws each kind of number that docs/extending.md lists, and adds Laplace noise to every reward."""
    K = arms.means.size
    sums, pulls = np.zeros(K), np.zeros(K, np.int64)
    for t in range(1, horizon + 1):
        u = rng.random() + rng.uniform(0.0, 1.0) + rng.beta(2.0, 3.0) + rng.binomial(3, 0.5) + rng.exponential(2.0)
        u += rng.normal(0.0, 1.0) + rng.standard_normal() + rng.standard_exponential() + gaussian(rng, 1.0)
        a = rng.integers(0, K) if u < 4 or t <= K else np.argmax(sums)
        sums[a] += pull(rng, arms, a) + rng.laplace(0.0, scale)
        pulls[a] += 1
        note(journal, t, pulls)


def unknown(rng, arms, horizon, journal, *, epsilon: Positive):
    logistic_noise(rng, arms, horizon, journal, 1 / epsilon)


@kernel
def logistic_noise(rng, arms, horizon, journal, scale):
    pulls = np.zeros(arms.means.size, np.int64)
    for t in range(1, horizon + 1):
        pull(rng, arms, 0)
        pulls[int(rng.logistic(0.0, scale) > 0)] += 1
        note(journal, t, pulls)


def audited(monkeypatch, play, privacy):
    """The rows of the audit of a module with these two functions."""
    module = ModuleType("dpbandits.algorithms.arms.draft")
    module.play, module.privacy = play, privacy
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(algorithms, "known", lambda: {"draft": "arms"})
    series = Series("draft", "draft", "draft", {"epsilon": 1.0}, "draft", 0)
    policies = (Policy("draft", "e", (series,), 1),)
    played = Experiment("e", "fig1", "", "paper", INPUT, policies, None)
    spec = {"paper": "paper", "stream": "e", "environment": INPUT, "horizon": 50, "checkpoints": [50], "seed": 1}
    simulation.simulate({**spec, "series": {"draft": {"algorithm": "draft", "parameters": {"epsilon": 1.0}}}}, 0, 0)
    return lower_bounds.table([played], 1, EFFORT).to_dict("records")


def test_a_kernel_with_every_documented_number_is_audited(monkeypatch):
    (row,) = audited(monkeypatch, compiled, local)
    assert (row["tap"], row["finding"]) == ("action", WITHIN)
    assert 0 <= row["audited"] < 1
    assert row["games"] > 100


NOT = [
    (plain, local, ["no kernel: only compiled loops are audited"]),
    (unknown, local, ["TypingError: Unknown attribute 'logistic' of type RecordingGenerator"]),
    (compiled, reporting, [None, "its kernel plays no index rule with a report of its own"]),
]


@pytest.mark.parametrize(("play", "privacy", "reasons"), NOT)
def test_a_policy_that_is_not_audited_says_why(play, privacy, reasons, monkeypatch, tmp_path):
    rows = audited(monkeypatch, play, privacy)
    for row, reason in zip(rows, reasons, strict=True):
        if reason is None:
            assert row["finding"] == WITHIN
        else:
            assert row["finding"].startswith(f"{NOT_AUDITED}: ")
            assert reason in row["finding"]
            assert row["games"] == 0
            assert np.isnan(row.get("audited", np.nan))
    tables.write(tmp_path / "audits.csv", lower_bounds.pd.DataFrame(rows, columns=lower_bounds.COLUMNS))
    with_games = rows_by(lambda row: row["tap"], tmp_path / "audits.csv")
    without = reasons_by(lambda row: row["tap"], tmp_path / "audits.csv")
    assert (len(with_games), len(without)) == (reasons.count(None), len(reasons) - reasons.count(None))


def test_every_policy_of_ours_that_promises_privacy_has_games():
    """For a guest "not audited" is an answer; for a policy of a paper it would be an audit that is missing."""
    experiments = [
        e for study in studies.load_all(ROOT / "config", "smoke", {}).values() for e in study.experiments.values()
    ]
    mechanisms = {mechanism for _, mechanism in lower_bounds.policies(experiments)}
    assert len(mechanisms) > 30
    for mechanism in mechanisms:
        epsilon = 1.0 if mechanism.budget else None
        settings = mechanism.settings(epsilon)
        for setting in (*settings.actions[:1], *settings.releases[:1]):
            rng = np.random.Generator(np.random.PCG64(0))
            players.player(mechanism.algorithm, mechanism.with_epsilon(epsilon), setting, tape.ACTIONS, rng)


def test_the_recorder_gives_the_generators_own_numbers():
    one, other = (np.random.Generator(np.random.PCG64(3)) for _ in range(2))
    recorder = tape.RecordingGenerator(one, tape.blank_tape(2, 8, 8))
    calls = {
        "random": (), "uniform": (1.0, 2.0), "integers": (0, 9), "standard_normal": (), "normal": (1.0, 2.0),
        "standard_exponential": (), "exponential": (2.0,), "beta": (2.0, 3.0), "binomial": (5, 0.4),
    }  # fmt: skip
    for name, arguments in calls.items():
        assert getattr(recorder, name)(*arguments) == getattr(other, name)(*arguments)
