"""The library's face: the workflow's numbers for the same names, the same for any number of cores, and plain refusals."""

import math
import os
import pickle
import re
import runpy
import subprocess
import sys
from functools import partial

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from project import HANGS, ROOT

from dpbandits import algorithms, bandit, bernoulli, compare, parameters, simulation, studies
from dpbandits.algorithms.arms.ucb import play
from dpbandits.environments.arms import note
from dpbandits.errors import InputError
from dpbandits.privacy.ledger import Account, Ledger
from dpbandits.statistics.summaries import SUMMARY

TWO = {"on": bernoulli(means=[0.9, 0.6]), "T": 2000, "runs": 8, "policies": {"UCB": "ucb"}, "cores": 1}


def test_the_same_names_give_the_workflows_numbers():
    experiment = studies.load(ROOT / "config/papers/tossou2016.yaml", "smoke").experiments["fig2a"]
    series = experiment.series["dp-ucb"]
    design, settings = experiment.design, dict(experiment.environment)
    policies = {"dp-ucb": ("dp_ucb", dict(series.parameters))}
    kind = settings.pop("kind")
    ours = compare(
        bandit(kind, **settings), T=design.horizon, runs=10, policies=policies, at=design.checkpoints, cores=1,
        paper="tossou2016", experiment="fig2a",
    )  # fmt: skip
    trace = simulation.simulate(experiment.spec("dp-ucb", 1), 0, 9)
    i = list(trace.header["series"]).index("dp-ucb")
    assert np.array_equal(ours["max"], trace.values["regret"][i].max(axis=0))
    assert list(ours.columns) == SUMMARY


def test_the_numbers_do_not_depend_on_the_cores():
    one = compare(**TWO)
    assert one.equals(compare(**TWO | {"cores": 3}))


def test_functions_within_functions_are_played_on_several_cores():
    def always(a):
        def play(rng, arms, horizon, journal):
            pulls = np.zeros(arms.means.size, np.int64)
            for t in range(1, horizon + 1):
                pulls[a] = t
                note(journal, t, pulls)

        return play

    found = compare(**TWO | {"policies": {"good": always(0), "bad": always(1)}, "cores": 2})
    assert found.groupby("policy")["max"].max().to_dict() == {"good": 0.0, "bad": pytest.approx(600)}


def test_numbers_of_numpy_are_numbers():
    means = np.array([0.9, 0.6], np.float32)
    found = compare(bernoulli(means=means), T=np.int64(100), runs=np.int32(8), policies="ucb", cores=np.int64(1))
    assert found["t"].iloc[-1] == 100


def test_one_pair_is_one_policy():
    assert compare(**TWO | {"policies": ("dp_se", {"epsilon": 1})})["policy"].unique().tolist() == ["dp_se, ε = 1"]


def test_a_function_plays_like_the_algorithm_of_its_module():
    both = compare(**TWO | {"policies": {"UCB": play}})
    assert both.equals(compare(**TWO))
    assert both.privacy()["verdict"].tolist() == ["no promise"]


def test_shuffled_arms_are_in_another_order_in_every_run():
    """An algorithm that always plays the first arm loses nothing where that is the best one."""

    def first(rng, arms, horizon, journal):
        journal.counts[:] = np.outer(journal.checkpoints, [1, 0])
        journal.kept[0] = len(journal.checkpoints)

    on = bernoulli(means=[0.9, 0.6], shuffled=True)
    shuffled = compare(on, T=1000, runs=40, policies={"first": first}, cores=1)
    last = shuffled.iloc[-1]
    assert (last["min"], last["max"]) == (0, pytest.approx(300))
    assert 60 < last["mean"] < 240
    plain = compare(bernoulli(means=[0.9, 0.6]), T=1000, runs=40, policies={"first": first}, cores=1)
    assert plain["max"].max() == 0


def test_a_function_that_is_no_algorithm_is_refused():
    def short(rng, arms, horizon):
        """It is given a journal, too."""

    def starless(rng, arms, horizon, journal, epsilon=1.0):
        """Parameters follow a star."""

    for mine, message in (
        (short, "short(rng, arms, horizon): it is given four values, rng, the bandit, the horizon and the journal"),
        (starless, "starless(rng, arms, horizon, journal, epsilon): it is given four values"),
        (partial(starless, epsilon=2.0), "is no function; write def play(rng, arms, horizon, journal, *, epsilon)"),
    ):
        with pytest.raises(InputError, match=re.escape(message)):
            compare(**TWO | {"policies": {"A": mine}})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"policies": {"A": "ucbb"}}, "compare: policies: A: unknown algorithm 'ucbb'; did you mean 'ucb'?"),
        (
            {"policies": {"A": ("dp_se", {"epsilon": 0})}},
            "compare: policies: A: parameters: epsilon: 0 should be a number above 0",
        ),
        ({"policies": {"A": "dp_se"}}, "compare: policies: A: parameters: 'epsilon' is missing"),
        ({"policies": {"A": ("dp_se", {"epsilon": -1})}}, "epsilon: -1 should be a number above 0"),
        ({"policies": {"A": ("ucb", {"epsilon": 1})}}, "compare: policies: A: parameters: unknown key 'epsilon'"),
        ({"policies": {"A": "exp3"}}, "algorithm 'exp3' plays adversaries' games"),
        ({"policies": {}}, "compare: policies: none is given"),
        (
            {"policies": {"DP-SE": "DP-SE"}},
            "compare: policies: DP-SE: unknown algorithm 'DP-SE'; did you mean 'dp_se'?",
        ),
        (
            {"policies": {"A": ("dp_se",)}},
            "compare: policies: A: ('dp_se',) should be the name of an algorithm, a function",
        ),
        ({"policies": [3]}, "compare: policies: 3 should be the name of an algorithm"),
        ({"policies": {"A": ("dp_se", 0.5)}}, "A: ('dp_se', 0.5) should be the name of an algorithm"),
        ({"policies": ["ucb", "ucb"]}, "compare: policies: two are called 'ucb'; write a mapping from labels"),
        ({"policies": {"A": ("dp_se", {"epsilon": []})}}, "compare: policies: A: epsilon: the list of values is empty"),
        ({"policies": None}, "compare: policies: None should be a mapping from labels to algorithms"),
        ({"at": 10.5}, "compare: at: [10.5] should be increasing whole numbers"),
        ({"cores": 0}, "compare: cores: 0 should be a whole number of at least 1"),
        ({"runs": 1}, "compare: runs: 1 should be a whole number of at least 2"),
        ({"T": 10.5}, "compare: T: 10.5 should be a whole number of at least 2"),
        ({"at": [10, 5]}, "compare: at: [10, 5] should be increasing whole numbers from 1 to T = 2000"),
        ({"at": [0, 5]}, "compare: at: [0, 5] should be increasing"),
        ({"at": [5, 3000]}, "compare: at: [5, 3000] should be increasing"),
        ({"on": [0.9, 0.6]}, "compare: [0.9, 0.6] is no environment"),
    ],
    ids=str,
)
def test_wrong_input_is_refused_by_name(change, message):
    with pytest.raises(InputError) as refusal:
        compare(**TWO | change)
    assert message in str(refusal.value)


@pytest.fixture(scope="module")
def several():
    """Without labels: names, and a list of values."""
    return compare(**TWO | {"policies": ["ucb", ["dp_se", {"epsilon": [0.5, 1]}]]})


def test_several_epsilons_in_one_call_are_as_many_policies(several):
    labels = ["ucb", "dp_se, ε = 0.5", "dp_se, ε = 1"]
    assert several["policy"].drop_duplicates().tolist() == labels
    assert several.privacy()["epsilon"].tolist()[1:] == ["0.5", "1"]
    assert "..." not in str(several.privacy())  # a terminal shows all of it
    one_by_one = {label: ("dp_se", {"epsilon": float(label.split()[-1])}) for label in labels[1:]}
    assert several.equals(compare(**TWO | {"policies": {"ucb": "ucb"} | one_by_one}))
    named = compare(**TWO | {"policies": {"DP-SE": ("dp_se", {"epsilon": np.array([0.5, 1])})}})
    assert named["policy"].drop_duplicates().tolist() == ["DP-SE, ε = 0.5", "DP-SE, ε = 1"]


def test_a_part_or_a_copy_of_a_result_is_one(several, tmp_path):
    parts = {
        "copy": several.copy(), "rows": several[several["t"] > 10], "query": several.query("t > 10"), "head": several.head(50),
        "sorted": several.sort_values("t"), "pickled": pickle.loads(pickle.dumps(several)),
    }  # fmt: skip
    for name, part in parts.items():
        promised = several.privacy()
        assert part.privacy().equals(promised[promised["policy"].isin(part["policy"])].reset_index(drop=True)), name
        part.plot(tmp_path / f"{name}.png")
        assert (tmp_path / f"{name}.png").stat().st_size > 5000
    assert (tmp_path / "copy.png").read_bytes() == (tmp_path / "pickled.png").read_bytes()
    assert several["mean"].sum() > 0


def test_what_a_part_of_a_result_cannot_do_it_says_by_name(several):
    joined = pd.concat([several, compare(**TWO)])
    for method in (joined.plot, joined.privacy):
        with pytest.raises(InputError, match=r"(plot|privacy): this table is made of several comparisons, or of none"):
            method()
    with pytest.raises(InputError, match="plot: the column 'runs' is missing; select rows, and keep all columns"):
        several[["policy", "t"]].plot()
    with pytest.raises(InputError, match="plot: there are no rows"):
        several[several["t"] > 5000].plot()
    renamed = several.replace({"policy": {"ucb": "UCB1"}})
    with pytest.raises(InputError, match="plot: policy 'UCB1' was not played; give labels to `compare`"):
        renamed.plot()


def test_a_plot_is_a_figure_that_a_notebook_shows(several):
    drawing = several[several["policy"] != "ucb"].plot()
    assert isinstance(drawing, Figure)
    assert drawing._repr_png_().startswith(b"\x89PNG")
    (ax,) = drawing.axes
    assert {text.get_text() for text in ax.get_legend().get_texts()} == {"dp_se, ε = 0.5", "dp_se, ε = 1"}


def test_the_promise_of_a_function_is_its_attribute():
    def private(rng, arms, horizon, journal, *, epsilon: parameters.Positive = 1.0):
        play(rng, arms, horizon, journal)

    def privacy(horizon, number_of_arms, *, epsilon=1.0):
        ledger = Ledger()
        ledger.book(1, 1, sensitivity=1.0, scale=0.5 / epsilon)
        return Account(epsilon, 0.0, ledger)

    policies = {"mine": (private, {"epsilon": 0.5}), "default": private}
    assert set(compare(**TWO | {"policies": policies}).privacy()["verdict"]) == {"no promise"}
    private.privacy = privacy
    table = compare(**TWO | {"policies": policies}).privacy()
    assert table[["epsilon", "spent", "verdict"]].to_numpy().tolist() == [
        ["0.5", "1", "exceeded"],
        ["1", "2", "exceeded"],
    ]
    private.privacy = lambda *_, **__: 3
    with pytest.raises(InputError, match="private: privacy: it returns 3, which is no promise; return an Account"):
        compare(**TWO | {"policies": policies}).privacy()


def test_counts_of_an_episode_are_refused():
    """With them, play that is uniform would have the regret of a game as long as an episode."""

    def episodes(rng, arms, horizon, journal):
        pulls = np.zeros(2, np.int64)
        for t in range(1, horizon + 1):
            if t & (t - 1) == 0:
                pulls[:] = 0
            pulls[t % 2] += 1
            note(journal, t, pulls)

    with pytest.raises(
        InputError, match=r"^mine: after round 2 the pull counts add up to 1: `note` needs the number of pulls"
    ):
        compare(**TWO | {"policies": {"mine": episodes}})


def test_an_unknown_format_is_refused():
    with pytest.raises(InputError, match=r"plot: curves.tex: the name should end in one of \.pdf, \.png, \.svg"):
        compare(**TWO).plot("curves.tex")


def test_wrong_means_are_refused():
    with pytest.raises(InputError, match=r"bernoulli: means\[1\]: 1.5 should be a mean in \[0, 1\]"):
        bernoulli(means=[0.5, 1.5])
    with pytest.raises(InputError, match=r"bernoulli: means: \[0.5, 0.5\] are all equal: there is no regret"):
        bernoulli(means=[0.5, 0.5])
    with pytest.raises(InputError, match=r"bernoulli: means: 0.5 should be a list of a mean in \[0, 1\]"):
        bernoulli(means=0.5)
    with pytest.raises(InputError, match="a single arm"):
        bernoulli(means=[0.5])
    with pytest.raises(InputError, match="unknown kind of environment 'bernouli'; did you mean 'bernoulli'"):
        bandit("bernouli", means=[0.5, 0.6])


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
        series = studies.load(ROOT / f"config/papers/{paper}.yaml").experiments[experiment].series[policy]
        given = {"epsilon": 1.0} if "epsilon" in series.parameters else {}
        assert parameters.check(algorithms.find(series.algorithm).play, given, "")[name] == series.parameters[name]
    promised = compare(**TWO | {"policies": {"INT": ("dp_ucb_int", {"epsilon": 1.0})}}).privacy()
    assert (promised["delta"].tolist(), promised["verdict"].tolist()) == ([math.exp(-10)], ["kept"])


def test_the_draft_of_the_page_plays_as_it_stands_there():
    """In plain Python: its regret is that of its actions, and explores in a tenth of the rounds at least."""
    source, *_ = re.findall(r"```python\n(.*?)```", (ROOT / "docs/extending.md").read_text(), re.DOTALL)
    draft = {"__name__": "draft"}
    exec(source, draft)
    found = compare(**TWO | {"policies": {"draft": (draft["play"], {"epsilon": 1e9})}})
    last = found.iloc[-1]
    assert last["min"] > 0.3 * 2000 * 0.1 / 2 * 0.7  # half of the explored rounds play the worse arm
    assert last["mean"] < 0.3 * 2000 * 0.4
    with pytest.raises(InputError, match="compare: policies: draft: parameters: epsilon: 0 should be a number above 0"):
        compare(**TWO | {"policies": {"draft": (draft["play"], {"epsilon": 0})}})


PLAIN = """
from dpbandits import bernoulli, compare
policies = {"UCB": "ucb", "DP-UCB": ("dp_ucb", {"epsilon": 1.0}), "AdaP-KLUCB": ("adap_klucb", {"epsilon": 1.0, "alpha": 3.1})}
result = compare(bernoulli(means=[0.9, 0.6]), T=300, runs=2, policies=policies, cores=1)
print(result.to_csv(index=False))
"""


def test_without_compilation_the_numbers_are_the_same():
    """For a debugger: NUMBA_DISABLE_JIT=1."""
    compiled, plain = (
        subprocess.run(
            [sys.executable, "-c", PLAIN], env={**os.environ, **extra}, check=True, capture_output=True, timeout=HANGS
        ).stdout
        for extra in ({}, {"NUMBA_DISABLE_JIT": "1"})
    )
    assert compiled == plain
    assert len(compiled.splitlines()) > 100
