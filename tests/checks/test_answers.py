"""The answers to claims follow from the verdicts of their checks; promises of privacy; counts."""

import itertools
import math
import re
from dataclasses import replace

import pandas as pd
import pytest
from checks.known_runs import judge, runs_of
from project import ROOT, all_papers, study_of

from dpbandits import files
from dpbandits.checks import answers, tables
from dpbandits.page import scoreboard
from dpbandits.policies import DPUCB, AdaPUCB
from dpbandits.studies.claim import ANSWERS, Check, Claim
from dpbandits.studies.sentences import SENTENCES

TOSSOU = study_of("tossou2016", "smoke")
ONE_READING = {
    "fig2a": TOSSOU.experiments["s-lost-runs"],
    "s-lost-runs": TOSSOU.experiments["s-lost-runs"],
}
ONE, TWO = {"at_most": 1}, {"at_most": 2}
SPENT = {"privacy_spent": {"of": "dp-ucb"}}


def row(verdict, value=1.0, error=0.1, *, check="A1", experiment="fig2a", reading="both", **more):
    """A row of a table of checks that expects at most 2."""
    usual = {
        "check": check,
        "kind": "experiment",
        "experiment": experiment,
        "figures": "",
        "reading": reading,
        "statement": "s",
        "source": "s",
        "value": value,
        "standard_error": error,
        "interval_low": value - 2 * error,
        "interval_high": value + 2 * error,
        "relation": "at_most",
        "threshold": 2.0,
        "threshold_high": None,
        "critical_threshold": None,
        "p_value": 0.0,
        "share": None,
        "verdict": verdict,
        "evidence": "e",
        "cause": "",
    }
    return usual | more


def answers_to(study, rows, name="S1"):
    return answers.answers_to(study, name, rows)


def some_checks(*expect, measure=SPENT, sentence="a promise"):
    return {
        f"A{n}": Check(says="x", experiments=["fig2a"], sentence=sentence, expect=measure)
        for n, _ in enumerate(expect, 1)
    }


def claim(checks=None, **more):
    own = some_checks(TWO) if checks is None else checks
    return Claim(says="what it says", place="section 5", **({"checks": own} if own else {}), **more)


def paper(experiments=TOSSOU.experiments, **claims):
    changes = {
        "id": "toy2020",
        "claims_file": "claims/toy2020.yaml",
        "claims": claims,
        "experiments": experiments,
    }
    return replace(TOSSOU, **changes)


def by_the_docs(criterion, verdicts):
    """The answer by the lists in docs/method.md, which are written for claims with any checks."""
    n, has = len(verdicts), verdicts.__contains__
    held = verdicts.count("holds") + verdicts.count("by construction")
    if verdicts == ["by construction"] * n:
        return "by construction"
    if criterion == "in all panels":
        order = ("fails", "undecided", "a matter of degree")
        return next(filter(has, order), "holds")
    if 2 * held > n:
        return "holds"
    if 2 * (n - verdicts.count("fails")) <= n:
        return "fails"
    return "undecided" if has("undecided") else "a matter of degree"


def lists_of_verdicts(most):
    """All lists of up to this many verdicts, but for their order."""
    judged = ("holds", "fails", "a matter of degree", "by construction", "undecided")
    for number in range(1, most + 1):
        yield from map(list, itertools.combinations_with_replacement(judged, number))


@pytest.mark.parametrize("criterion", ["in all panels", "in most panels"])
def test_a_claim_follows_from_its_checks_and_a_check_from_its_panels(criterion):
    """Each check by the criterion, and all of them count: no check makes up for another."""
    study = paper(ONE_READING, S1=claim(some_checks(TWO, TWO), criterion=criterion))
    cases = [[verdicts] for verdicts in lists_of_verdicts(5)]
    cases += [
        [["fails"] * 8, ["holds"] * 10],
        *itertools.product([*lists_of_verdicts(2)], repeat=2),
    ]
    seen = set()
    for case in cases:
        rows = [
            row(verdict, check=f"A{n}", critical_threshold=1.2)
            for n, verdicts in enumerate(case, 1)
            for verdict in verdicts
        ]
        (result,) = answers_to(study, rows)
        by_check = [by_the_docs(criterion, verdicts) for verdicts in case]
        assert result["answer"] == by_the_docs("in all panels", by_check), case
        seen.add(result["answer"])
    assert seen == {"holds", "fails", "a matter of degree", "by construction", "undecided"}


def test_a_claim_is_answered_in_each_reading_from_the_rows_of_that_reading_and_of_both():
    rows = [row("holds", reading="published"), row("fails", reading="corrected")]
    rows += [row("holds", check="A2"), row("fails", check="A3")]
    two = claim(some_checks(TWO), same_checks=["A2"])
    earlier = claim({"A2": some_checks(TWO)["A1"]})
    result = answers_to(paper(S0=earlier, S1=two), rows)
    assert [(r["reading"], r["answer"]) for r in result] == [
        ("published", "holds"),
        ("corrected", "fails"),
    ]
    assert [r["reason"] for r in result] == ["2 of 2 verdicts", "1 of 2 verdicts: A1 on fig2a"]
    assert {r["checks"] for r in result} == {"A2 A1"}
    (only,) = answers_to(paper(ONE_READING, S0=earlier, S1=claim({}, same_checks=["A2"])), rows)
    assert (only["paper"], only["reading"], only["answer"]) == ("toy2020", "both", "holds")


def test_an_answer_has_the_number_that_decides_it():
    """In all panels that is the last number to pass, in most panels the one that makes most."""
    degrees = [
        row("a matter of degree", value, critical_threshold=value + 0.2)
        for value in (1.5, 1.1, 1.3)
    ]
    one = paper(ONE_READING, S1=claim())
    (result,) = answers_to(one, degrees)
    assert [result[key] for key in answers.OF_A_NUMBER] == [1.5, 1.3, 1.7, 1.7]
    assert result["reason"] == "3 of 3 verdicts; A1 holds for every threshold above 1.7"
    most = paper(ONE_READING, S1=claim(criterion="in most panels"))
    assert answers_to(most, degrees)[0]["critical_threshold"] == 1.5
    assert answers_to(most, [row("holds"), *degrees[:2]])[0]["critical_threshold"] == 1.3
    below = [{**each, "relation": "above"} for each in degrees]
    assert answers_to(one, below)[0]["value"] == 1.1
    of_two_checks = [*degrees[1:], degrees[0] | {"check": "A2", "relation": "at_least"}]
    both = paper(ONE_READING, S1=claim(some_checks(TWO, TWO)))
    (result,) = answers_to(both, of_two_checks)
    assert [result[key] for key in answers.OF_A_NUMBER] == [1.3, 1.1, 1.5, None]
    assert result["reason"] == (
        "3 of 3 verdicts; A1 holds for every threshold above 1.5; "
        "A2 holds for every threshold below 1.7"
    )
    most = paper(ONE_READING, S1=claim(some_checks(TWO, TWO), criterion="in most panels"))
    several = [row("holds", value) for value in (0.9, 0.2, 1.1)] + [row("fails", 2.5)]
    (result,) = answers_to(most, [*several, row("holds", 1.9, check="A2")])
    assert (result["value"], result["reason"]) == (
        1.1,
        "4 of 5 verdicts: A1 on fig2a, fig2a, fig2a; A2 on fig2a",
    )
    (result,) = answers_to(most, [*several, row("fails", 2.2, check="A2")])
    assert (result["value"], result["reason"]) == (2.2, "1 of 5 verdicts: A2 on fig2a")
    failing = [row("fails", 2.5), row("fails", 3.5), *degrees]
    assert answers_to(one, failing)[0]["value"] == 3.5
    between = {"relation": "within", "threshold": 0.0, "threshold_high": 2.0}
    several = [row("holds", value, **between) for value in (0.9, 0.2, 1.1)]
    assert answers_to(one, several)[0]["value"] == 0.2


def test_what_fails_only_through_our_reconstruction_is_undecided():
    """In tossou2016 the published noise of `dp-ucb` is our reconstruction.

    So is the schedule of `dp-ucb-int` in both readings.
    """
    several, bound = (
        {"fig2a": TOSSOU.experiments["fig2a"]},
        {"over_bound": {"of": ["ucb"], "bound": "b"}},
    )
    marked = {"fig2a": replace(several["fig2a"], reconstructed="its epsilon")}
    both = some_checks(TWO) | {"A2": some_checks(TWO, measure=bound, sentence="a bound")["A1"]}
    fail, every = (
        [row("fails", reading=reading) for reading in ("published", "corrected")],
        "docs/readings/x.md",
    )

    def result(experiments, one, *more, name="S1"):
        return [
            r["answer"] for r in answers_to(paper(experiments, **{name: one}), [*fail, *more], name)
        ]

    assert result(several, claim(both)) == ["undecided", "fails"]
    assert result(several, claim(both), row("holds", check="A2")) == ["undecided", "fails"]
    # The second check rests on nothing of ours.
    assert result(several, claim(both), row("fails", check="A2")) == ["fails", "fails"]
    assert result(marked, claim(both), row("fails", check="A2")) == ["undecided", "undecided"]
    assert result(several, claim(both, fails_under_every_candidate=every)) == ["fails", "fails"]
    assert result(several, claim(both), name="T1") == ["not refuted", "refuted"]
    theorem = [each | {"kind": "theorem"} for each in (*fail, row("fails", check="A2"))]
    in_any_game = answers_to(paper(marked, T1=claim(both)), theorem, "T1")
    assert [each["answer"] for each in in_any_game] == ["refuted", "refuted"]
    stated = claim(both, nothing_testable={"corrected": "it was repaired"})
    assert result(several, stated) == ["undecided", "nothing testable"]
    (published, _) = answers_to(paper(several, S1=claim(both)), fail)
    assert published["reason"] == (
        "fails only through our reconstruction of dp-ucb (A1: 1.00 ± 0.10); "
        "the authors' own would decide"
    )


def test_what_holds_only_through_our_reconstruction_is_marked():
    """A1 measures `dp-ucb`, whose published noise is our reconstruction, and A2 `ucb`."""
    experiments = {"fig2a": TOSSOU.experiments["fig2a"]}
    experiments["fig2b"] = replace(TOSSOU.experiments["fig2b"], reconstructed="its epsilon")
    bound = {"over_bound": {"of": ["ucb"], "bound": "b"}}
    both = some_checks(TWO) | {"A2": some_checks(TWO, measure=bound, sentence="a bound")["A1"]}

    def marks(*rows, **more):
        result = answers_to(paper(experiments, S1=claim(both, **more)), rows)
        assert {each["answer"] for each in result} == {rows[0]["verdict"]}
        return [each["reconstruction"] for each in result]

    ours, free = row("holds"), row("holds", check="A2")
    assert marks(ours, free) == ["dp-ucb", ""]
    assert marks(free) == ["", ""]
    instance = row("holds", check="A2", experiment="fig2b")
    assert marks(free, free, instance) == ["its epsilon"] * 2
    # Most hold without it.
    assert marks(free, free, instance, criterion="in most panels") == ["", ""]
    assert marks(free, free, ours, criterion="in most panels") == ["dp-ucb", ""]
    assert marks(free, ours, ours, row("fails"), criterion="in most panels") == ["dp-ucb", ""]
    assert marks(row("a matter of degree", critical_threshold=1)) == ["dp-ucb", ""]
    assert marks(row("by construction")) == ["", ""]


@pytest.mark.parametrize(
    ("key", "answer"),
    [
        ("proof", "holds"),
        ("by_construction", "by construction"),
        ("undecided", "undecided"),
        ("nothing_testable", "nothing testable"),
    ],
)
def test_a_file_may_state_an_answer_in_place_of_checks(key, answer):
    result = answers_to(paper(ONE_READING, S1=claim({}, **{key: "a reason"})), [])
    reason = "proof: a reason" if key == "proof" else "a reason"
    assert [(each["answer"], each["reason"]) for each in result] == [(answer, reason)]
    in_one = paper(S1=claim(**{key: {"published": "a reason"}}))
    result = answers_to(in_one, [row("fails")])
    assert [each["reason"] for each in result] == [reason, "A1: 1.00 ± 0.10"]


def test_a_promise_that_holds_is_proved_by_its_ledger():
    kept = row("holds", error=math.nan) | {"kind": "privacy"}
    (result,) = answers_to(paper(ONE_READING, P1=claim()), [kept], "P1")
    assert result["reason"] == "proof by the ledger: A1: 1"


def test_questions_of_ours_are_in_no_table(tmp_path):
    files.write(tmp_path / "c.csv", pd.DataFrame([row("holds")], columns=tables.CHECKS))
    study = paper(ONE_READING, S1=claim(), O1=claim())
    result = answers.table({"toy2020": study}, [tmp_path / "c.csv"]).to_dict("records")
    assert [(r["claim"], r["kind"], r["answer"]) for r in result] == [("S1", "experiment", "holds")]


def test_a_claim_in_words_says_what_its_answer_means_and_at_which_scale():
    rows = pd.DataFrame([row("undecided")], columns=tables.CHECKS)
    text = answers.in_words(paper(ONE_READING, S1=claim()), ["S1"], rows, "smoke")
    first, _, *lines = text.splitlines()
    assert first.startswith("scale smoke, in shorter games")
    assert lines[:4] == [
        "S1: what it says",
        "(section 5; in all panels)",
        "undecided (A1: 1.00 ± 0.10)",
        f"undecided: {ANSWERS['undecided']}",
    ]
    assert "\nundecided: fig2a: 1.00 ± 0.10, expected at most 2\n" in text
    assert answers.in_words(paper(), [], rows, "paper").startswith("scale paper\n")


def test_a_check_in_words():
    of_a_reading = row("fails", 3.0, reading="published") | {"cause": "slip"}
    assert tables.as_text(pd.DataFrame([row("holds"), of_a_reading])) == (
        "A1: s\n(s)\n\n"
        "holds: fig2a: 1.00 ± 0.10, expected at most 2\ne\n\n"
        "fails: fig2a, published reading: 3.00 ± 0.10, expected at most 2\ne\nslip\n"
    )


PRINTED = DPUCB(epsilon=1, hybrid_split="full_log2").mechanism


def audit(epsilon, measured, channel="actions", **more):
    """A row of a table of audits of DP-UCB."""
    usual = {"policy": "a", "mechanism": PRINTED, "channel": channel, "games": 1000}
    return {**usual, "epsilon": epsilon, "measured": measured, **more}


NO_PROOF = "; a composition bound above epsilon proves no violation"
SEEN = "; audit: the actions in 1,000 games show at least 0.61"


@pytest.mark.parametrize(
    ("most", "audits", "verdict", "evidence"),
    [
        (2, [], "holds", ""),
        (1, [], "undecided", NO_PROOF),
        (1, [audit(0.5, 0.4)], "undecided", f"; audit: at least 0.4{NO_PROOF}"),
        (1, [audit(0.5, 0.61)], "fails", SEEN),
        (2, [audit(0.5, 0.61)], "fails", SEEN),  # the ledger is wrong
        (
            1,
            [audit(0.5, 0.61, "reports")],
            "fails",
            "; audit: 1,000 reports of users show at least 0.61",
        ),
        (1, [audit(0.5, 0.4, "reports"), audit(0.5, 0.61)], "fails", SEEN),
        (
            1,
            [audit(1, 1.1), audit(0.5, 9, mechanism=DPUCB(epsilon=1).mechanism)],
            "undecided",
            NO_PROOF,
        ),
        (1, [audit(0.5, math.nan, finding="not audited: it fails")], "undecided", NO_PROOF),
    ],
)
def test_a_promise_holds_by_the_ledger_and_fails_by_an_audit(most, audits, verdict, evidence):
    """DP-UCB with the whole epsilon for each of two trees spends twice its promise."""
    runs = runs_of({"a": [0, 0, 0, 5]}, algorithm="dp_ucb", epsilon=0.5, hybrid_split="full_log2")
    check = ("privacy_spent", {"of": "a"}, {"at_most": most}, runs)
    result, alone = judge(*check, kind="privacy", audits=audits), judge(*check)
    assert (result["verdict"], result["evidence"]) == (
        verdict,
        f"ledger: {alone['evidence']}{evidence}",
    )


def test_an_audit_of_another_mechanism_refutes_nothing():
    """Another series of a sweep over anything but epsilon is another mechanism."""
    runs = runs_of(
        {1.0: [0, 0, 0, 1], 4.0: [0, 0, 0, 1]},
        along="alpha",
        policy="a",
        algorithm="adap_ucb",
        epsilon=0.5,
    )
    audits = [
        audit(0.5, measured, mechanism=AdaPUCB(epsilon=1, alpha=alpha).mechanism)
        for alpha, measured in ((4, 0.4), (1, 0.61))
    ]
    for series, verdict in (("a-4", "holds"), ("a-1", "fails")):
        result = judge("privacy_spent", {"of": series}, ONE, runs, kind="privacy", audits=audits)
        assert result["verdict"] == verdict


def test_a_loss_that_occurs_refutes_a_promise_without_an_audit():
    """DP-UCB-BOUND as printed and as corrected."""
    for split, verdict in (("literal_natlog", "fails"), ("half_log2", "holds")):
        runs = runs_of({"a": [0] * 4}, algorithm="dp_ucb_bound", epsilon=0.5, hybrid_split=split)
        row = judge("exact_loss", {"of": "a"}, ONE, runs, kind="privacy")
        assert row["verdict"] == verdict
        assert row["evidence"].endswith("by its likelihoods")


def claims_of(kind, *pairs, paper="toy2020"):
    return [
        {
            "paper": paper,
            "claim": f"X{n}",
            "kind": kind,
            "reading": reading,
            "answer": answer.rstrip("*"),
            "reconstruction": "ours" if answer.endswith("*") else "",
        }
        for n, pair in enumerate(pairs)
        for reading, answer in zip(
            ("published", "corrected") if len(pair) > 1 else ("both",), pair, strict=True
        )
    ]


def test_claims_are_counted_by_their_answers_in_both_readings():
    degree, ours = "a matter of degree", "holds through our reconstruction"
    rows = claims_of(
        "experiment",
        ("holds", "holds"),
        ("holds*", "fails"),
        ("holds", "fails"),
        (f"{degree}*", "nothing testable"),
        ("undecided", "fails"),
    )
    rows += claims_of("theorem", ("refuted", "proved"), ("proved", "not refuted"))
    rows += claims_of("privacy", ("no text", "proved"), ("refuted", "not refuted"))
    rows += claims_of("experiment", ("holds",), ("fails",), paper="tiny2021")
    result = pd.DataFrame(rows)
    assert scoreboard.counts(result).to_dict("index") == {
        "holds": {"holds": 2, "fails": 1, "nothing testable": 0},
        ours: {"holds": 0, "fails": 1, "nothing testable": 0},
        "fails": {"holds": 0, "fails": 1, "nothing testable": 0},
        degree: {"holds": 0, "fails": 0, "nothing testable": 1},
        "undecided": {"holds": 0, "fails": 1, "nothing testable": 0},
    }
    assert scoreboard.counts(result).to_numpy().sum() == 7
    lines = scoreboard.block(result).splitlines()
    assert lines[:4] == [*(f"- {paragraph}" for paragraph in scoreboard.headline(result)), ""]
    assert lines[4:7] == [
        "| published (rows), corrected (columns) | holds | fails | nothing testable |",
        "|---|---|---|---|",
        "| **holds** | 2 | 1 |  |",
    ]
    assert scoreboard.headline(result) == [
        "Of 7 claims about experiments, 3 hold as published without our reconstruction, and 2 as "
        "corrected. As published, 1 more holds only through it, 1 fails, and 2 have another "
        "answer. As corrected, 0 more hold only through it, 4 fail, and 1 has another answer.",
        "Of 2 theorems, 1 is proved as published, and 1 as corrected. As published, 1 is refuted, "
        "and 0 are neither. As corrected, 0 are refuted, and 1 is neither.",
        "Of 2 promises of privacy, 0 are proved as published, and 1 as corrected. As published, "
        "1 is refuted, and 1 is neither. As corrected, 0 are refuted, and 1 is neither.",
    ]
    sentences = " ".join(scoreboard.headline(result)).split(". ")
    assert max(len(re.findall(r"\d+", sentence)) for sentence in sentences) == 3
    in_grey = [scoreboard.MARKS[answer] for answer in scoreboard.COUNTED]
    assert len({*in_grey}) == len(in_grey)


def test_answers_that_change_if_all_checks_are_one_test_are_listed():
    rows = pd.DataFrame(claims_of("experiment", ("holds", "fails"), ("holds",)))
    rows["joint_answer"] = rows["answer"]
    assert scoreboard.joint(rows).endswith("no answer would change.")
    rows.loc[1, "joint_answer"] = "undecided"
    assert scoreboard.joint(rows).endswith("toy2020 X0 (corrected): undecided.")


def test_one_panel_of_many_may_fail_by_chance():
    """At two errors one of sixteen fails in half of all papers; it needs three."""
    for p_value, answer in ((0.01, "undecided"), (0.002, "fails")):
        rows = [row("holds", p_value=0.001)] * 15 + [row("fails", 3.0, p_value=p_value)]
        assert answers_to(paper(ONE_READING, S1=claim()), rows)[0]["answer"] == answer
    exact = [row("holds")] * 15 + [row("fails", 3.0)]
    assert answers_to(paper(ONE_READING, S1=claim()), exact)[0]["answer"] == "fails"


@pytest.mark.parametrize(
    ("measure", "sentence", "error", "verdict", "answer"),
    [
        (SPENT, "a promise", math.nan, "holds", "proved"),
        (SPENT, "a promise", math.nan, "undecided", "not refuted"),
        ({"exact_loss": {"of": "dp-ucb"}}, "a promise", math.nan, "holds", "not refuted"),
        ({"exact_loss": {"of": "dp-ucb"}}, "a promise", math.nan, "fails", "refuted"),
    ],
)
def test_only_a_ledger_proves_a_promise(measure, sentence, error, verdict, answer):
    study = paper(ONE_READING, P1=claim(some_checks(TWO, measure=measure, sentence=sentence)))
    (result,) = answers_to(study, [row(verdict, error=error, kind="privacy")], "P1")
    assert result["answer"] == answer


def test_our_reconstruction_of_an_algorithm_proves_no_promise():
    """As published the noise of `dp-ucb` is our reconstruction."""
    study = paper({"fig2a": TOSSOU.experiments["fig2a"]}, P1=claim())
    kept = [
        row("holds", error=math.nan, kind="privacy", reading=reading)
        for reading in ("published", "corrected")
    ]
    results = answers_to(study, kept, "P1")
    assert [each["answer"] for each in results] == ["not refuted", "proved"]
    assert [each["reconstruction"] for each in results] == ["dp-ucb", ""]
    every = claim(holds_under_every_candidate="docs/readings/x.md")
    results = answers_to(replace(study, claims={"P1": every}), kept, "P1")
    assert [each["answer"] for each in results] == ["proved", "proved"]
    assert results[0]["reason"].endswith("under every candidate: docs/readings/x.md")


@pytest.mark.parametrize(
    ("measure", "sentence", "error", "answer"),
    [
        ({"over_bound": {"of": ["ucb"], "bound": "b"}}, "a bound", 0.1, "not refuted"),
        ({"chance_of_low_index": {"of": ["ucb"]}}, "a bound", math.nan, "not refuted"),
        ({"local_over_global_noise": {"of": "ucb"}}, "better", math.nan, "proved"),
    ],
)
def test_games_within_a_bound_prove_no_theorem(measure, sentence, error, answer):
    study = paper(ONE_READING, T1=claim(some_checks(TWO, measure=measure, sentence=sentence)))
    (result,) = answers_to(study, [row("holds", error=error, kind="theorem")], "T1")
    assert result["answer"] == answer


def test_kinds_of_sentences_have_one_criterion_each_in_all_papers():
    """But for at most ten departures. docs/method.md lists the kinds."""
    checks = [check for study in all_papers().values() for check in study.checks.values()]
    departing = [check for check in checks if check.departs]
    assert len(departing) <= 10
    assert len(SENTENCES) <= 15
    assert {check.sentence for check in checks} == SENTENCES.keys()
    seen = {}
    for check in checks:
        if not check.departs:
            scaled = {key: each / (check.number or 1) for key, each in check.thresholds.items()}
            usual = seen.setdefault((check.sentence, check.measure, check.degree != ""), scaled)
            assert scaled == pytest.approx(usual) or check.number < 0
    page = (ROOT / "docs/method.md").read_text()
    listed = re.findall(r"^\| \*([a-z ]+)\* \| (.+) \|$", page, re.MULTILINE)
    assert listed == [(kind, sentence.meaning) for kind, sentence in SENTENCES.items()]


def test_the_reason_has_the_share_of_figures_that_decides():
    rows = [row("holds", share=0.9), row("holds", share=0.239, value=1.7)]
    reason = answers._reason("holds", rows, rows, [rows[1]])
    assert reason == "2 of 2 verdicts; A1: 0.239 of such figures look like it"
