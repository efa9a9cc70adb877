"""The library's face: the workflow's numbers for the same names, the same for any number of cores, and plain refusals."""

import math
import re
import runpy
from functools import partial
from unittest.mock import ANY

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from playing import NEWS
from project import ROOT, study_of, uncompiled

from dpbandits import bandit, bernoulli, compare, parameters, policies, simulation
from dpbandits.bandits.arms import note, pull
from dpbandits.errors import InputError
from dpbandits.kernels import kernel
from dpbandits.library import FORMS
from dpbandits.policies.arms.ucb import play
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.statistics.summaries import SUMMARY

TWO = {
    "on": bernoulli(means=[0.9, 0.6]),
    "T": 2000,
    "runs": 8,
    "policies": {"UCB": "ucb"},
    "cores": 1,
}


def test_the_same_names_give_the_workflows_numbers():
    experiment = study_of("tossou2016", "smoke").experiments["fig2a"]
    series = experiment.series["dp-ucb"]
    design, settings = experiment.design, dict(experiment.environment)
    policies = {"dp-ucb": ("dp_ucb", dict(series.parameters))}
    kind = settings.pop("kind")
    ours = compare(
        bandit(kind, **settings), T=design.horizon, runs=10, policies=policies, at=design.rounds, cores=1,
        paper="tossou2016", experiment="fig2a",
    )  # fmt: skip
    trace = simulation.simulate(experiment.spec("dp-ucb", 1), 0, 9)
    i = list(trace.header["series"]).index("dp-ucb")
    assert np.array_equal(ours.table["max"], trace.values["regret"][i].max(axis=0))
    assert list(ours.table) == [*SUMMARY, "standard_error", "epsilon", "delta", "spent"]


def test_functions_within_functions_are_played_on_several_cores_with_the_same_numbers():
    def always(a):
        def play(rng, arms, horizon, journal):
            pulls = np.zeros(arms.means.size, np.int64)
            for t in range(1, horizon + 1):
                pulls[a] = t
                note(journal, t, pulls)

        return play

    policies = {"good": always(0), "bad": always(1), "UCB": "ucb"}
    found = compare(**TWO | {"policies": policies, "cores": 2}).table
    assert found.groupby("policy")["max"].max().to_dict() == {
        "good": 0.0,
        "bad": pytest.approx(600),
        "UCB": ANY,
    }
    assert found.equals(compare(**TWO | {"policies": policies, "cores": 3}).table)
    assert found.equals(compare(**TWO | {"policies": policies}).table)


def test_whole_numbers_may_be_floats_or_numpys():
    means, epsilon = np.array([0.9, 0.6], np.float32), np.float64(0.5)
    policies = {"DP-SE": ("dp_se", {"epsilon": epsilon})}
    found = compare(
        bernoulli(means), T=1e2, runs=np.int32(8), policies=policies, cores=np.int64(1), at=[50.0]
    )
    assert found.table["t"].tolist() == [50, 100]


def test_the_table_has_numbers():
    """Whoever promises nothing has none."""
    found = compare(**TWO | {"policies": {"UCB": "ucb", "DP-SE": ("dp_se", {"epsilon": 0.5})}})
    table = found.table.set_index("policy")
    assert all(pd.api.types.is_numeric_dtype(kind) for kind in table.dtypes)
    assert np.allclose(table["standard_error"], table["std"] / np.sqrt(8))
    assert table.loc["UCB", ["epsilon", "delta", "spent"]].isna().all(axis=None)
    assert (table.loc["DP-SE", ["epsilon", "delta", "spent"]] == [0.5, 0.0, 0.5]).all(axis=None)
    assert found.privacy().set_index("policy")["verdict"].to_dict() == {
        "UCB": "no promise",
        "DP-SE": "kept",
    }


GAMES = {"kind": "stochastic_adversary", "number_of_arms": 4, "best": 0.8, "others": 0.5}


@pytest.mark.parametrize(
    ("environment", "policies", "quantity"),
    [
        (GAMES, {"EXP3": "exp3", "DP-EXP3": ("dp_exp3_lap", {"epsilon": 1})}, "regret"),
        (NEWS, {"UCB": "lin_ucb", "private": ("private_lin_ucb", {"eps0": 1.0})}, "ctr_ratio"),
    ],
    ids=["games", "logs"],
)
def test_games_and_logs_are_compared_and_drawn(environment, policies, quantity, tmp_path):
    found = compare(bandit(**environment), T=3000, runs=4, policies=policies, cores=1)
    assert found.quantity == quantity
    assert found.table["policy"].unique().tolist() == list(policies)
    assert (found.table.groupby("policy")["mean"].last() > 0).all()
    (ax,) = found.plot(tmp_path / "curves.svg").axes
    assert ax.get_ylabel() == quantity.replace("_", " ")
    assert (tmp_path / "curves.svg").stat().st_size > 5000


def test_shuffled_arms_are_in_another_order_in_every_run():
    """An algorithm that always plays the first arm loses nothing where that is the best one."""

    def first(rng, arms, horizon, journal):
        journal.counts[:] = np.outer(journal.checkpoints, [1, 0])
        journal.kept[0] = len(journal.checkpoints)

    for shuffled, most in ((True, pytest.approx(300)), (False, 0)):
        on = bernoulli(means=[0.9, 0.6], shuffled=shuffled)
        table = compare(on, T=1000, runs=40, policies={"first": first}, cores=1).table
        assert (table["min"].iloc[-1], table["max"].iloc[-1]) == (0, most)
        assert (60 < table["mean"].iloc[-1] < 240) == shuffled


def counting_in_lists(rng, arms, horizon, journal):
    """UCB1 without NumPy."""
    K = len(arms.means)
    sums, pulls = [0.0] * K, [0] * K
    for t in range(1, horizon + 1):
        index = [
            sums[a] / pulls[a] + math.sqrt(2 * math.log(t) / pulls[a]) if pulls[a] else math.inf
            for a in range(K)
        ]
        a = index.index(max(index))
        sums[a] += pull(rng, arms, a)
        pulls[a] += 1
        note(journal, t, pulls)


def test_plain_python_may_count_in_lists_and_a_kernel_says_what_to_write():
    @kernel
    def loop(rng, arms, horizon, journal):
        pulls = [0] * len(arms.means)
        note(journal, horizon, pulls)

    def compiled(rng, arms, horizon, journal):
        loop(rng, arms, horizon, journal)

    found = compare(**TWO | {"policies": {"lists": counting_in_lists}}).table["mean"].iloc[-1]
    assert 0.3 * 10 < found < 0.3 * 200
    with pytest.raises(
        InputError, match=r"test_library.py, line \d+: a list, .* write np.zeros\(K, np.int64\)"
    ):
        compare(**TWO | {"policies": {"lists": compiled}})


def test_a_function_that_is_no_algorithm_is_refused():
    def short(rng, arms, horizon):
        """It is given a journal, too."""

    def starless(rng, arms, horizon, journal, epsilon=1.0):
        """Parameters follow a star."""

    for mine, message in (
        (
            short,
            "short(rng, arms, horizon): it is given four values, rng, the bandit, the horizon and the journal",
        ),
        (starless, "starless(rng, arms, horizon, journal, epsilon): it is given four values"),
        (
            partial(starless, epsilon=2.0),
            "is no function; write def play(rng, arms, horizon, journal, *, epsilon)",
        ),
    ):
        with pytest.raises(InputError, match=re.escape(message)):
            compare(**TWO | {"policies": {"A": mine}})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"policies": {"A": "dp_se"}}, "compare: policies: A: parameters: 'epsilon' is missing"),
        (
            {"policies": {"A": ("ucb", {"epsilon": 1})}},
            "compare: policies: A: parameters: unknown key 'epsilon'",
        ),
        ({"policies": {"A": "exp3"}}, "algorithm 'exp3' plays adversaries' games"),
        (
            {"policies": {"A": "DP-SE"}},
            "compare: policies: A: unknown algorithm 'DP-SE'; did you mean 'dp_se'?",
        ),
        (
            {"policies": {"A": ("dp_se", 0.5)}},
            f"compare: policies: A: ('dp_se', 0.5) should be {FORMS}",
        ),
        ({"policies": {"A": 3}}, f"compare: policies: A: 3 should be {FORMS}"),
        (
            {"policies": {}},
            f"compare: policies: {{}} should be a mapping from each label to {FORMS}",
        ),
        (
            {"policies": {"A": ("dp_se", {"epsilon": [0.5, 1]})}},
            "A: parameters: epsilon: [0.5, 1] should be a number",
        ),
        ({"cores": 0}, "compare: cores: 0 should be a whole number from 1 to"),
        ({"runs": 1}, "compare: runs: 1 should be a whole number from 2 to"),
        ({"T": math.inf}, "compare: T: inf should be a whole number from 2 to 1e+12"),
        ({"T": "1e4"}, "compare: T: '1e4' should be a whole number from 2 to 1e+12"),
        ({"at": [5, 3000]}, "compare: at: 3000 should be a whole number from 1 to 2000"),
        ({"on": [0.9, 0.6]}, "compare: [0.9, 0.6] is no environment"),
        (
            {"on": {"kind": "bernoulli", "means": [0.9, 1.6]}},
            "bernoulli: means[1]: 1.6 should be a mean in [0, 1]",
        ),
        ({"on": {"kind": 3}}, "bandit: 3 should be the name of a kind of environment"),
    ],
    ids=str,
)
def test_wrong_input_is_refused_by_name(change, message):
    with pytest.raises(InputError) as refusal:
        compare(**TWO | change)
    assert message in str(refusal.value)


def test_a_plot_is_a_figure_that_a_notebook_shows():
    drawing = compare(
        **TWO | {"policies": {"UCB": "ucb", "DP-SE": ("dp_se", {"epsilon": 0.5})}}
    ).plot(log=False)
    assert isinstance(drawing, Figure)
    assert drawing._repr_png_().startswith(b"\x89PNG")
    (ax,) = drawing.axes
    assert {text.get_text() for text in ax.get_legend().get_texts()} == {"UCB", "DP-SE"}
    assert ax.get_xscale() == "linear"


def test_a_function_plays_like_the_module_of_its_name_and_its_promise_is_its_attribute():
    def private(rng, arms, horizon, journal, *, epsilon: parameters.Positive = 1.0):
        play(rng, arms, horizon, journal)

    def privacy(horizon, number_of_arms, *, epsilon=1.0):
        ledger = Ledger()
        ledger.book(1, 1, sensitivity=1.0, scale=0.5 / epsilon)
        return Account(epsilon, 0.0, ledger)

    policies = {"UCB": (private, {"epsilon": 0.5}), "default": private}
    found = compare(**TWO | {"policies": policies})
    assert found.table.query("policy == 'UCB'").equals(compare(**TWO).table)
    assert set(found.privacy()["verdict"]) == {"no promise"}
    private.privacy = privacy
    table = compare(**TWO | {"policies": policies}).privacy()
    assert table[["epsilon", "spent"]].to_numpy().tolist() == [[0.5, 1.0], [1.0, 2.0]]
    assert set(table["verdict"]) == {"exceeded"}
    private.privacy = lambda *_, **__: 3
    with pytest.raises(
        InputError, match="private: privacy: it returns 3, which is no promise; return an Account"
    ):
        compare(**TWO | {"policies": policies}).privacy()


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda: compare(**TWO).plot("curves.tex"),
            "plot: curves.tex: the name should end in one of .pdf, .png, .svg",
        ),
        (
            lambda: bernoulli(means=0.5),
            "bernoulli: means: 0.5 should be a list of a mean in [0, 1]",
        ),
    ],
)
def test_an_unknown_format_or_environment_is_refused(ask, message):
    with pytest.raises(InputError, match=re.escape(message)):
        ask()


def test_the_example_of_the_documentation_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(ROOT / "docs/examples/compare.py"))
    assert (tmp_path / "compare.pdf").stat().st_size > 5000
    assert "DP-SE" in (tmp_path / "compare.csv").read_text()
    assert "kept" in capsys.readouterr().out


def test_what_a_paper_fixes_is_the_default():
    """As in its experiments: alpha = 3.1 of azize2022, delta = e^-10 of tossou2016."""
    for paper, experiment, policy, name in (
        ("azize2022", "fig2", "adap-ucb", "alpha"),
        ("azize2022", "fig2", "adap-klucb", "alpha"),
        ("tossou2016", "fig2a", "dp-ucb-int", "delta"),
    ):
        series = study_of(paper).experiments[experiment].series[policy]
        given = {"epsilon": 1.0} if "epsilon" in series.parameters else {}
        assert (
            parameters.check(policies.find(series.algorithm).play, given, "")[name]
            == series.parameters[name]
        )
    promised = compare(**TWO | {"policies": {"INT": ("dp_ucb_int", {"epsilon": 1.0})}}).privacy()
    assert (promised["delta"].tolist(), promised["verdict"].tolist()) == ([math.exp(-10)], ["kept"])


def test_the_draft_of_the_page_plays_as_it_stands_there():
    """In plain Python: its regret is that of its actions, and explores in a tenth of the rounds at least."""
    source, *_ = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs/extending.md").read_text(), re.DOTALL
    )
    draft = {"__name__": "draft"}
    exec(source, draft)
    found = compare(**TWO | {"policies": {"draft": (draft["play"], {"epsilon": 1e9})}}).table
    last = found.iloc[-1]
    assert (
        last["min"] > 0.3 * 2000 * 0.1 / 2 * 0.7
    )  # half of the explored rounds play the worse arm
    assert last["mean"] < 0.3 * 2000 * 0.4
    with pytest.raises(
        InputError,
        match="compare: policies: draft: parameters: epsilon: 0 should be a number above 0",
    ):
        compare(**TWO | {"policies": {"draft": (draft["play"], {"epsilon": 0})}})


PLAIN = """
from dpbandits import bernoulli, compare
policies = {"UCB": "ucb", "DP-UCB": ("dp_ucb", {"epsilon": 1.0}), "AdaP-KLUCB": ("adap_klucb", {"epsilon": 1.0, "alpha": 3.1})}
result = compare(bernoulli(means=[0.9, 0.6]), T=300, runs=2, policies=policies, cores=1)
print(result.table.to_csv(index=False))
"""


def test_without_compilation_the_numbers_are_the_same(capsys):
    """For a debugger: NUMBA_DISABLE_JIT=1."""
    exec(PLAIN, {})
    compiled = capsys.readouterr().out
    assert compiled == uncompiled(PLAIN)
    assert len(compiled.splitlines()) > 100
