# The runs of a paper -> a verdict on every claim. Runs, not summaries, since a standard error must respect the
# dependence between the rounds of a run.


rule judge:
    input:
        lambda wildcards: PLAN.traces_behind(judged(wildcards)[1]),
        audits=lambda wildcards: PLAN.audits_behind(study_judged(wildcards).id, judged(wildcards)[0]),
    output:
        report(
            FILES.claims,
            caption="../report/claims.rst",
            category="{paper}",
            labels={"panel": "all", "reading": "both", "shows": "the verdicts on all claims"},
        ),
        f"{FILES.claims}.sha256",
    log:
        f"{RESULTS}/logs/judge/{{paper}}.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        claims=lambda wildcards: judged(wildcards)[0],
        experiments=lambda wildcards: judged(wildcards)[1],
        traces=lambda wildcards: PLAN.runs_by_experiment(judged(wildcards)[1]),
        arena=lambda wildcards: {"arena": study_judged(wildcards).arena},
        figures=lambda wildcards: drawn_in(study_judged(wildcards)),
        seed=config["seed"],
        code=lambda wildcards: code_of("claims", judged(wildcards)[1]),
    message:
        "judge the claims of {wildcards.paper}"
    script:
        "../scripts/judge.py"


# One claim, printed and written: snakemake --cores 2 claims/azize2022/D4 runs only what that claim needs.
use rule judge as judge_one with:
    output:
        FILES.claim,
    log:
        f"{RESULTS}/logs/judge/{{claim}}.log",
    wildcard_constraints:
        claim=one_of(PLAN.claims),
    message:
        "judge {wildcards.claim}"


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
