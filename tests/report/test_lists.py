"""docs/lists.md is up to date, and has every policy, measure and key once."""

import re
from collections import Counter

import pytest
from project import ROOT

from dpbandits import algorithms, studies
from dpbandits.claims.measurement import MEASURES
from dpbandits.report import lists
from dpbandits.studies import model


@pytest.fixture(scope="module")
def made():
    return lists.text(studies.load_all(ROOT / "config", "paper"))


def test_the_page_is_up_to_date(made):
    assert (ROOT / lists.PAGE).read_text(encoding="utf-8") == made, "make artifact"


def test_everything_is_listed_once(made):
    listed = Counter(re.findall(r"^\| `([^`]+)` \|", made, re.MULTILINE))
    assert listed == Counter([*algorithms.known(), *MEASURES, *model.Guest.model_fields])


def test_every_line_says_what_it_is(made):
    rows = [re.split(r"(?<!\\) \| ", line.strip("| ")) for line in made.splitlines() if line.startswith("| `")]
    assert [row[0] for row in rows if not all(cell.strip() for cell in row)] == []


def test_trust_and_parameters_are_those_of_the_module(made):
    """Of a policy that studies play, of one that none does, and of one without a promise."""
    rows = {line.split("`")[1]: line for line in made.splitlines() if line.startswith("| `")}
    assert (
        " | central, (ε, δ) | `epsilon` (a number above 0); `delta` = 4.53999e-05 (a number in (0, 1)); "
        in rows["dp_ucb_int"]
    )
    assert rows["dp_ucb_int"].endswith(" | tossou2016, arena |")
    assert " | local, ε | `epsilon` (a number above 0); `c` = 3 (a number of at least 0) | " in rows["rr_kl_ucb"]
    assert " | no promise | – | " in rows["uniform"]
