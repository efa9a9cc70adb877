# A check is a number that can contradict what a paper claims. The answer to a claim follows from
# the verdicts of its checks, in each reading: as published, and as corrected.


rule check:
    input:
        traces=simulations("study == '{paper}' and checks != ''"),
        audits=branch(judges_promises, then="<results>/audits/{paper}.csv"),
    output:
        "<results>/checks/{paper}.csv",
    log:
        "<logs>/check/{paper}.log",
    localrule: True
    params:
        job=job("dpbandits.checks.judging.table", jobs.checks),
    message:
        "check {wildcards.paper}"
    script:
        "../scripts/call.py"


rule claims:
    input:
        checks=outputs("kind == 'checks'"),
    output:
        "<results>/claims.csv",
    log:
        "<logs>/claims.log",
    localrule: True
    params:
        job=job("dpbandits.checks.answers.table", jobs.claims),
    message:
        "answer the claims of all papers"
    script:
        "../scripts/call.py"


# One check or one claim: snakemake --cores 2 checks/azize2022/D4, or claims/azize2022/S3. It is
# printed each time. Only batches with a series that it measures are simulated.
for target, (paper, claims, ids) in single_answers().items():
    answered = partial(jobs.answer, paper=paper, claims=claims, ids=ids)

    rule:
        name:
            target
        input:
            traces=traces(partial(measured_by, paper=paper, ids=ids)),
            audits=branch(
                partial(judges_promises, paper=paper, ids=ids),
                then=f"<results>/audits/{paper}.csv",
            ),
        log:
            f"<logs>/answer_one/{target}.log",
        localrule: True
        params:
            job=job("answer_one.py", answered),
        message:
            f"answer {target}"
        script:
            "../scripts/answer_one.py"
