"""The verdicts on sentences follow from those on their claims by the sentence's rule; they are counted, and their flips listed."""

import dataclasses
import math

import pytest
from project import ROOT
from verdicts.made import claim, runs_of

from dpbandits import studies, verdicts
from dpbandits.errors import InputError
from dpbandits.files import tables
from dpbandits.studies import model, yaml_file
from dpbandits.studies.expansion import expand, source
from dpbandits.studies.study import Paper, Sentence
from dpbandits.verdicts import flips, scoreboard, sentences

TOSSOU = studies.load(ROOT / "config/papers/tossou2016.yaml", "smoke")


def row(
    verdict, value=1.0, error=0.1, *, claim="A1", experiment="fig1", reading="both", border=2.0, kind="sentence", **more
):
    """A row of a claims table that expects at most `border`."""
    given = {
        "claim": claim, "kind": kind, "experiment": experiment, "figures": "", "reading": reading, "statement": "s",
        "source": "s", "value": value, "standard_error": error, "relation": "at_most", "border": border,
        "border_high": None, "verdict": verdict, "evidence": "e", "cause": "",
    }  # fmt: skip
    return given | more


def sentence(id="S1", claims=("A1",), rule="in all panels", kind="sentence", **more):
    usual = {"untested": {}, "evidence": "", "says": f"what {id} says", "place": "section 5"}
    return Sentence(id, kind=kind, claims=tuple(claims), rule=rule, **usual | more)


def paper(*said, two_readings=True):
    """A paper with these sentences, in two readings or in one."""
    experiments = TOSSOU.experiments if two_readings else {"fig1": TOSSOU.experiments["s-lost-runs"]}
    return dataclasses.replace(TOSSOU, id="toy2020", file="toy2020.yaml", sentences=said, experiments=experiments)


@pytest.mark.parametrize(
    ("rule", "verdicts", "expected"),
    [
        ("in all panels", "hhh", "holds"), ("in all panels", "hhu", "undecided"), ("in all panels", "huf", "fails"),
        ("in most panels", "hhf", "holds"), ("in most panels", "hhff", "fails"), ("in most panels", "hhuf", "undecided"),
        ("in most panels", "huff", "fails"), ("in most panels", "hhhu", "holds"),
        ("somewhere", "ffh", "holds"), ("somewhere", "ffu", "undecided"), ("somewhere", "ff", "fails"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["sentence", "privacy"])
def test_the_verdict_follows_by_the_rule(rule, verdicts, expected, kind):
    words = dict(zip("hfu", scoreboard.words_of(kind), strict=True))
    rows = [row(words[letter], experiment=f"fig{n}") for n, letter in enumerate(verdicts)]
    verdict, reason = sentences.verdict_of(sentence(rule=rule, kind=kind), "both", rows)
    assert verdict == words[expected[0]]
    assert reason.startswith(f"{verdicts.count(expected[0])} of {len(verdicts)} verdicts")


@pytest.mark.parametrize(
    ("numbers", "verdict"),
    [
        ([(1.0, 0.1), (2.5, 0.1)], "holds"),  # 1.75 +- 0.0707, and 0.25 is 3.5 errors
        ([(1.3, 0.2), (2.5, 0.2)], "undecided"),  # 1.9 +- 0.141
        ([(1.0, 0.1), (4.0, 0.3)], "fails"),  # 2.5 +- 0.158
        ([(1.0, None), (4.0, None)], "fails"),
        ([(1.0, 0.1), (None, None)], "undecided"),
    ],
)
def test_on_average_the_mean_of_the_numbers_is_judged(numbers, verdict):
    rows = [row("undecided", value, error) for value, error in numbers]
    if None not in (value for value, _ in numbers):
        rows = [r | {"verdict": verdicts.decide(r["value"], r["standard_error"] or 0, {"at_most": 2})} for r in rows]
    found, reason = sentences.verdict_of(sentence(rule="on average"), "both", rows)
    assert found == verdict
    if numbers[0][1] and numbers[1][0]:
        mean, error = (numbers[0][0] + numbers[1][0]) / 2, math.hypot(numbers[0][1], numbers[1][1]) / 2
        found = reason.removeprefix("the mean of 2 numbers is ").split(" ± ")
        assert [float(text) for text in found] == pytest.approx([mean, error], abs=0.06 * error)


def test_runs_that_all_agree_decide_no_mean_either():
    rows = [row("undecided", 1.0, 0.0), row("undecided", 1.0, 0.0)]
    assert sentences.verdict_of(sentence(rule="on average"), "both", rows)[0] == "undecided"


def test_a_sentence_is_judged_in_each_reading_from_the_rows_of_that_reading_and_of_both():
    rows = [
        row("holds", reading="published"),
        row("fails", reading="corrected"),
        row("holds", claim="A2"),
        row("fails", claim="A3"),
    ]
    found = sentences.judged(sentence(claims=("A1", "A2")), paper(), rows)
    assert [(r["reading"], r["verdict"]) for r in found] == [("published", "holds"), ("corrected", "fails")]
    assert [r["reason"] for r in found] == ["2 of 2 verdicts", "1 of 2 verdicts: A1 on fig1"]
    (only,) = sentences.judged(sentence(claims=("A2",)), paper(two_readings=False), rows)
    assert (only["paper"], only["reading"], only["verdict"]) == ("toy2020", "both", "holds")


def test_what_nothing_tests_is_untested_with_the_reason():
    rows = [row("holds", reading="corrected")]
    lost = sentence(claims=(), untested={"": "a lost number"})
    assert {r["verdict"]: r["reason"] for r in sentences.judged(lost, paper(), rows)} == {"untested": "a lost number"}
    ours = sentence(untested={"published": "this reading is ours"})
    published, corrected = sentences.judged(ours, paper(), rows)
    assert (published["verdict"], published["reason"]) == ("untested", "this reading is ours")
    assert corrected["verdict"] == "holds"
    published, _ = sentences.judged(sentence(), paper(), rows)
    assert (published["verdict"], published["reason"]) == ("untested", "its claims are not judged in this reading")


@pytest.mark.parametrize(
    ("said", "expect", "two_readings", "message"),
    [
        ({"rule": "on average"}, [{"at_most": 1}, {"at_most": 2}], True, "S1.rule: the borders of its claims differ"),
        ({"untested": {"published": "x"}}, [{"at_most": 1}], False, "S1.untested: the paper has one reading"),
        (
            {"kind": "privacy", "rule": "on average"},
            [{"at_most": 1}],
            True,
            "S1.rule: a promise is not kept 'on average'",
        ),
        ({"kind": "privacy"}, [{"at_least": 1}], True, "S1.claims: A0 does not compare a ledger with a promise"),
    ],
)
def test_a_sentence_that_cannot_be_judged_by_its_rule_is_refused(said, expect, two_readings, message):
    tested = [
        dataclasses.replace(claim("privacy_spent", {"of": "ucb"}, borders), id=f"A{n}")
        for n, borders in enumerate(expect)
    ]
    wrong = sentence(claims=[c.id for c in tested], **said)
    of = dataclasses.replace(paper(wrong, two_readings=two_readings), claims=tuple(tested))
    with pytest.raises(InputError, match=rf"toy2020\.yaml: sentences\.{message}"):
        sentences.check(wrong, of)
    measured = dataclasses.replace(tested[0], measure="level", expect={"at_most": 1})
    with pytest.raises(InputError, match="A0 does not compare a ledger"):
        sentences.check(sentence(kind="privacy", claims=("A0",)), dataclasses.replace(of, claims=(measured,)))


def test_one_claim_may_test_sentences_of_one_kind_only():
    said = {"S1": {"claims": ["A1"]}, "T1": {"claims": ["A1"], "kind": "theorem"}}
    content = yaml_file.read_yaml(ROOT / "config/papers/tossou2016.yaml")
    usual = {"says": "x", "place": "y"}
    content["sentences"] = {id: {**usual, **entry} for id, entry in said.items()}
    with pytest.raises(InputError, match=r"sentences\.T1\.claims: A1 tests a sentence of kind 'sentence' already"):
        expand(source(model.Paper(**content), "config/papers/tossou2016.yaml", "smoke"), "smoke")


# Promises of privacy


def audit(epsilon, measured, channel="actions", **more):
    """A row of a table of audits of policy `a`."""
    usual = {"policy": "a", "label": "a", "reading": "both", "channel": channel, "games": "1000"}
    return {**usual, "epsilon": str(epsilon), "measured": str(measured), **more}


@pytest.mark.parametrize(
    ("most", "audits", "verdict", "evidence"),
    [
        (2, [], "proved", ""),
        (1, [], "open", "; a composition bound above epsilon proves no violation"),
        (1, [audit(0.5, 0.4)], "open", "; an audit shows at least 0.4; a composition bound above epsilon proves no violation"),
        (1, [audit(0.5, 0.61)], "refuted", "; the actions in 1,000 games show at least 0.61"),
        (2, [audit(0.5, 0.61)], "refuted", "; the actions in 1,000 games show at least 0.61"),  # the ledger is wrong
        (1, [audit(0.5, 0.61, "reports"), audit(1, 1.1), audit(0.5, 9, policy="b"), audit(0.5, 9, reading="published")],
         "open", "; a composition bound above epsilon proves no violation"),
        (1, [audit(0.5, "", finding="not audited: it fails")],
         "open", "; a composition bound above epsilon proves no violation"),
    ],
)  # fmt: skip
def test_a_promise_is_proved_by_the_ledger_refuted_by_an_audit_and_open_otherwise(most, audits, verdict, evidence):
    """DP-UCB with the whole epsilon for either of two trees spends twice its promise by composition."""
    runs = runs_of({"a": [0, 0, 0, 5]}, algorithm="dp_ucb", epsilon=0.5, hybrid_split="full_log2")
    found = verdicts.judge(claim("privacy_spent", {"of": "a"}, {"at_most": most}, kind="privacy"), runs, 1, (), audits)
    alone = verdicts.judge(claim("privacy_spent", {"of": "a"}, {"at_most": most}), runs, 1, (), audits)
    assert (found["verdict"], found["evidence"]) == (verdict, alone["evidence"] + evidence)


def test_an_audit_of_another_mechanism_refutes_nothing():
    """An audit plays the first series of a policy: of a sweep over anything but epsilon it is another mechanism's."""
    runs = runs_of({1.0: [0, 0, 0, 1], 4.0: [0, 0, 0, 1]}, along="alpha", policy="a", algorithm="adap_ucb", epsilon=0.5)
    said = claim("privacy_spent", {"of": "a-4"}, {"at_most": 1}, kind="privacy")
    assert verdicts.judge(said, runs, 1, (), [audit(0.5, 0.61)])["verdict"] == "proved"
    first = dataclasses.replace(said, arguments={"of": "a-1"})
    assert verdicts.judge(first, runs, 1, (), [audit(0.5, 0.61)])["verdict"] == "refuted"


# Counts and flips


def verdicts_of(kind, *pairs, paper="toy2020"):
    return [
        {"paper": paper, "sentence": f"X{n}", "kind": kind, "reading": reading, "verdict": verdict}
        for n, pair in enumerate(pairs)
        for reading, verdict in zip(("published", "corrected") if len(pair) > 1 else ("both",), pair, strict=True)
    ]


def test_sentences_are_counted_by_the_readings_in_which_they_hold():
    rows = verdicts_of(
        "sentence", ("holds", "holds"), ("holds", "fails"), ("fails", "holds"), ("fails", "fails"), ("holds", "untested"),
        ("undecided", "fails"), ("untested", "untested"),
    )  # fmt: skip
    rows += verdicts_of("theorem", ("fails", "holds"), ("holds", "untested"))
    rows += verdicts_of("privacy", ("open", "proved"), ("refuted", "untested"))
    rows += verdicts_of("sentence", ("holds",), ("fails",), paper="tiny2021")
    toy, tiny, every = scoreboard.scores(rows)
    assert list(toy.sentences.values()) == [1, 1, 1, 1, 3]
    assert list(tiny.sentences.values()) == [1, 0, 0, 1, 0]
    assert list(every.sentences.values()) == [2, 1, 1, 2, 3]
    lines = scoreboard.as_markdown(rows).splitlines()[2:]
    assert lines[0] == "| toy2020 | 7 | 1 | 1 | 1 | 1 | 3 | 1 / 0 / 1 | 0 / 1 / 1 → 1 / 0 / 1 |"
    assert lines[1] == "| tiny2021 | 2 | 1 | 0 | 0 | 1 | 0 | – | – |"
    assert lines[2].startswith("| all | 9 | 2 | 1 | 1 | 2 | 3 |")
    first, theorems, promises = scoreboard.in_words(rows[:-2])
    assert (
        first
        == "7 sentences: 1 in both readings, 1 only as published, 1 only as defined, 1 in neither, 3 undecided or untested"
    )
    assert theorems == "2 theorems, as defined: 1 holds, 0 fails, 1 undecided"
    assert promises == "2 promises of privacy, as defined: 1 proved, 0 refuted, 1 open"
    assert scoreboard.in_words([row("holds"), row("fails")])[0].startswith("questions of our own: 1 holds, 1")


def test_a_flip_shows_the_verdict_that_changes_most():
    said = (
        sentence("S1", evidence="drawn points"),
        sentence("S2", claims=("A2",)),
        sentence("S3", claims=("A3",), rule="on average"),
        sentence("P1", claims=("A4",), kind="privacy"),
    )
    rows = [
        *(row("holds", v, experiment=e, reading="published") for e, v in (("fig1", 1.0), ("fig2", 1.1), ("fig3", 1.2))),
        row("fails", 2.4, experiment="fig1", reading="corrected", cause="c1"),
        row("fails", 3.3, experiment="fig2", reading="corrected", cause="because", evidence="a / b"),
        row("holds", 1.9, experiment="fig3", reading="corrected"),
        row("holds", 1, claim="A2"),
        row("fails", 3.0, 0.1, claim="A3", reading="published", experiment="fig1"),
        row("holds", 1.5, 0.1, claim="A3", reading="published", experiment="fig2"),
        row("holds", 1.0, 0.1, claim="A3", reading="corrected", experiment="fig1"),
        row("holds", 1.0, 0.1, claim="A3", reading="corrected", experiment="fig2"),
        row("open", 3.0, None, claim="A4", reading="published"),
        row("proved", 1.0, None, claim="A4", reading="corrected"),
    ]  # fmt: skip
    lines = flips.as_markdown([(paper(*said), rows)]).splitlines()[2:]
    assert lines == [
        "| toy2020 | S1: what S1 says | section 5 | A1 on fig2, expected at most 2; 2 of 3 verdicts change | holds: 1.10 ± 0.10 (e) "
        "| fails: 3.30 ± 0.10 (a / b) | because | drawn points |",
        "| toy2020 | S3: what S3 says | section 5 | the mean of 2 numbers, expected at most 2 | 2.250 ± 0.071 | 1.000 ± 0.071 |  |  |",
    ]  # fmt: skip


def test_a_table_of_sentences_is_read_as_it_was_written_and_a_damaged_one_is_named(tmp_path):
    found = sentences.table(
        [(paper(sentence(), sentence("P1", kind="privacy", claims=("A4",))), [row("holds"), row("open", claim="A4")])]
    )
    assert [(r["sentence"], r["verdict"]) for r in found] == [
        ("S1", "holds"),
        ("S1", "holds"),
        ("P1", "open"),
        ("P1", "open"),
    ]
    path = tmp_path / "sentences.csv"
    tables.write(path, {name: [r[name] for r in found] for name in sentences.COLUMNS})
    assert sentences.read(path) == found
    path.write_text(path.read_text().replace(",holds,", ",proved,"))
    with pytest.raises(InputError, match=r"sentences\.csv: 'proved' is no verdict on a sentence of kind 'sentence'"):
        sentences.read(path, checksum=False)


def test_papers_without_sentences_have_none():
    assert sentences.table([(dataclasses.replace(TOSSOU, sentences=()), [row("holds")])]) == []
    assert isinstance(TOSSOU, Paper)
