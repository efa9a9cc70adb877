# All runs of an experiment -> one tidy table with one row per (policy, t).


rule summarise:
    input:
        lambda wildcards: PLAN.traces_behind([experiment_of(wildcards)]),
    output:
        FILES.summary,
        f"{FILES.summary}.sha256",
    log:
        f"{RESULTS}/logs/summarise/{{paper}}/{{experiment}}.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        traces=lambda wildcards: PLAN.runs_of(experiment_of(wildcards)),
        order=lambda wildcards: list(experiment_of(wildcards).series),
        groups=lambda wildcards: experiment_of(wildcards).design.groups,
        columns=lambda wildcards: list(experiment_of(wildcards).design.columns),
        quantity=lambda wildcards: experiment_of(wildcards).design.quantity,
        runs_of_paper=lambda wildcards: experiment_of(wildcards).design.runs_of_paper,
        code=lambda wildcards: code_of("summary"),
    message:
        "summarise {wildcards.paper} {wildcards.experiment}"
    script:
        "../scripts/summarise.py"
