"""The answers to claims follow from the verdicts of their checks; promises of privacy; counts."""

import math
from dataclasses import replace

import pandas as pd
import pytest
from checks.known_runs import VERDICTS, judge, runs_of
from project import study_of

from dpbandits import files
from dpbandits.checks import answers, tables
from dpbandits.page import scoreboard
from dpbandits.studies.claim import Check, Claim

TOSSOU = study_of("tossou2016", "smoke")
ONE_READING = {
    "fig2a": TOSSOU.experiments["s-lost-runs"],
    "s-lost-runs": TOSSOU.experiments["s-lost-runs"],
}
ONE, TWO = {"at_most": 1}, {"at_most": 2}
SPENT = {"privacy_spent": {"of": ["dp-ucb"]}}


def row(verdict, value=1.0, error=0.1, *, check="A1", experiment="fig2a", reading="both"):
    """A row of a table of checks that expects at most 2."""
    return {
        "check": check,
        "kind": "experiment",
        "experiment": experiment,
        "figures": "",
        "reading": reading,
        "statement": "s",
        "source": "s",
        "value": value,
        "standard_error": error,
        "relation": "at_most",
        "threshold": 2.0,
        "threshold_high": None,
        "verdict": verdict,
        "evidence": "e",
        "cause": "",
    }


def answers_to(study, rows, name="S1"):
    return answers.answers_to(study, name, rows)


def some_checks(*expect, measure=SPENT):
    return {
        f"A{n}": Check(says="x", experiments=["fig2a"], expect={**measure, **expected})
        for n, expected in enumerate(expect, 1)
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


@pytest.mark.parametrize("rule", VERDICTS["rules"])
def test_the_answer_follows_by_the_rule(rule):
    for verdicts, expected in VERDICTS["rules"][rule].items():
        rows = [row(verdict, experiment=f"fig{n}") for n, verdict in enumerate(verdicts.split())]
        answer, reason = answers.answer_by(rule, rows)
        assert answer == expected, verdicts
        assert reason.startswith(f"{verdicts.count(expected)} of {len(rows)} verdicts")


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


@pytest.mark.parametrize(
    ("origin", "value", "answer", "words"), VERDICTS["thresholds_of_ours"], ids=str
)
def test_no_answer_hangs_on_a_threshold_of_ours(origin, value, answer, words):
    check = replace(some_checks(TWO)["A1"], ours_from=origin)
    rows = [row("holds" if value <= 2 else "fails", value, experiment="s-lost-runs")]
    (result,) = answers_to(paper(ONE_READING, S1=claim({"A1": check})), rows)
    assert result["answer"] == answer
    depends = result["reason"].startswith("depends on a threshold of ours: ")
    assert depends == (answer == "undecided")
    assert words in result["reason"]


def test_what_was_undecided_stays_so_at_a_moved_threshold():
    checks = {id: replace(check, ours_from=1) for id, check in some_checks(TWO, TWO, TWO).items()}
    rows = [row("holds", 1.3), row("holds", 1.5, check="A2"), row("undecided", 1.3, check="A3")]
    (result,) = answers_to(paper(ONE_READING, S1=claim(checks, rule="in most panels")), rows)
    assert result["answer"] == "undecided"


def test_what_fails_only_through_our_reconstruction_is_untested():
    """In tossou2016 the published noise of `dp-ucb` is our reconstruction.

    So is the schedule of `dp-ucb-int` in both readings.
    """
    several, bound = (
        {"fig2a": TOSSOU.experiments["fig2a"]},
        {"over_bound": {"of": ["ucb"], "bound": "b"}},
    )
    marked = {"fig2a": replace(several["fig2a"], reconstructed="its epsilon")}
    both = some_checks(TWO) | {"A2": some_checks(TWO, measure=bound)["A1"]}
    fail, every = (
        [row("fails", reading=reading) for reading in ("published", "corrected")],
        "docs/readings/x.md",
    )

    def result(experiments, one, *more, name="S1"):
        return [
            r["answer"] for r in answers_to(paper(experiments, **{name: one}), [*fail, *more], name)
        ]

    assert result(several, claim(both)) == ["untested", "fails"]
    assert result(several, claim(both), row("holds", check="A2")) == ["untested", "fails"]
    # The second check rests on nothing of ours.
    assert result(several, claim(both), row("fails", check="A2")) == ["fails", "fails"]
    assert result(marked, claim(both), row("fails", check="A2")) == ["untested", "untested"]
    assert result(several, claim(both, fails_under_every_candidate=every)) == ["fails", "fails"]
    assert result(several, claim(both), name="T1") == ["untested", "fails"]
    assert result(marked, claim(both), row("fails", check="A2"), name="T1") == [
        "fails",
        "fails",
    ]  # in any game
    assert result(several, claim(both, untested={"corrected": "it was repaired"})) == [
        "untested",
        "untested",
    ]
    (published, _) = answers_to(paper(several, S1=claim(both)), fail)
    assert (
        published["reason"] == "fails only through our reconstruction of dp-ucb (A1: 1.00 ± 0.10)"
    )


def test_what_nothing_checks_is_untested_with_the_reason_and_questions_of_ours_are_in_no_table(
    tmp_path,
):
    files.write(
        tmp_path / "c.csv", pd.DataFrame([row("holds", reading="corrected")], columns=tables.CHECKS)
    )
    study = paper(S1=claim({}, untested="a lost number"), T1=claim(), O1=claim())
    result = answers.table({"toy2020": study}, [tmp_path / "c.csv"]).to_dict("records")
    assert [(r["claim"], r["kind"], r["answer"]) for r in result] == [
        *[("S1", "experiment", "untested")] * 2,
        ("T1", "theorem", "untested"),
        ("T1", "theorem", "holds"),
    ]
    assert result[0]["reason"] == "a lost number"
    assert result[2]["reason"] == "no check measures it in this reading"


def test_a_check_in_words():
    of_a_reading = row("fails", 3.0, reading="published") | {"cause": "slip"}
    assert tables.as_text(pd.DataFrame([row("holds"), of_a_reading])) == (
        "A1: s\n(s)\n\n"
        "holds: fig2a: 1.00 ± 0.10, expected at most 2\ne\n\n"
        "fails: fig2a, published reading: 3.00 ± 0.10, expected at most 2\ne\nslip\n"
    )


def audit(epsilon, measured, channel="actions", **more):
    """A row of a table of audits of policy `a`."""
    usual = {"policy": "a", "label": "a", "reading": "both", "channel": channel, "games": 1000}
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
            [audit(1, 1.1), audit(0.5, 9, policy="b"), audit(0.5, 9, reading="published")],
            "undecided",
            NO_PROOF,
        ),
        (1, [audit(0.5, math.nan, finding="not audited: it fails")], "undecided", NO_PROOF),
    ],
)
def test_a_promise_holds_by_the_ledger_and_fails_by_an_audit(most, audits, verdict, evidence):
    """DP-UCB with the whole epsilon for each of two trees spends twice its promise."""
    runs = runs_of({"a": [0, 0, 0, 5]}, algorithm="dp_ucb", epsilon=0.5, hybrid_split="full_log2")
    check = ("privacy_spent", {"of": ["a"]}, {"at_most": most}, runs)
    result, alone = judge(*check, kind="privacy", audits=audits), judge(*check)
    assert (result["verdict"], result["evidence"]) == (
        verdict,
        f"ledger: {alone['evidence']}{evidence}",
    )


def test_an_audit_of_another_mechanism_refutes_nothing():
    """An audit plays the first series of a policy.

    Another series of a sweep over anything but epsilon is another mechanism.
    """
    runs = runs_of(
        {1.0: [0, 0, 0, 1], 4.0: [0, 0, 0, 1]},
        along="alpha",
        policy="a",
        algorithm="adap_ucb",
        epsilon=0.5,
    )
    for series, verdict in (("a-4", "holds"), ("a-1", "fails")):
        result = judge(
            "privacy_spent", {"of": [series]}, ONE, runs, kind="privacy", audits=[audit(0.5, 0.61)]
        )
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
            "answer": answer,
            "checks": "A1",
        }
        for n, pair in enumerate(pairs)
        for reading, answer in zip(
            ("published", "corrected") if len(pair) > 1 else ("both",), pair, strict=True
        )
    ]


def test_claims_are_counted_by_the_readings_in_which_they_hold():
    rows = claims_of(
        "experiment",
        ("holds", "holds"),
        ("holds", "fails"),
        ("fails", "holds"),
        ("fails", "fails"),
        ("holds", "untested"),
        ("undecided", "fails"),
        ("untested", "untested"),
    )
    rows += claims_of("theorem", ("fails", "holds"), ("holds", "untested"))
    rows += claims_of("privacy", ("undecided", "holds"), ("fails", "untested"))
    rows += claims_of("experiment", ("holds",), ("fails",), paper="tiny2021")
    result = pd.DataFrame(rows)
    assert scoreboard.counts(result).loc["toy2020"].tolist() == [1, 1, 1, 1, 3]
    assert scoreboard.counts(result).loc["tiny2021"].tolist() == [1, 0, 0, 1, 0]
    assert scoreboard.headline(result) == (
        "Of 9 claims that the papers write about their experiments, 2 hold in every reading, "
        "1 only as published, 1 only as corrected and 2 in none; 3 are undecided or untested. "
        "Of 2 promises of privacy 1 are broken as published and none as corrected. "
        "2 checks stand behind the claims, some behind several."
    )
    flips = scoreboard.by_reading(result).query(
        "outcome in ['only as published', 'only as corrected']"
    )
    assert flips["claim"].tolist() == ["X1", "X2", "X0"]
    assert scoreboard.counts(result, "theorem").to_dict("index") == {
        "toy2020": dict(zip(scoreboard.counts(result), [0, 0, 1, 0, 1], strict=True))
    }
