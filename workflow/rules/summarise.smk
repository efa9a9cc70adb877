# Every run of an experiment -> one tidy table, a row for each (policy, t).

from dpbandits.provenance import fingerprint


def experiment_of(wildcards):
    return PAPERS[wildcards.paper].experiments[wildcards.experiment]


def specs_of(experiment):
    """What each policy's traces must be, and which files they are."""
    return [
        {"spec": experiment.spec(policy.id, config["seed"]), "traces": traces(experiment, policy.id)}
        for policy in experiment.policies
    ]


def summaries_of(paper):
    """Every summary of a paper. They are targets of their own: a deleted one is made again even if its figure is there."""
    return [f"{RESULTS}/summaries/{paper}/{experiment}.csv" for experiment in PAPERS[paper].experiments]


rule summarise:
    input:
        lambda wildcards: [file for it in specs_of(experiment_of(wildcards)) for file in it["traces"]],
    output:
        f"{RESULTS}/summaries/{{paper}}/{{experiment}}.csv",
        f"{RESULTS}/summaries/{{paper}}/{{experiment}}.csv.sha256",
    params:
        policies=lambda wildcards: specs_of(experiment_of(wildcards)),
        groups=lambda wildcards: experiment_of(wildcards).design.groups,
        gmd_scale=lambda wildcards: experiment_of(wildcards).design.gmd_scale,
        code=fingerprint("estimators", "traces", "tables"),
    log:
        f"{RESULTS}/logs/summarise/{{paper}}/{{experiment}}.log",
    message:
        "summarise {wildcards.paper} {wildcards.experiment}"
    script:
        "../scripts/summarise.py"
