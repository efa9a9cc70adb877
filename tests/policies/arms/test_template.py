"""The template runs as it is, and as a copy; families that do not fit are refused by name."""

import math
from pathlib import Path

import numpy as np
import pytest
from plain.parts import play_rounds
from playing import for_twin

from dpbandits import bandits, kernels, policies
from dpbandits.bandits import rewards
from dpbandits.bandits.arms.bernoulli import bernoulli
from dpbandits.bandits.journal import counts_of
from dpbandits.errors import InputError
from dpbandits.policies import template as _template
from dpbandits.random import stream


def test_the_template_runs_as_it_is():
    """As LDP-UCB's twin with another index."""
    means, T, epsilon, s = [0.2, 0.9, 0.5], 5000, 2.0, [0.0] * 3
    arms, journal = bernoulli(means=means).begin(stream(0), T, np.arange(1, T + 1))
    _template.play(stream(1, "template"), arms, T, journal, epsilon=epsilon)
    rng = for_twin(stream(1, "template"))

    def see(a, x):
        s[a] += x + rng.laplace(0.0, 1 / epsilon)

    by_hand = play_rounds(
        rng, means, T, lambda b, n, t: s[b] / n + math.sqrt(2 * math.log(t) / n), see
    )
    assert np.diff(counts_of(journal), axis=0, prepend=0).argmax(axis=1).tolist() == by_hand
    account = _template.privacy(T, 3, epsilon=epsilon)
    assert (account.kept, account.trust, account.spent) == (True, "local", pytest.approx(epsilon))
    assert _template.reporting(T, 3, epsilon=epsilon) == {
        "any round": _template.TemplateUCB(epsilon, 2.0)
    }


def test_the_template_is_no_algorithm_before_it_is_copied():
    assert "_template" not in policies.known()
    assert set(policies.known().values()) == set(bandits.kinds().values()) == set(bandits.FAMILIES)


def test_every_module_keeps_the_contract_of_its_family():
    for name, family in policies.known().items():
        module = policies.find(name)
        play, bandit = (
            module.play.__code__,
            {"arms": "arms", "games": "game", "logs": "log"}[family],
        )
        assert play.co_varnames[: play.co_argcount] == ("rng", bandit, "horizon", "journal"), name
        assert Path(module.__file__).parent.name == policies.family_of(name) == family


def test_no_field_of_a_rule_has_the_name_of_a_method():
    """Such a field would hide the method that kernels call (`kernels.methods`)."""
    modules = [vars(policies.find(name)) for name in policies.known()] + [
        vars(rewards),
        vars(_template),
    ]
    tuples = [each for module in modules for each in module.values() if hasattr(each, "_fields")]
    assert {field for each in tuples for field in each._fields} & kernels.DECLARED == set()
    assert {"reward", "growth", "index_at", "normal"} < kernels.DECLARED


@pytest.mark.parametrize(
    ("algorithm", "kind", "message"),
    [
        ("exp3", "bernoulli", "algorithm 'exp3' plays adversaries' games, and environment 'bernoulli' is stochastic arms"),
        ("ucb", "stochastic_adversary", "algorithm 'ucb' plays stochastic arms, and environment 'stochastic_adversary' is adversaries' games"),
        ("dp_ucb", "news", "algorithm 'dp_ucb' plays stochastic arms, and environment 'news' is news logs"),
        ("lin_ucb", "drawn_arms", "algorithm 'lin_ucb' plays news logs, and environment 'drawn_arms' is stochastic arms"),
    ],
)  # fmt: skip
def test_an_algorithm_of_another_family_is_refused_by_name(algorithm, kind, message):
    with pytest.raises(InputError) as error:
        policies.check_family(algorithm, kind)
    assert str(error.value).startswith(message)
    assert f"choose an algorithm of algorithms/{bandits.family_of(kind)}/: " in str(error.value)
