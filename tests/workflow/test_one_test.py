"""A target for each test and each sentence: the verdicts of the tables, and no more simulations than they need."""

from project import ROOT, SMOKE

from dpbandits import studies
from dpbandits.verdicts import sentences, tables

TARGET = "results/smoke/claims/tossou2016/A3"


def test_a_test_alone_has_the_verdicts_of_the_table(copy):
    output = copy.run(*SMOKE, "--", TARGET)
    assert copy.last_jobs() == ["judge claims/tossou2016/A3"]
    text = (copy.folder / TARGET).read_text()
    assert text in output
    table = tables.read_tests(copy.folder / "results/smoke/claims/tossou2016.csv")
    rows = [row for row in table if row["claim"] == "A3"]
    message = text.split("\n\n")
    assert message[0] == f"A3: {rows[0]['statement']}\n({rows[0]['source']})"
    assert len(rows) == len(message) - 1 > 1
    for row, paragraph in zip(rows, message[1:], strict=True):
        place = f"{row['experiment']}, {row['reading']} reading"
        assert paragraph.startswith(f"{row['verdict']}: {place}: {tables.number(row)}, expected")
        assert row["evidence"] in paragraph
        assert row["cause"] in paragraph


def test_a_sentence_alone_has_the_verdicts_of_the_tables(copy):
    paper = studies.load(ROOT / "config/papers/tossou2016.yaml", "smoke")
    output = copy.run(*SMOKE, "--", "results/smoke/sentences/tossou2016/S1")
    assert copy.last_jobs() == ["judge sentences/tossou2016/S1"]
    text = (copy.folder / "results/smoke/sentences/tossou2016/S1").read_text()
    assert text in output
    rows = tables.read_tests(copy.folder / "results/smoke/claims/tossou2016.csv")
    assert text.startswith(sentences.as_text(paper, "S1", rows))
    for test in paper.tests:
        assert (tables.verdicts_as_text(rows, test) in text) == (test in paper.sentences["S1"].all_tests)
