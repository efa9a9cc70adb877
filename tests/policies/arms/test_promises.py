"""What every algorithm on arms promises and spends, what users report; and which parameters any algorithm refuses."""

import inspect
import math
import types
import typing

import pytest

from dpbandits import parameters, policies
from dpbandits.errors import InputError
from dpbandits.random import laplace, noisy_bit, stream

OF_ARMS = [name for name, family in policies.known().items() if family == "arms"]
K, EPSILON, HORIZONS = 5, 0.3, (7, 8, 1000, 1024, 100_003)

# What an algorithm spends of its promise, at all horizons or at those given, and whom it trusts.
SPENT = [
    *((name, {}, 1, "central") for name in ("adap_ucb", "adap_klucb", "dp_se", "dp_klucb", "dp_imed", "adac_ucb")),
    *((name, {"growth": 1.1}, 1, "central") for name in ("dp_klucb", "dp_imed")),
    ("adac_ucb", {"delta": 1e-5}, 1, "central"),
    ("dist_dp_se", {}, 1, "aggregator"),
    ("explore_then_commit", {}, 1, "central"),
    ("explore_then_commit", {"noise": "gaussian"}, 1, "central"),
    ("explore_then_commit", {"noise": "local"}, 1, "local"),
    *((name, {}, 1, "local") for name in ("ldp_ucb", "ldp_ucb_clipped", "ldp_epsilon_greedy", "rr_kl_ucb", "ldp_ncb")),
    ("ldp_ncb", {"phase1_noise": "misplaced"}, 1 / EPSILON, "local"),
    ("anytime_ncb", {"game": "ldp_ncb"}, 1, "local"),
    ("dp_exp3_lap_on_arms", {}, 1, "central"),
    ("adap_ucb_as_drawn", {}, math.inf, "central"),
    *((name, {"hybrid_split": "half_log2"}, 1, "central") for name in ("dp_ucb", "dp_ucb_bound")),
    *((name, {"hybrid_split": "full_log2"}, 2, "central") for name in ("dp_ucb", "dp_ucb_bound")),
    *((name, {"hybrid_split": "literal_natlog"}, 1 + 1 / math.log(2), "central") for name in ("dp_ucb", "dp_ucb_bound")),
    ("private_ucb", {}, 1 / K, "central"),
    ("private_ucb", {"budget": "parallel"}, 1, "central"),
    ("private_ucb_tuned", {"relax_c": 6.0}, 1 / K, "central"),
    ("private_thompson", {}, 1 / K / 2, "central"),
    ("private_thompson", {"ts_budget": "full"}, 1 / K, "central"),
    ("private_thompson_gap", {}, 1 / K / 2, "central"),
]  # fmt: skip
ELSEWHERE = {
    "dp_ucb_int",
    "gdp_ncb",
    "exp3_tau_on_arms",
}  # test_dp_ucb_int.py, test_nash.py, test_table_of_gains.py


def account_of(name, given, horizon):
    module = policies.find(name)
    account = module.privacy(horizon, K, epsilon=EPSILON, **given)
    delta = {**parameters.defaults_of(module.play), **given}.get("delta", 0.0)
    is_gaussian = name == "adac_ucb" or given.get("noise") == "gaussian"
    assert (account.epsilon, account.delta) == (EPSILON, delta if is_gaussian else 0.0)
    return account


@pytest.mark.parametrize(("name", "given", "share", "trust"), SPENT)
def test_what_is_spent_of_the_promise(name, given, share, trust):
    """At every horizon, where each reward is in one release; a mechanism for a stream attains its worst case in a long game."""
    for horizon in HORIZONS[2:] if "hybrid_split" in given else HORIZONS:
        account = account_of(name, given, horizon)
        assert account.spent == pytest.approx(EPSILON * share, rel=1e-9)
        assert account.kept is (share <= 1)
        assert account.trust == trust


def test_every_promise_is_in_the_table():
    assert {row[0] for row in SPENT} | ELSEWHERE == {
        n for n in OF_ARMS if hasattr(policies.find(n), "privacy")
    }


REPORTING = [name for name in OF_ARMS if hasattr(policies.find(name), "reporting")]


@pytest.mark.parametrize("name", REPORTING)
def test_what_users_report(name):
    """The reward with Laplace noise of scale 1/epsilon, clipped or not; or a bit of it, honestly with probability e^eps/(1 + e^eps)."""
    more = {"anytime_ncb": {"game": "ldp_ncb"}, "explore_then_commit": {"noise": "local"}}.get(
        name, {}
    )
    rules = policies.find(name).reporting(1000, K, epsilon=EPSILON, **more)
    assert len(rules) == (2 if "ncb" in name else 1)
    for rule in rules.values():
        for run in range(200):
            reward = run % 3 / 2
            report, rng = rule.report(stream(1, run), reward), stream(1, run)
            if name == "rr_kl_ucb":
                honest = math.exp(EPSILON) / (1 + math.exp(EPSILON))
                assert report == noisy_bit(rng, 1 - honest + reward * (2 * honest - 1))
            else:
                noisy = reward + laplace(rng, 1 / EPSILON)
                assert report == (min(max(noisy, 0.0), 1.0) if name == "ldp_ucb_clipped" else noisy)


def test_what_users_report_with_misplaced_noise():
    """Location 1/epsilon and scale 1 in Phase I alone; and whoever trusts the policy reports nothing."""
    rules = policies.find("ldp_ncb").reporting(1000, K, epsilon=EPSILON, phase1_noise="misplaced")
    assert rules["Phase I"].report(stream(2), 1.0) == 1.0 + (1 / EPSILON + laplace(stream(2), 1.0))
    assert rules["Phase II"].report(stream(2), 1.0) == 1.0 + laplace(stream(2), 1 / EPSILON)
    assert policies.find("explore_then_commit").reporting(1000, K, epsilon=1.0) == {}
    assert policies.find("anytime_ncb").reporting(1000, K, epsilon=1.0, game="gdp_ncb") == {}


def test_locally_private_policies_say_what_users_report():
    local = {name for name, _, _, trust in SPENT if trust == "local"}
    assert local <= set(REPORTING) <= local | {"anytime_ncb", "explore_then_commit"}


# Wrong parameters.


def wrong_values(kind):
    """(value, words of the message) just outside of what an annotation allows."""
    origin, given = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Literal:
        longest = max(given, key=len)
        yield longest + "x", f"did you mean '{longest}'"
        yield 0.5, "0.5 is not one of " + ", ".join(given)
    elif origin in (typing.Union, types.UnionType):
        for each in given:  # a text was meant as a word, a number as a number
            is_word = typing.get_origin(each) is typing.Literal
            yield from (pair for pair in wrong_values(each) if isinstance(pair[0], str) == is_word)
    elif kind is bool:
        yield "yes", "'yes' should be true or false"
    else:
        yield "0.2", "'0.2' should be a "
        for end in (
            each for each in given[1:] if not hasattr(each, "documentation")
        ):  # which is only text
            value = next(
                getattr(end, bound) for bound in ("gt", "ge", "lt", "le") if hasattr(end, bound)
            )
            step = (
                0 if hasattr(end, "gt") or hasattr(end, "lt") else 1 if hasattr(end, "le") else -1
            )
            yield value + step * (1 if given[0] is int else 1e-9), " should be a "


@pytest.mark.parametrize("name", policies.known())
def test_a_parameter_outside_of_its_annotation_is_refused(name):
    """In one line that names it; and one that is needed is asked for."""
    play = policies.find(name).play
    kinds, signature = typing.get_type_hints(play, include_extras=True), inspect.signature(play)
    needed = {"epsilon": 1.0, "eps0": 1.0, "game": "gdp_ncb"}
    required = [
        p
        for p in parameters.accepted(play)
        if signature.parameters[p].default is inspect.Parameter.empty
    ]
    given = {parameter: needed[parameter] for parameter in required}
    parameters.check(play, given, "here")
    for parameter in required:
        with pytest.raises(InputError, match=f"^here: '{parameter}' is missing"):
            parameters.check(
                play, {key: value for key, value in given.items() if key != parameter}, "here"
            )
    for parameter in parameters.accepted(play):
        for value, words in wrong_values(kinds[parameter]):
            with pytest.raises(InputError) as refusal:
                parameters.check(play, {**given, parameter: value}, "here")
            assert str(refusal.value).startswith(f"here: {parameter}: ")
            assert words in str(refusal.value)
            assert "\n" not in str(refusal.value)
