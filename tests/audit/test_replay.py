"""Replays find planted faults, and none in policies that are as booked."""

import json
import re

import pytest
from project import study_of, uncompiled

from dpbandits.audit import replay

PROGRAM = """
import json
from audit import faulty
from dpbandits.audit.replay import find

print(json.dumps({kind.__name__: find(kind(), 64, 2).verdict for kind in [faulty.Correct, *faulty.FAULTS]}))
"""
TWICE = r"2 releases contain it, and 1 are booked"
LOSES = r"a release \(Laplace of scale .*\) loses 2, and 1 is booked"
LEAKS = r"round \d+ plays arm \d and not \d"
WORDS = {
    "Correct": "as booked",
    "ReleasesTwice": TWICE,
    "ComparesRawSums": LEAKS,
    "HalfTheScale": LOSES,
    "FirstRewardWithoutNoise": LEAKS,
    "OneNoiseForTwoSums": LEAKS,
    "SumsOverlap": TWICE,
    "ThresholdReadsRewards": LEAKS,
    "ClipOutsideItsRange": LOSES,
}


@pytest.fixture(scope="module")
def verdicts():
    return json.loads(uncompiled(PROGRAM))


@pytest.mark.parametrize("name", WORDS)
def test_a_planted_fault_is_found_in_the_right_words(verdicts, name):
    assert re.search(WORDS[name], verdicts[name]), verdicts[name]


def test_the_policies_of_a_paper_are_as_booked_or_known_not_to_be():
    """GDP-NCB with the threshold of the theory reads raw rewards in Phase I (docs/audit.md)."""
    experiments = study_of("sarkar2025", "smoke").experiments.values()
    table = replay.in_plain_python(experiments)
    wrong = table[table["finding"] != "as booked"].set_index("policy")["finding"]
    assert wrong.str.startswith("not private: ").all()
    assert {"gdp-theory", "gdp-theory-private-mean"} <= set(wrong.index)
    booked = table[table["finding"] == "as booked"]
    assert (booked["bound"] <= booked["spent"] * (1 + 1e-6)).all()
    assert (booked["loss"] <= booked["bound"] * (1 + 1e-6)).all()
    assert (booked["attained"] >= 1).all()
