"""Every policy on stochastic arms takes the actions of its plain twin.

This holds for all parameters. Its numbers depend neither on the checkpoints nor on compilation.
Promises are tested in test_promises.py, what is drawn together in test_laws.py, and properties of
one policy in a module of their own.
"""

import itertools
import json
import math
import re
import types
import typing
from contextlib import suppress
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from plain.twins import OF_ARMS, TWIN_OF
from playing import for_twin, play, promises
from project import uncompiled

from dpbandits import parameters
from dpbandits.bandits import UniformRewards
from dpbandits.bandits.rewards import Arms, rounded
from dpbandits.drivers import posterior
from dpbandits.drivers.episodes import EpisodePolicy
from dpbandits.drivers.index import IndexPolicy
from dpbandits.drivers.posterior import PosteriorPolicy
from dpbandits.errors import InputError
from dpbandits.policies import POLICIES
from dpbandits.privacy.reports import RandomisedResponse
from dpbandits.random import stream

OF_SUMS = "adap_ucb", "adap_klucb", "dp_klucb", "dp_imed"
WITH_INDEX = IndexPolicy, EpisodePolicy, PosteriorPolicy
# The longest game of a comparison: episodes are long, and so are batches and Phase I. The twins of
# the last ones are slow. All others play 2000 rounds.
LONGEST = {
    60_000: "adap_ucb adap_klucb adac_ucb adap_ucb_as_drawn dp_se dp_klucb dp_imed",
    20_000: "gdp_ncb dist_dp_se dist_rdp_se",
    3000: "dp_ucb_int anytime_lazy_ucb ncb ldp_ncb anytime_ncb",
    500: "dp_ucb kl_ucb rr_kl_ucb delayed_ucb_tuned",
}
BOUNDS = {  # where not any number up to 30
    # With smaller ones the first steps fill the game.
    "private_thompson_gap": {"epsilon": (100.0, 1e5)},
    # With others the twin's bisection is too coarse.
    "dp_klucb": {"epsilon": (0.03, 10.0)},
    # With larger ones indices are next to 1, and rounding decides.
    "kl_ucb": {"alpha": (0.03, 2.0)},
    # With smaller ones the logarithm of a game of 30 rounds is negative.
    "ncb": {"planned": (0.05, 30.0)},
}


def declared(name):
    return parameters.declared(POLICIES.find(name))


CASES = [
    *((name, {"epsilon": 1.0} | changes) for name, changes, *_ in promises()),
    *((name, {}) for name in OF_ARMS if "epsilon" not in declared(name)),
    ("dp_ts", {"epsilon": 1.0, "invoke": "each_pull"}),
    ("gdp_ncb", {"epsilon": 1.0, "cap": "none", "multiplier": 1.0, "private_mean": "in_test"}),
]


def positive(low, high):
    return st.floats(math.log(low), math.log(high)).map(math.exp)


def values_of(kind):
    """Values of a type, up to 30 for numbers without an upper bound."""
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        return st.sampled_from(arguments)
    if origin in (typing.Union, types.UnionType):
        return st.one_of(*map(values_of, arguments))
    if kind is bool:
        return st.booleans()
    ends = {
        end: getattr(each, end)
        for each in arguments[1:]
        for end in ("gt", "ge", "lt", "le")
        if hasattr(each, end)
    }
    low, high = ends.get("gt", ends.get("ge")), ends.get("lt", ends.get("le", math.inf))
    if arguments[0] is int:
        return st.integers(low, low + 3)
    if math.isinf(high):
        return st.one_of(positive(0.03, 30), *[st.just(0.0)] * ("ge" in ends))
    return st.floats(low + 0.01, high - 0.01)


def settings_of(name):
    """Parameters of a policy, each with its default among the values."""
    strategies = {
        parameter: values_of(each.kind)
        if each.is_required
        else st.one_of(st.just(each.default), values_of(each.kind))
        for parameter, each in declared(name).items()
    }
    strategies |= {parameter: positive(*ends) for parameter, ends in BOUNDS.get(name, {}).items()}
    return st.fixed_dictionaries(strategies)


MEANS = st.lists(
    st.sampled_from([0.0, 0.02, 0.1, 0.3, 0.35, 0.5, 0.6, 0.8, 0.85, 1.0]), min_size=2, max_size=8
)


@pytest.mark.parametrize("name", TWIN_OF, ids=lambda name: f"{name}:")
def test_kernel_takes_the_same_actions_as_its_twin(name, monkeypatch):
    """In 30 settings. Every third one has a long game: leads, windows, resting indices, phases.

    Three short games each test small counts, equal indices and games that end in an episode. One
    has a power of two of rounds.
    """
    compared, turns = [], itertools.count()
    longest = next((T for T, names in LONGEST.items() if name in names.split()), 2000)
    if issubclass(POLICIES.find(name), PosteriorPolicy):
        # Draw every theta, as the twin does.
        monkeypatch.setattr(posterior, "CANDIDATES", 0.0)

    @settings(max_examples=30, phases=[Phase.generate])
    @given(settings_of(name), MEANS, st.floats(0.3, 1), st.integers(0, 2**20))
    def compare(chosen, means, share, seed):
        long = [int(share * longest)] * (next(turns) % 3 == 0)
        for run, horizon in enumerate([60, 64, int(100 * share), *long]):
            with suppress(InputError):  # a game that is too short for these parameters
                POLICIES.make(name, chosen).check(horizon, len(means))
                every, rng = range(1, horizon + 1), stream(1, name, seed, run)
                twin = TWIN_OF[name](for_twin(rng), means, horizon, **chosen)
                ours = play(name, rng, means, horizon, every, **chosen)
                counts = np.eye(len(means), dtype=int)[twin].cumsum(axis=0)
                assert np.array_equal(ours.counts, counts)
                assert np.array_equal(ours.pulls, counts[-1])
                some = np.unique([*np.random.default_rng(seed).integers(1, horizon, 9), horizon])
                again = play(name, stream(1, name, seed, run), means, horizon, some, **chosen)
                assert np.array_equal(again.counts, counts[some - 1])
                compared.append((horizon, len(set(twin))))

    compare()
    assert sum(horizon > 100 for horizon, _ in compared) > 3
    assert max(played for _, played in compared) > 1


def test_every_algorithm_has_a_twin():
    assert set(TWIN_OF) == set(OF_ARMS)


PROGRAM = """
import json
import numpy as np
from playing import THREE, actions
from dpbandits import Bernoulli, compare
from dpbandits.bandits.rewards import various_arms
from dpbandits.bandits.run import new_run
from dpbandits.errors import InputError
from dpbandits.policies import POLICIES
from dpbandits.privacy.reports import RandomisedResponse
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream

cases, of_loops = json.loads(input())
for name, chosen in cases:
    print(name, actions(name, stream(6, name), THREE, 300, **chosen))
some = [POLICIES.make(*case) for case in cases[::9]]
print(compare(some, on=Bernoulli([0.9, 0.6]), horizon=300, n_runs=2, n_jobs=1).runs.to_csv())
arms = various_arms(np.full(3, 0.5), [(0.3, 0.4, -1, 0), (np.nan, 0.4, -1, 0), (0.4, 0.4, -1, 0)])
for name, chosen in of_loops:
    try:
        POLICIES.make(name, chosen).play(new_run(arms, Releases(stream(6, name)), 3000))
    except InputError as error:
        print(error)
"""


def test_without_compilation_the_numbers_are_the_same(capsys, monkeypatch):
    """For a debugger: NUMBA_DISABLE_JIT=1. Plain numbers do not overflow, either.

    Arm 1 pays NaN, which every loop refuses by policy, round and arm.
    """
    loops = {}  # one policy each of those that share a loop and its short cut
    for name, chosen in CASES:
        kind = POLICIES.find(name)
        # A bit drawn for NaN is 0.
        if issubclass(kind, WITH_INDEX) and not issubclass(kind, RandomisedResponse):
            loops.setdefault((kind.play, getattr(kind, "short_cut", None)), (name, chosen))
    cases = json.dumps([CASES, [*loops.values()]])
    monkeypatch.setattr("builtins.input", lambda: cases)
    exec(PROGRAM, {})
    compiled = capsys.readouterr().out.splitlines()
    assert len(compiled) > len(CASES) + 100
    says = r"\w+\(.*\): the index .* of arm 1 is NaN in round \d+; compute a"
    assert all(re.match(says, line) for line in compiled[-len(loops) :])
    plain = uncompiled(PROGRAM, cases, PYTHONWARNINGS="error::RuntimeWarning").splitlines()
    assert [pair for pair in zip(compiled, plain, strict=True) if len({*pair}) > 1] == []


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("ldp_ucb", {"epsilon": 1}),
        ("adap_ucb", {"epsilon": 1}),
        *((name, {"epsilon": 1, "noise": "discrete"}) for name in OF_SUMS),
        ("exp3_on_arms", {}),
    ],
)
def test_rewards_between_0_and_1_are_played_as_by_the_twin(name, chosen):
    """One uniform number each, also in the sums of episodes.

    The users of a secure sum round first, and a rounded reward is 1 with the mean of its arm.
    """
    T, bandit = 2000, UniformRewards([0.7, 0.6], width=0.6)
    arms = [lambda rng: 0.4 + 0.6 * rng.random(), lambda rng: 0.3 + 0.6 * rng.random()]
    if "noise" in chosen:
        arms = bandit.arms.means.tolist()
    for number in range(20):
        run = bandit.begin(bandit.arms, stream(7, number), T, np.array([T]))
        POLICIES.make(name, chosen).play(run)
        twin = TWIN_OF[name](for_twin(stream(7, number)), arms, T, **chosen)
        assert run.pulls.tolist() == np.bincount(twin, minlength=2).tolist()


class OwnArms(NamedTuple):
    """Arms of a user's own, which pay the same in every round."""

    means: np.ndarray

    def reward(self, rng, a):
        return self.means[a]


def test_each_reward_of_a_users_own_arms_is_rounded_alone():
    arms, again = rounded(OwnArms(np.array([1.0, 0.3]))), stream(3)
    drawn = [again.random() < 0.3 for _ in range(1000)]
    assert arms.rewards(stream(3), 1, 1000) == sum(drawn)
    assert arms.reward(stream(3), 1) == drawn[0]


def test_rewards_of_0_and_1_and_those_of_an_audit_stay():
    for arms in (Arms(np.array([0.5])), Arms(np.zeros(1), 2, np.zeros((3, 1)))):
        assert rounded(arms) is arms
