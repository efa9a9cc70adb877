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

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from plain.twins import TWIN_OF
from playing import THREE, for_twin, play
from project import uncompiled

from dpbandits import parameters
from dpbandits.bandits import Beta, UniformRewards
from dpbandits.drivers import levels, posterior
from dpbandits.drivers.posterior import PosteriorPolicy
from dpbandits.errors import InputError
from dpbandits.policies import POLICIES
from dpbandits.random import stream

OF_ARMS = [name for name, family in POLICIES.known.items() if family == "arms"]
# The longest game of a comparison. Episodes are long, and so are batches and Phase I.
LONGEST = dict.fromkeys(TWIN_OF, 2000)
LONGEST |= dict.fromkeys(["adap_ucb", "adap_klucb", "adac_ucb", "adap_ucb_as_drawn"], 60_000)
LONGEST |= dict.fromkeys(["dp_se", "dp_klucb", "dp_imed"], 60_000)
LONGEST |= dict.fromkeys(["gdp_ncb", "dist_dp_se", "dist_rdp_se"], 20_000)
LONGEST |= dict.fromkeys(["dp_ucb_int", "anytime_lazy_ucb", "ncb", "ldp_ncb", "anytime_ncb"], 3000)
LONGEST |= dict.fromkeys(["dp_ucb", "kl_ucb", "rr_kl_ucb", "delayed_ucb_tuned"], 500)  # slow twins
BOUNDS = {  # where not any number up to 30
    # With smaller ones the first steps fill the game.
    "private_thompson_gap": {"epsilon": (100.0, 1e5)},
    # With others the twin's bisection is too coarse.
    "dp_klucb": {"epsilon": (0.03, 10.0)},
    # With larger ones indices are next to 1, and rounding decides.
    "kl_ucb": {"alpha": (0.03, 2.0)},
}


def declared(name):
    return parameters.declared(POLICIES.find(name))


FURTHER = {"anytime_ncb": {"game": "gdp_ncb"}, "explore_then_commit": {"noise": "laplace"}}
CASES = [  # every policy with its defaults
    (name, {"epsilon": 1.0} | FURTHER.get(name, {}) if "epsilon" in declared(name) else {})
    for name in OF_ARMS
]
CASES += [
    ("anytime_ncb", {"epsilon": 1.0, "game": "ldp_ncb"}),
    ("dp_ts", {"epsilon": 1.0, "invoke": "each_pull"}),
    *(
        (name, {"epsilon": 1.0, "noise": "discrete"})
        for name in ("adap_ucb", "adap_klucb", "dp_klucb")
    ),
    ("explore_then_commit", {"epsilon": 1.0, "noise": "gaussian"}),
    ("explore_then_commit", {"epsilon": 1.0, "noise": "local"}),
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

    Three short games each test small counts, equal indices and games that end in an episode.
    """
    compared, turns = [], itertools.count()
    if issubclass(POLICIES.find(name), PosteriorPolicy):
        # Draw every theta, as the twin does.
        monkeypatch.setattr(posterior, "CANDIDATES", 0.0)

    @settings(max_examples=30, phases=[Phase.generate])
    @given(settings_of(name), MEANS, st.floats(0.3, 1), st.integers(0, 2**20))
    def compare(chosen, means, share, seed):
        long = [int(share * LONGEST[name])] * (next(turns) % 3 == 0)
        for run, horizon in enumerate([60, 60, int(100 * share), *long]):
            with suppress(InputError):  # a game that is too short for these parameters
                POLICIES.make(name, chosen).check(horizon, len(means))
                every, rng = range(1, horizon + 1), stream(1, name, seed, run)
                twin = TWIN_OF[name](for_twin(rng), means, horizon, **chosen)
                ours = play(name, rng, means, horizon, every, **chosen)
                counts = np.eye(len(means), dtype=int)[twin].cumsum(axis=0)
                assert np.array_equal(ours.counts, counts)
                assert np.array_equal(ours.pulls, counts[-1])
                compared.append((horizon, len(set(twin))))

    compare()
    assert sum(horizon > 100 for horizon, _ in compared) > 3
    assert max(played for _, played in compared) > 1


def test_every_algorithm_has_a_twin():
    """Those of policies for tables of gains are in test_table_of_gains.py."""
    on_tables = {"exp3_on_arms", "exp3_tau_on_arms", "dp_exp3_lap_on_arms"}
    assert set(TWIN_OF) | on_tables == set(OF_ARMS)


def counts_at(case, horizon, checkpoints):
    """The pull counts at these checkpoints, by round."""
    name, chosen = case
    run = play(name, stream(4, name), THREE, horizon, checkpoints, **chosen)
    assert run.clock.tolist() == [horizon, len(checkpoints)]
    return dict(zip(checkpoints, run.counts.tolist(), strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}:{[*case[1].values()]}")
def test_numbers_do_not_depend_on_the_checkpoints(case):
    T = levels.FIRST + 5000 if case[0] == "ldp_ucb_clipped" else 3000
    every = counts_at(case, T, range(1, T + 1))
    some = np.unique(np.random.default_rng(5).integers(1, T, 40)).tolist()
    for checkpoints in ([T], [*some, T], [*range(T - 7, T - 1), T]):
        assert counts_at(case, T, checkpoints) == {t: every[t] for t in checkpoints}


# Without compilation.

PLAIN = """
import json
from playing import actions
from dpbandits import Bernoulli, compare
from dpbandits.policies import POLICIES
from dpbandits.random import stream

cases = json.loads(input())
for name, chosen in cases:
    print(name, actions(name, stream(6, name), [0.8, 0.5, 0.3], 300, **chosen))
some = [POLICIES.make(*case) for case in cases[::9]]
print(compare(some, on=Bernoulli([0.9, 0.6]), horizon=300, n_runs=2, n_jobs=1).runs.to_csv())
"""


def test_without_compilation_the_numbers_are_the_same(capsys, monkeypatch):
    """For a debugger: NUMBA_DISABLE_JIT=1. Plain numbers do not overflow, either."""
    cases = json.dumps(CASES)
    monkeypatch.setattr("builtins.input", lambda: cases)
    exec(PLAIN, {})
    compiled = capsys.readouterr().out.splitlines()
    assert len(compiled) > len(CASES) + 100
    plain = uncompiled(PLAIN, cases, PYTHONWARNINGS="error::RuntimeWarning").splitlines()
    assert [pair for pair in zip(compiled, plain, strict=True) if len({*pair}) > 1] == []


NO_INDEX = {  # or none of a subclass, or one that a reward of NaN leaves a number
    "uniform", "dp_se", "dist_dp_se", "dist_rdp_se", "ldp_ucb_b", "rr_kl_ucb", "imed", "dp_imed",
    "dp_ucb", "dp_ucb_int", "delayed_ucb_tuned", "explore_then_commit", "ldp_epsilon_greedy",
    "exp3_on_arms", "exp3_tau_on_arms", "dp_exp3_lap_on_arms",
}  # fmt: skip
UNDEFINED = """
import json
import numpy as np
from dpbandits.bandits.rewards import Arms, various_arms
from dpbandits.bandits.run import new_run
from dpbandits.errors import InputError
from dpbandits.policies import POLICIES
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream

T, rows = 3000, [(0.3, 0.4, -1, 0), (np.nan, 0.4, -1, 0), (0.4, 0.4, -1, 0)]
PAY_NAN = various_arms(np.full(3, 0.5), rows)
for name, chosen in json.loads(input()):
    # No kernel is compiled for noise that is NaN. GDP-NCB clips what it releases.
    has_noise = chosen and name not in ("gdp_ncb", "anytime_ncb")
    arms, noise = (Arms(np.full(3, 0.5)), np.nan) if has_noise else (PAY_NAN, 1.0)
    run = new_run(arms, Releases(stream(6, name), noise), T)
    try:
        POLICIES.make(name, chosen).play(run)
        print(name, "has played")
    except InputError as error:
        print(error)
"""


def test_an_index_that_is_nan_names_policy_round_and_arm(capsys, monkeypatch):
    """Compiled and in plain Python, in every loop."""
    loops = {}  # one policy each of those that share a loop and its short cut, with noise if any
    for case in sorted(CASES, key=lambda case: not case[1]):
        kind = POLICIES.find(case[0])
        if case[0] not in NO_INDEX:
            loops.setdefault((kind.play, getattr(kind, "short_cut", None)), case)
    cases = json.dumps([*loops.values()])
    monkeypatch.setattr("builtins.input", lambda: cases)
    exec(UNDEFINED, {})
    compiled = capsys.readouterr().out
    says = r"^\w+\(.*\): the index .* of arm (\d) is NaN in round \d+; compute a"
    # Noise that is NaN is in all arms, of which arm 0 is the first; four policies play arm 1.
    assert sorted(re.findall(says, compiled, re.MULTILINE)) == ["0"] * (len(loops) - 4) + ["1"] * 4
    assert uncompiled(UNDEFINED, cases) == compiled


# Rewards between 0 and 1
VARIOUS = [
    (Beta([4, 1, 0.25]), [lambda x: math.sqrt(math.sqrt(x)), lambda x: x, lambda x: (x**2) ** 2]),
    (UniformRewards([0.8, 0.6], width=0.4), [lambda x: 0.6 + 0.4 * x, lambda x: 0.4 + 0.4 * x]),
]


@pytest.mark.parametrize(("bandit", "draws"), VARIOUS, ids=["beta", "uniform_rewards"])
@pytest.mark.parametrize("name", ["ldp_ucb", "adap_ucb"])
def test_rewards_between_0_and_1_are_played_as_by_the_twin(name, bandit, draws):
    """One uniform number each, also in the sums of episodes."""
    T, twins = 2000, [lambda rng, draw=draw: draw(rng.random()) for draw in draws]
    for number in range(3):
        run = bandit.begin(bandit.arms, stream(7, number), T, np.array([T]))
        POLICIES.make(name, {"epsilon": 1}).play(run)
        twin = TWIN_OF[name](for_twin(stream(7, number)), twins, T, 1.0)
        assert run.pulls.tolist() == np.bincount(twin, minlength=len(draws)).tolist()
