"""A target for each test and each sentence: the verdicts of the tables, and no more simulations than they need."""

import pandas as pd
from project import SMOKE, study_of

from dpbandits.verdicts import sentences, tables


def test_a_test_or_a_sentence_alone_has_the_verdicts_of_the_tables(copy):
    paper = study_of("tossou2016", "smoke")
    rows = tables.read_tests(copy.folder / "results/smoke/claims/tossou2016.csv")
    targets = ["claims/tossou2016/A3", "sentences/tossou2016/S1"]
    output = copy.run(*SMOKE, "--", *(f"results/smoke/{target}" for target in targets))
    assert sorted(copy.last_jobs()) == [f"judge {target}" for target in targets]
    for target in targets:
        text = (copy.folder / "results/smoke" / target).read_text()
        assert text in output
        tests = ["A3"] if "claims" in target else paper.sentences["S1"].all_tests
        words = [] if "claims" in target else [sentences.as_text(paper, "S1", rows)]
        assert text == "\n".join(
            [*words, *(tables.as_text(rows[rows["claim"] == test]) for test in tests)]
        )


def test_a_test_in_words():
    row = {
        "claim": "A3",
        "statement": "It is less.",
        "source": "section 4",
        "experiment": "fig1",
        "evidence": "a / b",
    }
    number = {
        "value": 2.0,
        "standard_error": 0.1,
        "relation": "at_most",
        "border": 1.0,
        "verdict": "fails",
    }
    rows = [
        {**row, **number, "cause": "slip", "border_high": None, "reading": reading}
        for reading in ("both", "published")
    ]
    assert tables.as_text(pd.DataFrame(rows)) == (
        "A3: It is less.\n(section 4)\n\nfails: fig1: 2.00 ± 0.10, expected at most 1\na / b\nslip\n\n"
        "fails: fig1, published reading: 2.00 ± 0.10, expected at most 1\na / b\nslip\n"
    )
