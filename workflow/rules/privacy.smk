# What policies promise and spend, bounds that audits measure on inputs that differ in one reward,
# and what papers prove.


rule account:
    input:
        replays=replays_of,
    output:
        "<results>/accounts/{study}.csv",
    log:
        "<logs>/account/{study}.log",
    localrule: True
    params:
        digest=digest("account", jobs.promises),
        job=arguments(jobs.promises),
    message:
        "account for the privacy of {wildcards.study}"
    script:
        "../scripts/account.py"


# Play neighbouring inputs with the same releases, in plain Python.
rule replay:
    output:
        "<results>/replays/{study}.csv",
    log:
        "<logs>/replay/{study}.log",
    localrule: True
    params:
        digest=digest("replay", jobs.replays),
        job=arguments(jobs.replays),
    message:
        "replay the policies of {wildcards.study}"
    script:
        "../scripts/replay.py"


# Check that a guest notes the pulls that it makes, then replay it.
rule replay_guest:
    output:
        "<results>/replays/guests/{policy}.csv",
    log:
        "<logs>/replay_guest/{policy}.log",
    localrule: True
    params:
        digest=digest("replay_guest", jobs.policy),
        job=arguments(jobs.policy),
    message:
        "check the counts of {wildcards.policy}, and replay it"
    script:
        "../scripts/replay_guest.py"


# Audit a share of a study's policies, which takes up to a minute.
rule audit_part:
    output:
        "<results>/audits/{study}/{share}.csv",
    log:
        "<logs>/audit_part/{study}/{share}.log",
    wildcard_constraints:
        share=one_of([*jobs.SHARES, jobs.GUESTS]),
    params:
        digest=digest("audit_part", jobs.audit),
        job=arguments(jobs.audit),
    message:
        "audit {wildcards.study}: share {wildcards.share}"
    script:
        "../scripts/audit_part.py"


rule audit_study:
    input:
        parts=expand("<results>/audits/{{study}}/{share}.csv", share=jobs.SHARES),
        guests=branch(has_guests, then=[f"<results>/audits/{{study}}/{jobs.GUESTS}.csv"]),
        replays=replays_of,
    output:
        "<results>/audits/{study}.csv",
    log:
        "<logs>/audit_study/{study}.log",
    localrule: True
    params:
        digest=digest("audit_study", jobs.promises),
        job=arguments(jobs.promises),
    message:
        "join the audits of {wildcards.study}"
    script:
        "../scripts/audit_study.py"


# A table that a paper proves, such as azize2022's Table 1.
rule theory_table:
    output:
        "<results>/tables/{paper}/{table}.csv",
    log:
        "<logs>/theory_table/{paper}/{table}.log",
    wildcard_constraints:
        table=one_of({table for names in theory.TABLES.values() for table in names}),
    localrule: True
    params:
        digest=digest("theory_table", jobs.theory_table),
        job=arguments(jobs.theory_table),
    message:
        "compute {wildcards.table} of {wildcards.paper}"
    script:
        "../scripts/theory_table.py"
