# The runs of a paper -> a verdict on every claim. Runs, not summaries, since a standard error must respect the
# dependence between the rounds of a run.


rule judge:
    input:
        lambda wildcards: files_of(claimed(wildcards.paper)),
    output:
        report(
            f"{RESULTS}/claims/{{paper}}.csv",
            caption="../report/claims.rst",
            category="{paper}",
            labels={"panel": "all", "reading": "both", "shows": "the verdicts on all claims"},
        ),
        f"{RESULTS}/claims/{{paper}}.csv.sha256",
    log:
        f"{RESULTS}/logs/judge/{{paper}}.log",
    localrule: True
    params:
        claims=lambda wildcards: PAPERS[wildcards.paper].claims,
        experiments=lambda wildcards: claimed(wildcards.paper),
        traces=lambda wildcards: {e.id: runs_of_experiment(e) for e in claimed(wildcards.paper)},
        figures=lambda wildcards: drawn_in(wildcards.paper),
        seed=config["seed"],
        code=lambda wildcards: code_of_claims(wildcards.paper),
    message:
        "judge the claims of {wildcards.paper}"
    script:
        "../scripts/judge.py"


rule claims:
    input:
        [claims_of(paper) for paper in PAPERS],
    localrule: True
    message:
        "all claims are judged"
