# Runs and their statistics.


# Yahoo!'s news log R6A, if you have it (config.yaml, r6a: <folder>). One pass over its files writes
# compact records for mishra2015's fig2 and s-setting-*, which otherwise play synthetic logs.
# `report` is for people.
rule read_log:
    input:
        days=local([str(day) for day in PLAN.log_days]),
    output:
        tables="<results>/news/tables.npz",
        events="<results>/news/events.bin",
        report="<results>/news/report.json",
    log:
        "<logs>/read_log.log",
    localrule: True
    params:
        job=job("read_log.py"),
    message:
        "index the R6A log"
    script:
        "../scripts/read_log.py"


# The expensive rule. A job plays some runs of a batch in one experiment. A batch is one policy, or
# several policies that play few rounds. Its name is that of its policy, or together-<n>. In the
# printed plan `policies` is this name, and `plays` lists the policies. Traces stay: no job deletes
# them.
rule simulate:
    input:
        log=branch(plays_log, then=[rules.read_log.output.tables, rules.read_log.output.events]),
        guest=branch(is_guest, then="<results>/replays/guests/{policies}.csv"),
    output:
        "<results>/traces/{study}/{experiment}/{policies}/{first}-{last}.npz",
    log:
        "<logs>/simulate/{study}/{experiment}/{policies}/{first}-{last}.log",
    params:
        job=job("simulate.py", jobs.simulation),
    message:
        "simulate {wildcards.study} {wildcards.experiment}: {wildcards.policies}, "
        "runs {wildcards.first} to {wildcards.last}"
    script:
        "../scripts/simulate.py"


# Mean, median of means, Gini's mean differences, ... over the runs, at every checkpoint.
rule summarise:
    input:
        traces=traces(of_experiment),
    output:
        "<results>/summaries/{paper}/{experiment}.csv",
    log:
        "<logs>/summarise/{paper}/{experiment}.log",
    localrule: True
    params:
        job=job("dpbandits.statistics.summaries.table", jobs.summary),
    message:
        "summarise {wildcards.paper} {wildcards.experiment}"
    script:
        "../scripts/call.py"
