"""A target for each claim and each sentence: the verdicts of the tables, and no more simulations than they need."""

import csv

from project import ROOT, SMOKE, Project

from dpbandits import studies
from dpbandits.verdicts import scoreboard, sentences

TARGET = "results/smoke/claims/tossou2016/A3"


def test_a_claim_alone_has_the_verdicts_of_the_table(copy):
    output = copy.run(*SMOKE, "--", TARGET)
    assert copy.last_jobs() == ["judge claims/tossou2016/A3"]
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


def test_a_sentence_alone_has_the_verdicts_of_the_tables(copy):
    paper = studies.load(ROOT / "config/papers/tossou2016.yaml", "smoke")
    said = next(sentence for sentence in paper.sentences if sentence.kind == "sentence" and sentence.claims)
    target = f"results/smoke/sentences/tossou2016/{said.id}"
    output = copy.run(*SMOKE, "--", target)
    assert copy.last_jobs() == [f"judge sentences/tossou2016/{said.id}"]
    text = (copy.folder / target).read_text()
    assert text in output
    table = sentences.read(copy.folder / "results/smoke/sentences.csv")
    mine = [row for row in table if row["sentence"] == said.id]
    assert text.startswith(sentences.as_text(said, mine))
    rows = scoreboard.read_claims(copy.folder / "results/smoke/claims/tossou2016.csv")
    for claim in paper.claims:
        assert (scoreboard.verdicts_as_text(claim, rows) in text) == (claim.id in said.claims)


def test_a_misspelt_claim_or_sentence_is_refused_with_a_suggestion(tmp_path):
    project = Project.new(tmp_path)
    output = project.run("-n", "claims/tossou2016/A8-lon", expect=1)
    assert "claims/tossou2016/A8-lon: did you mean 'claims/tossou2016/A8-long'?" in output
    output = project.run("-n", "sentences/tossou2016/SS1", expect=1)
    assert "sentences/tossou2016/SS1: did you mean 'sentences/tossou2016/S1'?" in output
