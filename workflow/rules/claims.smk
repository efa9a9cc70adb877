# The runs of a paper -> a verdict on every sentence that it writes about its experiments. Runs, not summaries: a
# standard error that knows how the rounds of a run depend on each other needs them.

from dpbandits import algorithms


def claims_of(paper):
    return f"{RESULTS}/claims/{paper}.csv"


def claimed(paper):
    """The experiments, in all their readings, that a paper's claims speak of."""
    paper = PAPERS[paper]
    bases = dict.fromkeys(base for claim in paper.claims for base in claim.experiments)
    return [experiment for base in bases for experiment in paper.readings_of(base)]


rule judge:
    input:
        lambda wildcards: [file for e in claimed(wildcards.paper) for it in specs_of(e) for file in it["traces"]],
    output:
        report(
            f"{RESULTS}/claims/{{paper}}.csv",
            caption="../report/claims.rst",
            category="{paper}",
            labels={"panel": "all", "reading": "both", "shows": "the verdicts on all claims"},
        ),
        f"{RESULTS}/claims/{{paper}}.csv.sha256",
    params:
        claims=lambda wildcards: PAPERS[wildcards.paper].claims,
        experiments=lambda wildcards: claimed(wildcards.paper),
        policies=lambda wildcards: {e.id: specs_of(e) for e in claimed(wildcards.paper)},
        seed=config["seed"],
        code=lambda wildcards: fingerprint(
            "claims",
            "traces",
            "tables",
            *{algorithms.module_name(s.algorithm) for e in claimed(wildcards.paper) for s in e.series.values()},
        ),
    log:
        f"{RESULTS}/logs/judge/{{paper}}.log",
    message:
        "judge the claims of {wildcards.paper}"
    script:
        "../scripts/judge.py"


rule claims:
    input:
        [claims_of(paper) for paper in PAPERS],
    message:
        "all claims are judged"
