# The runs of a paper -> a verdict on every claim -> one on every sentence. Runs, not summaries, since a standard error must
# respect the dependence between the rounds of a run.


rule judge:
    input:
        lambda wildcards: PLAN.traces_behind(judged(wildcards)[2]),
        audits=lambda wildcards: PLAN.audits_behind(judged(wildcards)[0].id, judged(wildcards)[1]),
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
        claims=lambda wildcards: judged(wildcards)[1],
        experiments=lambda wildcards: judged(wildcards)[2],
        traces=lambda wildcards: PLAN.runs_by_experiment(judged(wildcards)[2]),
        arena=lambda wildcards: {"arena": judged(wildcards)[0].arena},
        figures=lambda wildcards: drawn_in(judged(wildcards)[0]),
        sentences=lambda wildcards: [(sentence, judged(wildcards)[0]) for sentence in judged(wildcards)[3]],
        seed=config["seed"],
        code=lambda wildcards: code_of("claims", judged(wildcards)[2]),
    message:
        "judge the claims of {wildcards.paper}"
    script:
        "../scripts/judge.py"


# One claim or one sentence, printed and written: snakemake --cores 2 claims/azize2022/D4, or sentences/azize2022/S3, runs
# only what that claim, or the claims of that sentence, need.
use rule judge as judge_one with:
    output:
        FILES.asked,
    log:
        f"{RESULTS}/logs/judge/{{asked}}.log",
    wildcard_constraints:
        asked=one_of(PLAN.asked),
    message:
        "judge {wildcards.asked}"


rule sentences:
    input:
        [FILES.claims.format(paper=paper) for paper in PLAN.papers],
    output:
        report(
            FILES.sentences,
            caption="../report/sentences.rst",
            category="all",
            labels={"panel": "all", "reading": "both", "shows": "the verdicts on all sentences"},
        ),
        f"{FILES.sentences}.sha256",
    log:
        f"{RESULTS}/logs/sentences.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        papers=PLAN.papers,
        code=lambda wildcards: code_of("sentences"),
    message:
        "judge the sentences of all papers"
    script:
        "../scripts/sentences.py"


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
