# A check is a number that can contradict what a paper claims. The answer to a claim follows from
# the verdicts of its checks, in each reading: as published, and as corrected.


rule check:
    input:
        traces=traces_of(jobs.checks),
        audits=audits_of(jobs.checks, "{paper}"),
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


# One check or one claim: snakemake --cores 2 checks/azize2022/D4, or claims/azize2022/S3. It is
# printed each time. Only batches with a series that it measures are simulated.
for kind, paper, name in single_answers():
    answer = partial(jobs.answer, kind=kind, paper=paper, id=name)

    rule:
        name:
            f"{kind}/{paper}/{name}"
        input:
            traces=traces_of(answer),
            audits=audits_of(answer, paper),
        log:
            f"<logs>/answer_one/{kind}/{paper}/{name}.log",
        localrule: True
        params:
            job=arguments(answer),
        message:
            f"answer {kind}/{paper}/{name}"
        script:
            "../scripts/answer_one.py"
