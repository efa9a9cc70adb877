"""The template runs as it is, and as a copy; families that do not fit are refused by name."""

import importlib
import math
from pathlib import Path

import numpy as np
import pytest
from twins import for_twin

from dpbandits import algorithms, environments
from dpbandits.algorithms.arms import _template
from dpbandits.environments.arms.bernoulli import bernoulli
from dpbandits.errors import InputError
from dpbandits.kernels.streams import stream


def by_hand(rng, means, T, epsilon, alpha):
    """The template's algorithm, from its first lines."""
    s, n, chosen = [0.0] * len(means), [0] * len(means), []
    for t in range(1, T + 1):
        a = t - 1
        if t > len(means):
            index = [s[b] / n[b] + math.sqrt(alpha * math.log(t)) * math.sqrt(1 / n[b]) for b in range(len(means))]
            a = index.index(max(index))
        reward = 1.0 if rng.random() < means[a] else 0.0
        s[a] += reward + rng.laplace(0.0, 1 / epsilon)
        n[a] += 1
        chosen.append(a)
    return chosen


def test_the_template_runs_as_it_is():
    means, T = [0.2, 0.9, 0.5], 5000
    arms, journal = bernoulli(means=means).begin(None, T, np.arange(1, T + 1))
    _template.play(stream(1, "template"), arms, T, journal, epsilon=2.0)
    ours = np.abs(np.diff(journal.regret, prepend=0.0)[:, None] - journal.gaps[None, :]).argmin(axis=1)
    assert ours.tolist() == by_hand(for_twin(stream(1, "template")), means, T, 2.0, 2.0)
    account = _template.privacy(T, 3, epsilon=2.0)
    assert account.kept
    assert account.spent == pytest.approx(2.0)


def test_the_template_is_no_algorithm_before_it_is_copied():
    assert "_template" not in algorithms.known()
    assert set(algorithms.known().values()) == set(environments.kinds().values()) == set(environments.FAMILIES)


def test_every_module_keeps_the_contract_of_its_family():
    for name, family in algorithms.known().items():
        module = algorithms.find(name)
        contract = importlib.import_module(f"dpbandits.algorithms.{family}").Algorithm
        play = module.play.__code__
        assert play.co_varnames[: play.co_argcount] == contract.play.__code__.co_varnames[1:5], name
        assert Path(module.__file__).parent.name == algorithms.family_of(name) == family


def test_every_kind_of_environment_is_one():
    for kind in environments.kinds():
        assert callable(environments.maker_of(kind))
    assert isinstance(bernoulli(means=[0.1, 0.2]), environments.Environment)


@pytest.mark.parametrize(
    ("algorithm", "kind", "message"),
    [
        ("exp3", "bernoulli", "algorithm 'exp3' plays adversaries' games, and environment 'bernoulli' is stochastic arms"),
        ("ucb", "stochastic", "algorithm 'ucb' plays stochastic arms, and environment 'stochastic' is adversaries' games"),
        ("dp_ucb", "news", "algorithm 'dp_ucb' plays stochastic arms, and environment 'news' is news logs"),
        ("lin_ucb", "drawn_arms", "algorithm 'lin_ucb' plays news logs, and environment 'drawn_arms' is stochastic arms"),
    ],
)  # fmt: skip
def test_an_algorithm_of_another_family_is_refused_by_name(algorithm, kind, message):
    with pytest.raises(InputError) as error:
        algorithms.check_family(algorithm, kind)
    assert str(error.value).startswith(message)
    assert f"choose an algorithm of algorithms/{environments.family_of(kind)}/: " in str(error.value)


def test_families_that_fit_are_accepted():
    for algorithm, kind in (("ucb", "vanishing_arm"), ("exp3", "switching_costs"), ("lin_ts", "news_log")):
        algorithms.check_family(algorithm, kind)
    with pytest.raises(InputError, match=r"unknown algorithm 'ubc'; did you mean 'ucb'\?"):
        algorithms.check_family("ubc", "bernoulli")
