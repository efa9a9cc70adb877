"""A target for each check and each claim: the verdicts of the tables, by no other simulations."""

import pandas as pd
from project import SMOKE, study_of

from dpbandits.checks import answers, tables


def test_a_check_or_a_claim_alone_has_the_verdicts_of_the_tables(copy):
    paper = study_of("tossou2016", "smoke")
    rows = tables.read_checks(copy.folder / "results/smoke/checks/tossou2016.csv")
    targets = ["checks/tossou2016/A3", "claims/tossou2016/S1"]
    output = copy.run(*SMOKE, "--", *(f"results/smoke/{target}" for target in targets))
    assert sorted(copy.last_jobs()) == [f"answer {target}" for target in targets]
    for target in targets:
        text = (copy.folder / "results/smoke" / target).read_text()
        assert text in output
        checks = ["A3"] if "checks" in target else paper.claims["S1"].all_checks
        words = [] if "checks" in target else [answers.as_text(paper, "S1", rows)]
        assert text == "\n".join(
            [*words, *(tables.as_text(rows[rows["check"] == check]) for check in checks)]
        )


def test_a_check_in_words():
    row = {
        "check": "A3",
        "statement": "It is less.",
        "source": "section 4",
        "experiment": "fig1",
        "evidence": "a / b",
    }
    number = {
        "value": 2.0,
        "standard_error": 0.1,
        "relation": "at_most",
        "threshold": 1.0,
        "verdict": "fails",
    }
    rows = [
        {**row, **number, "cause": "slip", "threshold_high": None, "reading": reading}
        for reading in ("both", "published")
    ]
    assert tables.as_text(pd.DataFrame(rows)) == (
        "A3: It is less.\n(section 4)\n\n"
        "fails: fig1: 2.00 ± 0.10, expected at most 1\na / b\nslip\n\n"
        "fails: fig1, published reading: 2.00 ± 0.10, expected at most 1\na / b\nslip\n"
    )
