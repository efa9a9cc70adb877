# The runs of a paper -> a verdict on every claim. Runs, not summaries, since a standard error must respect the
# dependence between the rounds of a run.


rule judge:
    input:
        lambda wildcards: PLAN.traces_behind(PLAN.claimed(wildcards.paper)),
        audits=lambda wildcards: PLAN.audits_behind(wildcards.paper, PLAN.studies[wildcards.paper].claims),
    output:
        report(
            FILES.claims,
            caption="../report/claims.rst",
            category="{paper}",
            labels={"panel": "all", "reading": "both", "shows": "the verdicts on all claims"},
        ),
        FILES.claims + ".sha256",
    log:
        f"{RESULTS}/logs/judge/{{paper}}.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        claims=lambda wildcards: PLAN.studies[wildcards.paper].claims,
        experiments=lambda wildcards: PLAN.claimed(wildcards.paper),
        traces=lambda wildcards: PLAN.runs_by_experiment(PLAN.claimed(wildcards.paper)),
        arena=arena_of,
        figures=lambda wildcards: drawn_in(PLAN.studies[wildcards.paper]),
        seed=config["seed"],
        code=lambda wildcards: code_of("claims", PLAN.claimed(wildcards.paper)),
    message:
        "judge the claims of {wildcards.paper}"
    script:
        "../scripts/judge.py"


# One claim, printed and written: snakemake --cores 2 claims/azize2022/D4 runs only what that claim needs.
rule judge_one:
    input:
        lambda wildcards: PLAN.traces_behind(PLAN.claims[wildcards.claim][1]),
        audits=lambda wildcards: PLAN.audits_behind(wildcards.claim.split("/")[0], [PLAN.claims[wildcards.claim][0]]),
    output:
        FILES.claim,
    log:
        f"{RESULTS}/logs/judge/{{claim}}.log",
    wildcard_constraints:
        claim=one_of(PLAN.claims),
    localrule: True
    conda:
        ENVIRONMENT
    params:
        # In a list: at top level Snakemake compares only plain values and containers between runs.
        claims=lambda wildcards: [PLAN.claims[wildcards.claim][0]],
        arena=lambda wildcards: {"arena": PLAN.studies[wildcards.claim.split("/")[0]].arena},
        experiments=lambda wildcards: PLAN.claims[wildcards.claim][1],
        traces=lambda wildcards: PLAN.runs_by_experiment(PLAN.claims[wildcards.claim][1]),
        seed=config["seed"],
        code=lambda wildcards: code_of("claims", PLAN.claims[wildcards.claim][1]),
    message:
        "judge {wildcards.claim}"
    script:
        "../scripts/judge_one.py"


rule claims:
    input:
        [FILES.claims.format(paper=paper) for paper in PLAN.studies],
    localrule: True
    message:
        "all claims are judged"


# <study>/claims, for each paper and each arena.
for paper in PLAN.studies:

    rule:
        name:
            f"{paper}/claims"
        input:
            FILES.claims.format(paper=paper),
        localrule: True
        message:
            f"the claims of {paper} are judged"
