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
    conda:
        ENVIRONMENT
    params:
        claims=lambda wildcards: PAPERS[wildcards.paper].claims,
        experiments=lambda wildcards: claimed(wildcards.paper),
        traces=lambda wildcards: {e.id: runs_of_experiment(e) for e in claimed(wildcards.paper)},
        figures=lambda wildcards: drawn_in(wildcards.paper),
        seed=config["seed"],
        code=lambda wildcards: code_of_claims(claimed(wildcards.paper)),
    message:
        "judge the claims of {wildcards.paper}"
    script:
        "../scripts/judge.py"


# One claim, printed and written: snakemake --cores 2 claims/azize2022/D4 runs only what that claim needs.
rule judge_one:
    input:
        lambda wildcards: files_of(CLAIMS[wildcards.claim][1]),
    output:
        f"{VERDICTS}/{{claim}}",
    log:
        f"{RESULTS}/logs/judge/{{claim}}.log",
    wildcard_constraints:
        claim=one_of(CLAIMS),
    localrule: True
    conda:
        ENVIRONMENT
    params:
        # In a list: at top level Snakemake compares only plain values and containers between runs.
        claims=lambda wildcards: [CLAIMS[wildcards.claim][0]],
        experiments=lambda wildcards: CLAIMS[wildcards.claim][1],
        traces=lambda wildcards: {e.id: runs_of_experiment(e) for e in CLAIMS[wildcards.claim][1]},
        seed=config["seed"],
        code=lambda wildcards: code_of_claims(CLAIMS[wildcards.claim][1]),
    message:
        "judge {wildcards.claim}"
    script:
        "../scripts/judge_one.py"


rule claims:
    input:
        [claims_of(paper) for paper in PAPERS],
    localrule: True
    message:
        "all claims are judged"


# <paper>/claims, for each file in config/papers.
for paper in PAPERS:

    rule:
        name:
            f"{paper}/claims"
        input:
            claims_of(paper),
        localrule: True
        message:
            f"the claims of {paper} are judged"
