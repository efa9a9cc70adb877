"""Replays find planted faults, and none in policies that are as booked."""

import importlib
import json
import math
import re
import sys
from dataclasses import replace

import pandas as pd
import pytest
from project import all_papers, study_of, uncompiled

from dpbandits.audit import findings, replay
from dpbandits.audit.mechanisms import mechanisms
from dpbandits.audit.plain_python import in_plain_python
from dpbandits.audit.recording import BIT, Diverged, Published, Recorder
from dpbandits.errors import InputError
from dpbandits.policies import DPSE, POLICIES, UCB
from dpbandits.privacy.ledger import DISCRETE, GAUSSIAN, LAPLACE, SKELLAM, Account, Ledger
from dpbandits.privacy.releases import Releases
from dpbandits.random import stream
from dpbandits.studies.experiment import Experiment, Policy, Series

PROGRAM = """
import json
from audit import faulty
from dpbandits.audit import replay
from project import study_of

experiments = study_of("sarkar2025").experiments.values()
print(replay.table([*experiments]).to_json(double_precision=15))
replay.ROUNDS["arms"] = replay.EVERY = 24
print(json.dumps({name: replay.row(getattr(faulty, name)())["finding"] for name in NAMES}))
"""
TWICE = r"it is in the releases \d+, \d+, and in 1 of the ledger"
LEAKS = r"round \d+ plays arm \d and not \d"
WORDS = {
    "Correct": "^as booked$",
    "ReleasesTwice": TWICE,
    "SumsOverlap": TWICE,
    "HalfTheScale": r"a release \(Laplace of scale 1\) loses 2, and 1 is booked",
    "ComparesRawRewards": LEAKS,
    "OneNoiseForAll": LEAKS,
    "NoiseOfItsOwn": LEAKS,
    "FirstRewardWithoutNoise": rf"becomes -1e\+06: {LEAKS}",
    "ThresholdReadsRewards": rf"becomes 1e\+06: {LEAKS}",
    "LittleNoiseBeforeTheLastRounds": "loses 1000, and 1 is booked",
    "CentralSumsAsReports": r"release \d contains rewards \d and \d, and a user reports one",
    "PlaysArmMinus1": r"not replayed: .*faulty.py, line \d+: IndexError: there is no arm of",
    "ChecksFail": "not replayed: .*: ZeroDivisionError: division by zero",
    "BareSetting": "not replayed: .* should be an AuditGames of dpbandits.privacy.games",
    "StopsEarly": r"not replayed: play stops after round 10 of 24; play until run.finished\(\)",
}
MECHANISMS = [
    mechanism
    for study in [*all_papers().values(), study_of("arena")]
    for mechanism in mechanisms(study.experiments.values())["plays"]
]


@pytest.fixture(scope="module")
def replayed():
    """The replays of a paper, and the findings of planted faults, by one process."""
    printed = uncompiled(PROGRAM.replace("NAMES", str(list(WORDS))))
    return [*map(json.loads, printed.splitlines())]


def test_planted_faults_are_found_in_the_right_words(replayed):
    verdicts = replayed[1]
    wrong = {name: verdicts[name] for name in WORDS if not re.search(WORDS[name], verdicts[name])}
    assert wrong == {}


def test_a_process_in_plain_python_imports_what_its_parent_imports(tmp_path, monkeypatch):
    """Such as the modules beside a script, which are on no PYTHONPATH."""
    (tmp_path / "beside_a_script.py").write_text("def answer():\n    return 42\n")
    monkeypatch.syspath_prepend(tmp_path)
    answer = importlib.import_module("beside_a_script").answer
    assert in_plain_python(answer) == 42
    sys.path.remove(str(tmp_path))
    with pytest.raises(InputError, match="No module named 'beside_a_script'; install its package"):
        in_plain_python(answer)


def test_the_policies_of_a_paper_are_as_booked_or_known_not_to_be(replayed):
    """GDP-NCB with the threshold of the theory reads raw rewards in Phase I (docs/audit.md)."""
    table = pd.DataFrame(replayed[0])
    wrong = table[table["finding"] != "as booked"].set_index("policy")["finding"]
    assert wrong.str.startswith("not private: ").all()
    assert {"gdp-theory", "gdp-theory-private-mean"} <= set(wrong.index)
    booked = table[table["finding"] == "as booked"]
    assert (booked["bound"] <= booked["spent"] * (1 + 1e-6)).all()
    assert booked["attained"].between(1, booked["booked"]).all()


@pytest.mark.parametrize("shown", [False, True])
def test_a_leak_that_only_one_of_two_games_shows_is_the_finding(shown, monkeypatch):
    """The long game changes several rewards, the short one every reward."""
    found = replay.Finding(DPSE(epsilon=1.0).account(8, 2), attained=1)
    leaks = {shown: replace(found, leak="a leak"), not shown: found}
    monkeypatch.setattr(replay, "find", lambda *_, every=False: leaks[every])
    assert replay.row(DPSE(epsilon=1.0))["finding"] == "a leak"


@pytest.mark.parametrize(
    ("releases", "delta", "spent"),
    [  # (law, scale, change of the value, number)
        ([(LAPLACE, 4.0, 1.0, 1), (LAPLACE, 0.5, 0.25, 2), (DISCRETE, 8.0, 6.0, 1)], 0.0, 2.0),
        # With a delta: rho + 2 sqrt(rho ln(1/delta)), where rho = 100 0.1^2/2.
        ([(LAPLACE, 10.0, 1.0, 100)], math.exp(-2), 2.5),
        # rho = 2 (3/6)^2/2 + (0.5/1)^2 = 1/2
        ([(GAUSSIAN, 6.0, 3.0, 2), (GAUSSIAN, 1.0, 0.5, 2)], math.exp(-8), 4.5),
        ([(GAUSSIAN, 6.0, 3.0, 1)], 0.0, math.inf),
        # rho = (3/6)^2/2 = 1/8, so the order is 9. The excess is (17 3^2 + 6 3)/(4 6^4).
        ([(SKELLAM, 6.0, 3.0, 1)], math.exp(-8), 9 / 8 + 171 / 5184 + 8 / 8),
    ],
)
def test_what_replayed_releases_cost_by_hand(releases, delta, spent):
    """The cost does not depend on the outputs."""
    finding = replay.Finding(Account(1.0, delta, Ledger()))
    finding.add([
        (0, Published(law, scale, 7.0, output), 7.0 + change)
        for law, scale, change, number in releases
        for output in range(number)
    ], "here")  # fmt: skip
    assert finding.bound == pytest.approx(spent)


def test_a_second_play_publishes_the_outputs_of_the_first_if_its_noise_is_the_same():
    """A bit has no noise of a scale: its probability is the value."""
    drawn, first = Releases(stream(1)), [Published(LAPLACE, 2.0, 1.0, 7.0)]
    assert Recorder(stream(2), drawn, first).laplace(3.0, 2.0) == 7
    for law, scale in ("laplace", 2.1), ("gaussian", 2.0):
        with pytest.raises(Diverged, match=f"release 1 has the noise .* of scale {scale:g}"):
            getattr(Recorder(stream(2), drawn, first), law)(1.0, scale)
    recorder = Recorder(stream(2), drawn)
    bit = recorder.bit(0.3)
    assert recorder.releases == [Published(BIT, 0.0, 0.3, bit)]


@pytest.mark.parametrize(
    ("promised", "verdict"), [(None, "kept"), (2.0, "kept"), (0.7, "exceeded")]
)
def test_an_account_is_held_against_its_own_promise_or_that_of_a_league(promised, verdict):
    account = Account(1.0, 0.0, Ledger().book(1, 1, 0.8, 1.0, LAPLACE))
    assert findings.verdict(account, promised) == verdict


def test_a_release_is_booked_by_its_own_law():
    ledger = Ledger().book(1, 1, 2.0, 1.0, LAPLACE).book(1, 1, 0.5, 1.0, DISCRETE)
    finding = replay.Finding(Account(3.0, 0.0, ledger))
    finding.add([(0, Published(DISCRETE, 1.0, 0.0, 0.0), 1.0)], "here")
    assert finding.unbooked.endswith("loses 1, and 0.5 is booked")


def test_every_policy_that_promises_privacy_is_replayed():
    promising = {name for name in POLICIES.known if POLICIES.find(name).states_privacy()}
    assert {POLICIES.find(name) for name in promising} == set(map(type, MECHANISMS))


def test_the_replay_of_a_guest_names_every_study_where_it_plays(monkeypatch):
    monkeypatch.setattr(replay, "row", lambda policy: {"finding": f"fault of {policy}"})
    mine = [Series(f"mine-{e:g}", "mine", "dp_se", {"epsilon": e}, "mine") for e in (0.1, 1)]
    policies = {"mine": Policy(id="mine", series=mine, guest=True)}
    bandit = {"kind": "bernoulli", "means": [0.9, 0.6]}
    experiments = [Experiment("e", bandit, policies, paper=paper) for paper in ("a2020", "b2021")]
    rows = mechanisms(experiments).to_dict("records")
    (row,) = replay.table_of_guest(rows).to_dict("records")
    assert (row["study"], row["finding"]) == ("a2020, b2021", "fault of DPSE(epsilon=1.0)")
    none = replay.table([])
    assert none.columns.tolist() == [*findings.MECHANISM, *replay.MEASURED]


@pytest.mark.parametrize(
    ("policy", "says"),
    [
        (UCB(), r"UCB\(\) promises no privacy"),
        (type("Mine", (DPSE,), {"__module__": "__main__"})(epsilon=1), "its class into a module"),
    ],
)
def test_a_policy_that_cannot_be_replayed_from_python_says_why(policy, says):
    with pytest.raises(InputError, match=says):
        replay.of(policy)
