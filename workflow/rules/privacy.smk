# The promises and ledgers of policies, audits on inputs that differ in one reward, and the tables
# that papers prove.


rule account:
    input:
        replays=outputs("study == '{study}' and kind in ['replay', 'guest']"),
    output:
        "<results>/accounts/{study}.csv",
    log:
        "<logs>/account/{study}.log",
    localrule: True
    params:
        job=job("dpbandits.audit.accounts.table", jobs.promises),
    message:
        "account for the privacy of {wildcards.study}"
    script:
        "../scripts/call.py"


# Play neighbouring inputs with the same releases, in plain Python.
rule replay:
    output:
        "<results>/replays/{study}.csv",
    log:
        "<logs>/replay/{study}.log",
    localrule: True
    params:
        job=job("replay.py", jobs.replays),
    message:
        "replay the policies of {wildcards.study}"
    script:
        "../scripts/replay.py"


# Replay a guest, as in all studies. Its simulations wait for this, so a mistake costs seconds.
rule replay_guest:
    output:
        "<results>/replays/guests/{policy}.csv",
    log:
        "<logs>/replay_guest/{policy}.log",
    localrule: True
    params:
        job=job("replay.py", jobs.guest),
    message:
        "replay {wildcards.policy}"
    script:
        "../scripts/replay.py"


# Audit a share of a study's mechanisms, which takes up to a minute.
rule audit_part:
    output:
        "<results>/audits/{study}/{share}.csv",
    log:
        "<logs>/audit_part/{study}/{share}.log",
    wildcard_constraints:
        share=one_of([*SHARES, GUESTS]),
    params:
        job=job("dpbandits.audit.lower_bounds.part", jobs.audit),
    message:
        "audit {wildcards.study}: share {wildcards.share}"
    script:
        "../scripts/call.py"


rule audit_study:
    input:
        parts=outputs("study == '{study}' and kind == 'share'"),
        guests=outputs("study == '{study}' and kind == 'guest share'"),
        replays=outputs("study == '{study}' and kind in ['replay', 'guest']"),
    output:
        "<results>/audits/{study}.csv",
    log:
        "<logs>/audit_study/{study}.log",
    localrule: True
    params:
        job=job("audit_study.py", jobs.promises),
    message:
        "join the audits of {wildcards.study}"
    script:
        "../scripts/audit_study.py"


theorems = lookup(query="kind == 'theorem'", within=OUTPUTS, cols="name")


# A table that a paper proves, such as azize2022's Table 1.
rule theory_table:
    output:
        "<results>/tables/{paper}/{table}.csv",
    log:
        "<logs>/theory_table/{paper}/{table}.log",
    wildcard_constraints:
        table=one_of({Path(name).name for name in theorems}),
    localrule: True
    params:
        job=job("dpbandits.theory.{paper}.{table}", jobs.theorem),
    message:
        "compute {wildcards.table} of {wildcards.paper}"
    script:
        "../scripts/call.py"
