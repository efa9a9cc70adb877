# A check is a number that can contradict what a paper claims. The answer to a claim follows from
# the verdicts of its checks, in each reading: as published, and as corrected.


rule check:
    input:
        traces=traces_of(jobs.checks),
        audits=audits_of(jobs.checks),
    output:
        "<results>/checks/{paper}.csv",
    log:
        "<logs>/check/{paper}.log",
    localrule: True
    params:
        digest=digest("check", jobs.checks),
        job=arguments(jobs.checks),
    message:
        "check {wildcards.paper}"
    script:
        "../scripts/check.py"


rule claims:
    input:
        checks=expand("<results>/checks/{paper}.csv", paper=PLAN.papers),
    output:
        "<results>/claims.csv",
    log:
        "<logs>/claims.log",
    localrule: True
    params:
        digest=digest("claims", jobs.claims),
        job=arguments(jobs.claims),
    message:
        "answer the claims of all papers"
    script:
        "../scripts/claims.py"


# One check or one claim, printed and written: snakemake --cores 2 checks/azize2022/D4, or
# claims/azize2022/S3, runs only what that check, or the checks of that claim, need.
rule answer_one:
    input:
        traces=traces_of(jobs.answer),
        audits=audits_of(jobs.answer),
    output:
        "<top>{kind}/{paper}/{id}",
    log:
        "<logs>/answer_one/{kind}/{paper}/{id}.log",
    wildcard_constraints:
        kind="claims|checks",
        id="[A-Z][0-9a-z-]+",
    localrule: True
    params:
        digest=digest("answer_one", jobs.answer),
        job=arguments(jobs.answer),
    message:
        "answer {wildcards.kind}/{wildcards.paper}/{wildcards.id}"
    script:
        "../scripts/answer_one.py"
