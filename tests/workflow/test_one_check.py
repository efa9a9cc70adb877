"""A target for each check and each claim: the verdicts of the tables, by no other simulations."""

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
            [
                f"scale smoke{answers.AT_SMOKE}\n",
                *words,
                *(tables.as_text(rows[rows["check"] == check]) for check in checks),
            ]
        )
