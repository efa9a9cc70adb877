"""The answers to claims follow from the verdicts of their checks; promises of privacy; counts."""

import itertools
import math
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from checks.known_runs import judge, runs_of
from project import study_of

from dpbandits import files
from dpbandits.audit import findings
from dpbandits.checks import answers, tables
from dpbandits.page import scoreboard
from dpbandits.policies import AdaPUCB
from dpbandits.studies import strict_yaml
from dpbandits.studies.claim import ANSWERS, Check, Claim, kind_of
from dpbandits.studies.model import RECONSTRUCTED, Panel

TABLE = strict_yaml.read_yaml(Path(__file__).with_name("answers.yaml"))
CHECKS = {
    id: Check(says="what it says", experiments=["fig2a"], **of_it)
    for id, of_it in TABLE["checks"].items()
}
TOSSOU = study_of("tossou2016", "smoke")
TWO_READINGS = {
    "fig2a": TOSSOU.experiments["fig2a"],
    "fig2b": replace(TOSSOU.experiments["fig2b"], reconstructed="its epsilon"),
}
ONE_READING = {"fig2a": TOSSOU.experiments["s-lost-runs"]}


def row(check, verdict, **columns):
    """A row of a table of checks."""
    value = columns.get("value", 1.0)
    interval = {"value": value, "interval_low": value - 0.2, "interval_high": value + 0.2}
    return {**TABLE["row"], **interval, "check": check, "verdict": verdict, **columns}


def paper(experiments=TWO_READINGS, **claims):
    """A paper; `claims`: id -> the keys of a claim, which has the checks of the table."""
    of_it = {
        id: Claim(says="what it says", place="section 5", **{"checks": CHECKS, **keys})
        for id, keys in claims.items()
    }
    return replace(TOSSOU, id="toy2020", claims=of_it, experiments=experiments)


@pytest.mark.parametrize(("id", "keys", "rows", "expected"), TABLE["cases"], ids=str)
def test_what_follows_from_the_rows_of_a_claims_checks(id, keys, rows, expected):
    rows = [
        row(check, verdict, kind=kind_of(id), **(columns[0] if columns else {}))
        for check, verdict, *columns in rows
    ]
    results = answers.answers_to(paper(**{id: keys}), id, rows)
    assert [result["reading"] for result in results] == ["published", "corrected"]
    for column, wanted in expected.items():
        each = wanted if isinstance(wanted, list) else [wanted, wanted]
        for result, value in zip(results, each, strict=True):
            assert result[column] == value, result


def test_a_claim_counts_the_checks_of_earlier_claims_and_may_have_one_reading():
    study = paper(ONE_READING, S1={"checks": {"A1": CHECKS["A1"]}, "same_checks": ["A2"]}, S2={})
    rows = [row("A1", "holds"), row("A2", "fails"), row("A3", "holds")]
    (result,) = answers.answers_to(study, "S1", rows)
    columns = ("paper", "claim", "kind", "place", "says", "reading", "answer", "checks", "reason")
    assert [result[column] for column in columns] == [
        *("toy2020", "S1", "experiment", "section 5", "what it says", "both", "fails", "A2 A1"),
        "1 of 2 verdicts: A2 on fig2a",
    ]
    study = paper(ONE_READING, S1={"checks": {}, "proof": {"corrected": "r"}})
    assert answers.answers_to(study, "S1", [])[0]["reason"] == "proof: r"


@pytest.mark.parametrize("reading", ["published", "corrected"])
def test_a_paper_with_one_reading_may_name_it_as_either(reading):
    (experiment,) = ONE_READING.values()
    (policy,) = experiment.policies.values()
    experiment = replace(experiment, policies={policy.id: replace(policy, reconstructed=[reading])})
    check = replace(CHECKS["A1"], expect={"privacy_spent": {"of": policy.id}})
    study = paper({"fig2a": experiment}, S1={"checks": {"A1": check}})
    (result,) = answers.answers_to(study, "S1", [row("A1", "fails")])
    assert (result["reading"], result["answer"]) == ("both", "undecided")
    assert Panel().label(policy.id, experiment).endswith(RECONSTRUCTED)


def by_the_docs(criterion, verdicts):
    """The answer by the lists in docs/method.md, which are written for claims with any checks."""
    n, has = len(verdicts), verdicts.__contains__
    held = verdicts.count("holds") + verdicts.count("by construction")
    if verdicts == ("by construction",) * n:
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
        yield from itertools.combinations_with_replacement(judged, number)


@pytest.mark.parametrize("criterion", ["in all panels", "in most panels"])
def test_a_claim_follows_from_its_checks_and_a_check_from_its_panels(criterion):
    """Each check by the criterion, and all of them count: no check makes up for another."""
    study = paper(ONE_READING, S1={"criterion": criterion})
    one_check = zip(lists_of_verdicts(5))
    two_checks = itertools.product(lists_of_verdicts(2), repeat=2)
    for case in itertools.chain(one_check, two_checks):
        rows = [
            row(check, verdict, critical_threshold=1.2)
            for check, verdicts in zip(CHECKS, case, strict=False)
            for verdict in verdicts
        ]
        (result,) = answers.answers_to(study, "S1", rows)
        by_check = tuple(by_the_docs(criterion, verdicts) for verdicts in case)
        assert result["answer"] == by_the_docs("in all panels", by_check), case


def test_one_panel_of_many_may_fail_by_chance_unless_it_is_exact():
    """At two errors one of sixteen fails in half of all papers; it needs three."""
    study = paper(ONE_READING, S1={})
    for others, p_value, answer in [
        (0.001, 0.01, "undecided"),
        (0.001, 0.002, "fails"),
        (0.0, 0.01, "fails"),
    ]:
        rows = [row("A2", "holds", p_value=others)] * 15 + [row("A2", "fails", p_value=p_value)]
        assert answers.answers_to(study, "S1", rows)[0]["answer"] == answer


def test_the_table_of_claims_has_joint_answers_and_no_questions_of_ours(tmp_path):
    """Of 20 uncertain numbers one with p above 0.0025 may fail by chance, at a level of 5%."""
    rows = [row("A2", "holds", p_value=1e-9)] * 8 + [row("A6", "holds")]
    rows += [row("A4", "fails", p_value=0.0026), row("A5", "fails", p_value=0.0024)]
    files.write(tmp_path / "c.csv", pd.DataFrame(rows))
    claims = {
        id: {"checks": {check: CHECKS[check]}}
        for id, check in (("S1", "A2"), ("S2", "A4"), ("S3", "A5"), ("O1", "A6"))
    }
    study = paper(ONE_READING, **claims)
    table = answers.table({"toy2020": study, "again": study}, [tmp_path / "c.csv"] * 2)[:3]
    assert table[["claim", "answer", "joint_answer"]].to_numpy().tolist() == [
        ["S1", "holds", "holds"],
        ["S2", "fails", "undecided"],
        ["S3", "fails", "fails"],
    ]
    assert scoreboard.joint(table).endswith("these answers would change. toy2020 S2: undecided.")
    assert scoreboard.joint(table[:1]).endswith("no answer would change.")


def test_claims_and_checks_in_words():
    rows = [row("A2", "undecided", reading="published", evidence="e")]
    rows.append(row("A2", "fails", value=3.0, reading="corrected", source="s", cause="slip"))
    of_checks = pd.DataFrame(rows)
    text = answers.in_words(paper(S1={}), ["S1"], of_checks, "smoke")
    first, _, *of_claim = text.splitlines()
    assert first.startswith("scale smoke, in shorter games")
    assert of_claim[:6] == [
        "S1: what it says",
        "(section 5; in all panels)",
        "published reading: undecided (A2: 1.00 ± 0.10)",
        "corrected reading: fails (A2: 3.00 ± 0.10)",
        f"undecided: {ANSWERS['undecided']}",
        "",
    ]
    of_check = (
        "A2: what it says\n()\n\n"
        "undecided: fig2a, published reading: 1.00 ± 0.10, expected at most 2\ne\n\n"
        "fails: fig2a, corrected reading: 3.00 ± 0.10, expected at most 2\nslip\n"
    )
    assert text.endswith(of_check)
    assert tables.as_text(of_checks) == of_check
    both = pd.DataFrame([row("A1", "holds")])
    ours = answers.as_text(paper(S1={}), "S1", both)
    assert "holds (A1: 1.00 ± 0.10; through our reconstruction of dp-ucb)" in ours
    assert "\nholds (A1: 1.00 ± 0.10)\n" in answers.as_text(paper(ONE_READING, S1={}), "S1", both)
    assert "\nholds: fig2a: 1.00 ± 0.10, expected at most 2\n" in tables.as_text(both)
    assert answers.in_words(paper(), [], of_checks, "paper").startswith("scale paper\n")


def audit(measured, finding="", *, alpha=1, epsilon=0.5, channel="actions", promise="kept"):
    """A row of a table of audits of AdaP-UCB."""
    usual = findings.ABOVE_PROMISE if measured > epsilon else findings.WITHIN
    mechanism = AdaPUCB(epsilon=epsilon, alpha=alpha).mechanism
    return {
        "mechanism": mechanism,
        "channel": channel,
        "games": 1000,
        "epsilon": epsilon,
        "measured": measured,
        "finding": finding or usual,
        "promise": promise,
    }


NO_PROOF = "; a composition bound above epsilon proves no violation"
SEEN = "; audit: the actions in 1,000 games show at least 0.61"
REPORTED = "; audit: 1,000 reports of users show at least 0.61"
WRONG = ": a wrong ledger proves nothing"


@pytest.mark.parametrize(
    ("most", "audits", "verdict", "says"),
    [
        (1, [audit(0.4)], "holds", ""),
        (0.5, [], "undecided", NO_PROOF),
        (0.5, [audit(0.4)], "undecided", f"; audit: at least 0.4{NO_PROOF}"),
        (0.5, [audit(math.nan)], "undecided", NO_PROOF),
        (0.5, [audit(0.61)], "fails", SEEN),
        (1, [audit(0.4, channel="reports"), audit(0.61)], "fails", SEEN),  # the ledger is wrong
        (1, [audit(0.61, channel="reports")], "fails", REPORTED),
        # An audit or a replay contradicts the ledger.
        (
            1,
            [audit(0.45), audit(0.4, findings.ABOVE_LEDGER)],
            "undecided",
            f"; audit: at least 0.4, above the ledger{WRONG}",
        ),
        (
            1,
            [audit(math.nan, epsilon=1, promise="not kept")],
            "undecided",
            f"; replay: not kept{WRONG}",
        ),
        (
            0.5,
            [audit(0.4, promise="not private")],
            "undecided",
            f"; audit: at least 0.4; replay: not private{WRONG}",
        ),
        # Audits of another mechanism, and of this one with another promise
        (1, [audit(9, alpha=4), audit(9, epsilon=1)], "holds", ""),
    ],
)
def test_a_promise_holds_by_the_ledger_and_fails_by_an_audit(most, audits, verdict, says):
    """AdaP-UCB spends what it promises. The promise is half of that in some rows."""
    curves = {1.0: [0, 0, 0, 1], 4.0: [0, 0, 0, 1]}
    runs = runs_of(curves, along="alpha", policy="a", algorithm="adap_ucb", epsilon=0.5)
    check = "privacy_spent", {"of": "a-1"}, {"at_most": most}, runs
    row = judge(*check, kind="privacy", audits=audits)
    evidence = f"ledger: a-1: promised epsilon 0.5, spent 0.5{says}"
    assert (row["verdict"], row["evidence"]) == (verdict, evidence)


def test_a_loss_that_occurs_refutes_a_promise_without_an_audit():
    """DP-UCB-BOUND as printed."""
    runs = runs_of({"a": [0] * 4}, algorithm="dp_ucb_bound", epsilon=0.5, hybrid_split="full_log2")
    row = judge("exact_loss", {"of": "a"}, {"at_most": 1}, runs, kind="privacy")
    assert row["verdict"] == "fails"


def test_claims_are_counted_by_their_answers_in_both_readings():
    """tests/reference compares the sentences with those in the README."""
    rows = [
        {
            "paper": paper,
            "claim": claim,
            "kind": kind_of(claim),
            "reading": reading,
            "answer": answer.rstrip("*"),
            "reconstruction": "ours" if answer.endswith("*") else "",
        }
        for paper, claim, by_reading in TABLE["claims"]
        for reading, answer in by_reading.items()
    ]
    claims = pd.DataFrame(rows)
    assert scoreboard.block(claims).splitlines()[4:] == [
        "| published (rows), corrected (columns) | holds | fails | nothing testable |",
        "|---|---|---|---|",
        "| **holds** | 2 | 1 |  |",
        "| **holds through our reconstruction** |  | 1 |  |",
        "| **fails** |  | 1 |  |",
        "| **a matter of degree** |  |  | 1 |",
        "| **undecided** |  | 1 |  |",
    ]
    experiments, *proofs = scoreboard.headline(claims)
    assert experiments == (
        "Of 7 claims about experiments, 3 hold as published without our reconstruction, and 2 as "
        "corrected. As published, 1 more holds only through it, 1 fails, and 2 have another "
        "answer. As corrected, 0 more hold only through it, 4 fail, and 1 has another answer."
    )
    assert proofs[0].startswith("Of 2 theorems, 1 is proved as published, and 1 as corrected. As")
    numbers = [" ".join(re.findall(r"\d+", paragraph)) for paragraph in proofs]
    assert numbers == ["2 1 1 1 0 0 1", "2 0 1 1 1 0 1"]
    assert len({*map(scoreboard.MARKS.get, scoreboard.COUNTED)}) == len(scoreboard.COUNTED)
