"""A target for each claim: the same verdicts as in the paper's table, and no more simulations than it needs."""

import csv

from project import SMOKE, Project

from dpbandits.claims import scoreboard

TARGET = "results/smoke/claims/tossou2016/A3"


def test_a_claim_alone_has_the_verdicts_of_the_table(copy):
    output = copy.run(*SMOKE, "--", TARGET)
    assert copy.last_jobs() == ["judge tossou2016/A3"]
    text = (copy.folder / TARGET).read_text()
    assert text in output
    with open(copy.folder / "results/smoke/claims/tossou2016.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["claim"] == "A3"]
    message = text.split("\n\n")
    assert message[0] == f"A3: {rows[0]['statement']}\n({rows[0]['source']})"
    read = [
        row
        for row in scoreboard.read_claims(copy.folder / "results/smoke/claims/tossou2016.csv")
        if row["claim"] == "A3"
    ]
    assert len(rows) == len(message) - 1 > 1
    for row, number, paragraph in zip(rows, map(scoreboard.number, read), message[1:], strict=True):
        assert paragraph.startswith(
            f"{row['verdict']}: {row['experiment']}, {row['reading']} reading: {number}, expected"
        )
        assert row["evidence"] in paragraph
        assert row["cause"] in paragraph


def test_a_misspelt_claim_is_refused_with_a_suggestion(tmp_path):
    output = Project.new(tmp_path).run("-n", "claims/tossou2016/A8-lon", expect=1)
    assert "claims/tossou2016/A8-lon: did you mean 'claims/tossou2016/A8-long'?" in output
