"""Every policy on stochastic arms takes the actions of its plain twin.

This holds for all parameters. Its numbers depend neither on the checkpoints nor on compilation.
Promises are tested in test_promises.py, and properties of one policy in a module of their own.
"""

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
from plain import azize2022, azize2025, baselines, hu2022, mishra2015, sarkar2025, tossou2016
from playing import AZIZE2022, FIFTY, FIVE, THREE, actions, final_regret, for_twin, play
from project import uncompiled
from scipy import stats

from dpbandits import parameters
from dpbandits.bandits import Beta, UniformRewards
from dpbandits.drivers import levels, posterior
from dpbandits.drivers.posterior import PosteriorPolicy
from dpbandits.errors import InputError
from dpbandits.policies import POLICIES
from dpbandits.random import stream

TWINS = {  # and the longest game of a comparison
    tossou2016: {
        "ucb": 2000, "private_ucb": 2000, "dp_ucb": 600, "dp_ucb_bound": 2000, "dp_ucb_int": 3000,
    },
    azize2022: {
        "adap_ucb": 60_000, "adap_klucb": 60_000, "adac_ucb": 60_000, "dp_se": 60_000,
        "kl_ucb": 500,
    },
    hu2022: {"anytime_lazy_ucb": 3000, "dp_ts": 2000, "lazy_dp_ts": 2000},
    azize2025: {"dp_klucb": 60_000, "dp_imed": 60_000, "imed": 2000},
    sarkar2025: {
        "ncb": 3000, "gdp_ncb": 20_000, "ldp_ncb": 3000, "anytime_ncb": 3000, "ldp_ucb": 2000,
        "ldp_ucb_clipped": 2000, "adap_ucb_as_drawn": 60_000,
    },
    mishra2015: {
        "ucb_tuned": 2000, "private_ucb_tuned": 2000, "private_ucb_clipped": 2000,
        "thompson": 2000, "private_thompson": 2000, "private_thompson_gap": 2000,
        "delayed_thompson": 2000, "delayed_ucb_tuned": 400,
    },
    baselines: {
        "uniform": 500, "explore_then_commit": 700, "ldp_epsilon_greedy": 700, "rr_kl_ucb": 500,
        "ldp_ucb_b": 2000, "dist_dp_se": 20_000, "dist_rdp_se": 20_000,
    },
}  # fmt: skip
TWIN_OF = {name: getattr(twins, name) for twins, longest in TWINS.items() for name in longest}
LONGEST = {name: horizon for longest in TWINS.values() for name, horizon in longest.items()}
# Their twins: test_table_of_gains.py.
ON_TABLES = {"exp3_on_arms", "exp3_tau_on_arms", "dp_exp3_lap_on_arms"}
BOUNDS = {  # where not any number up to 30
    # With smaller ones the first steps fill the game.
    "private_thompson_gap": {"epsilon": (100.0, 1e5)},
    # With others the twin's bisection is too coarse.
    "dp_klucb": {"epsilon": (0.03, 10.0)},
    # With larger ones indices are next to 1, and rounding decides.
    "kl_ucb": {"alpha": (0.03, 2.0)},
}
OF_ARMS = [name for name, family in POLICIES.known.items() if family == "arms"]


def declared(name):
    return parameters.declared(POLICIES.find(name))


FURTHER = {"anytime_ncb": {"game": "gdp_ncb"}, "explore_then_commit": {"noise": "laplace"}}
CASES = [  # every policy with its defaults
    (name, {"epsilon": 1.0} | FURTHER.get(name, {}) if "epsilon" in declared(name) else {})
    for name in OF_ARMS
]
CASES += [
    ("anytime_ncb", {"epsilon": 1.0, "game": "ldp_ncb"}),
    ("explore_then_commit", {"epsilon": 1.0, "noise": "gaussian"}),
    ("explore_then_commit", {"epsilon": 1.0, "noise": "local"}),
    ("gdp_ncb", {"epsilon": 1.0, "cap": "none", "multiplier": 1.0, "private_mean": "in_test"}),
]


def named(case):
    """The id of a row, which begins with the algorithm."""
    return f"{case[0]}:" + ",".join(map(str, case[1].values()))


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


@pytest.mark.parametrize("name", LONGEST, ids=lambda name: f"{name}:")
def test_kernel_takes_the_same_actions_as_its_twin(name, monkeypatch):
    """A long game tests leads, windows and resting indices. Short games test small counts."""
    compared = []
    if issubclass(POLICIES.find(name), PosteriorPolicy):
        # Draw every theta, as the twin does.
        monkeypatch.setattr(posterior, "CANDIDATES", 0.0)

    @settings(max_examples=30, phases=[Phase.generate])
    @given(settings_of(name), MEANS, st.floats(0.3, 1), st.integers(0, 2**20))
    def compare(chosen, means, share, seed):
        for run, horizon in enumerate([int(share * LONGEST[name]), *[60] * 6]):
            with suppress(InputError):  # a game that is too short for these parameters
                POLICIES.make(name, chosen).check(horizon, len(means))
                ours = actions(name, stream(1, name, seed, run), means, horizon, **chosen)
                rng = for_twin(stream(1, name, seed, run))
                assert ours == TWIN_OF[name](rng, means, horizon, **chosen)
                compared.append(len(set(ours)))

    compare()
    assert len(compared) > 20
    assert max(compared) > 1


def test_every_algorithm_has_a_twin():
    assert set(LONGEST) | ON_TABLES == set(OF_ARMS)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "horizon", "chosen"),
    [
        ("adap_ucb", 4000, {"epsilon": 1.0}),
        ("dp_ucb_int", 600, {"epsilon": 2.0}),
        ("explore_then_commit", 400, {"epsilon": 0.1}),
        ("gdp_ncb", 2000, {"epsilon": 1.0, "private_mean": "at_end"}),
        ("private_thompson", 300, {"epsilon": 20.0}),
        ("private_thompson_gap", 400, {"epsilon": 30_000.0}),
    ],
    ids=lambda value: f"{value}:",
)
def test_sums_of_rewards_leave_the_distribution_of_the_regret(name, horizon, chosen):
    """Binomial numbers and the short cut of posterior sampling do not change it.

    The twin draws every reward and every theta.
    """
    # Arms that a twin pulls reward by reward.
    arms = [lambda rng, mean=mean: float(rng.random() < mean) for mean in THREE]
    gaps = THREE[0] - np.array(THREE)
    ours = [
        final_regret(name, stream(2, name, run), THREE, horizon, **chosen) for run in range(2000)
    ]
    twin = [
        gaps[TWIN_OF[name](for_twin(stream(3, name, run)), arms, horizon, **chosen)].sum()
        for run in range(400)
    ]
    assert stats.ks_2samp(np.round(ours, 6), np.round(twin, 6)).pvalue > 1e-4
    assert len(set(np.round(ours, 6))) > 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "means", "chosen"),
    [
        ("thompson", [0.7, 0.5, 0.5], {}),
        ("thompson", FIFTY, {}),
        ("private_thompson", FIVE, {"epsilon": 30.0, "explore_c": 0.0}),
        ("dp_ts", AZIZE2022["C2"], {"epsilon": 30.0}),
        ("dp_ts", THREE, {"epsilon": 1.0}),
        ("lazy_dp_ts", AZIZE2022["C2"], {"epsilon": 1.0}),
        ("lazy_dp_ts", THREE, {"epsilon": 30.0, "log": "ln", "first_pulls": False}),
    ],
    ids=lambda value: f"{value}:",
)
def test_the_short_cut_of_posterior_sampling_leaves_the_distribution_of_the_regret(
    name, means, chosen, monkeypatch
):
    """The final regret of 2000 games, with candidates and without."""
    regrets = []
    for share in (posterior.CANDIDATES, 0.0):
        monkeypatch.setattr(posterior, "CANDIDATES", share)
        streams = (stream(9, name, share, run) for run in range(2000))
        regrets.append([final_regret(name, rng, means, 2000, **chosen) for rng in streams])
    assert stats.ks_2samp(*np.round(regrets, 6)).pvalue > 1e-4
    assert len(set(regrets[0])) > 10


def counts_at(case, horizon, checkpoints):
    """The pull counts at these checkpoints, by round."""
    name, chosen = case
    journal = play(name, stream(4, name), THREE, horizon, checkpoints, **chosen).journal
    assert journal.next[0] == len(checkpoints)
    return dict(zip(checkpoints, journal.counts.tolist(), strict=True))


@pytest.mark.parametrize("case", CASES, ids=named)
def test_numbers_do_not_depend_on_the_checkpoints(case):
    T = levels.FIRST + 5000 if case[0] == "ldp_ucb_clipped" else 3000
    every = counts_at(case, T, range(1, T + 1))
    rng = np.random.default_rng(5)
    for checkpoints in (
        [T],
        [*np.unique(rng.integers(1, T, 40)).tolist(), T],
        [*range(T - 7, T - 1), T],
    ):
        assert counts_at(case, T, checkpoints) == {t: every[t] for t in checkpoints}


PLAIN = """
import json
from playing import actions
from dpbandits.random import stream

for name, chosen in json.loads(input()):
    print(json.dumps(actions(name, stream(6, name), [0.8, 0.5, 0.3], 300, **chosen)))
"""


def test_without_compilation_the_actions_are_the_same():
    plain = uncompiled(PLAIN, json.dumps(CASES)).splitlines()
    for case, played in zip(CASES, plain, strict=True):
        assert actions(case[0], stream(6, case[0]), THREE, 300, **case[1]) == json.loads(played), (
            case
        )


NO_INDEX = {  # or one that a reward of NaN leaves a number
    "uniform", "dp_se", "dist_dp_se", "dist_rdp_se", "ldp_ucb_b", "rr_kl_ucb", "thompson",
    "private_thompson", "private_thompson_gap", "delayed_thompson", "dp_ts", "lazy_dp_ts",
    *ON_TABLES,
}  # fmt: skip
UNDEFINED = """
import json
import numpy as np
from dpbandits.bandits.rewards import various_arms
from dpbandits.bandits.run import new_run
from dpbandits.errors import InputError
from dpbandits.policies import POLICIES
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream

T, rows = 3000, [(0.3, 0.4, -1, 0), (np.nan, 0.4, -1, 0), (0.4, 0.4, -1, 0)]
for name, chosen in json.loads(input()):
    run = new_run(various_arms(np.full(3, 0.5), rows), Releases(stream(6, name)), T)
    try:
        POLICIES.make(name, chosen).play(run)
        print(name, "has played")
    except InputError as error:
        print(error)
"""


def test_an_index_that_is_nan_names_policy_round_and_arm(capsys, monkeypatch):
    """Compiled and in plain Python."""
    cases = json.dumps([case for case in CASES if case[0] not in NO_INDEX])
    monkeypatch.setattr("builtins.input", lambda: cases)
    exec(UNDEFINED, {})
    compiled = capsys.readouterr().out
    for line in compiled.splitlines():
        assert re.match(r"\w+\(.*\): the index of arm 1 is NaN in round \d+; compute a", line)
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
    for number in range(5):
        run = bandit.begin(bandit.arms, stream(7, number), T, np.array([T]))
        POLICIES.make(name, {"epsilon": 1}).play(run)
        twin = TWIN_OF[name](for_twin(stream(7, number)), twins, T, 1.0)
        assert run.pulls.tolist() == np.bincount(twin, minlength=len(draws)).tolist()
