"""The kinds of sentences that papers say, and the criterion of each."""

import re

import pytest
from project import ROOT, all_papers

from dpbandits.studies.sentences import SENTENCES, criterion


def test_kinds_of_sentences_are_few_and_have_one_criterion_each():
    """But for at most ten departures in all papers. docs/method.md lists the kinds."""
    checks = [check for study in all_papers().values() for check in study.checks.values()]
    assert sum(check.departs != "" for check in checks) <= 10
    assert {check.sentence for check in checks} == SENTENCES.keys()
    assert len(SENTENCES) <= 15
    for number, least, most in ((300, 270, 330), (-0.5, -0.55, -0.45)):
        within = criterion("about", "exponent_along", word="", number=number)
        assert within == pytest.approx({"at_least": least, "at_most": most})
    page = (ROOT / "docs/method.md").read_text()
    listed = re.findall(r"^\| \*([a-z ]+)\* \| (.+) \|$", page, re.MULTILINE)
    assert listed == [(kind, sentence.meaning) for kind, sentence in SENTENCES.items()]
