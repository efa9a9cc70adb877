"""A target for each check and each claim: the verdicts of the tables, by no other simulations."""

from project import SMOKE, study_of

from dpbandits.checks import answers, tables


def test_a_check_or_a_claim_alone_has_the_verdicts_of_the_tables_each_time(copy):
    paper = study_of("tossou2016", "smoke")
    rows = tables.read_checks(copy.folder / "results/smoke/checks/tossou2016.csv")
    before = copy.bytes("**/*[!g]")  # but for logs
    for target, checks, words in (
        ("checks/tossou2016/A3", ["A3"], []),
        (
            "claims/tossou2016/S1",
            paper.claims["S1"].all_checks,
            [answers.as_text(paper, "S1", rows)],
        ),
    ) * 2:
        output = copy.run(*SMOKE, "--", target)
        assert copy.last_jobs() == [f"answer {target}"]
        verdicts = (tables.as_text(rows[rows["check"] == check]) for check in checks)
        assert (
            "\n".join([f"scale smoke{answers.first_look('smoke')}\n", *words, *verdicts]) in output
        )
    after = copy.bytes("**/*[!g]")
    assert after.keys() == before.keys()
