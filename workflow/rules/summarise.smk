# Every run of an experiment -> one tidy table, a row for each (policy, t).

from dpbandits.provenance import fingerprint


def experiment_of(wildcards):
    return PAPERS[wildcards.paper].experiments[wildcards.experiment]


def runs_of_experiment(experiment):
    """The traces of an experiment: which simulation they are of, their files, and which of their series are the experiment's."""
    wanted = {}
    for policy in experiment.policies:
        batch = BATCH_OF[experiment.paper, policy.home, policy.id]
        wanted.setdefault(batch, []).extend(series.id for series in policy.series)
    return [
        {"spec": BATCHES[batch][1].spec, "files": traces_of(batch), "series": series} for batch, series in wanted.items()
    ]


def files_of(experiments):
    """The files of all traces of these experiments, each once."""
    return list(dict.fromkeys(file for e in experiments for part in runs_of_experiment(e) for file in part["files"]))


def summaries_of(paper):
    """Every summary of a paper. They are targets of their own: a deleted one is made again even if its figure is there."""
    return [f"{RESULTS}/summaries/{paper}/{experiment}.csv" for experiment in PAPERS[paper].experiments]


rule summarise:
    input:
        lambda wildcards: files_of([experiment_of(wildcards)]),
    output:
        f"{RESULTS}/summaries/{{paper}}/{{experiment}}.csv",
        f"{RESULTS}/summaries/{{paper}}/{{experiment}}.csv.sha256",
    params:
        traces=lambda wildcards: runs_of_experiment(experiment_of(wildcards)),
        order=lambda wildcards: list(experiment_of(wildcards).series),
        groups=lambda wildcards: experiment_of(wildcards).design.groups,
        columns=lambda wildcards: list(experiment_of(wildcards).design.columns),
        gmd_scale=lambda wildcards: experiment_of(wildcards).design.gmd_scale,
        quantity=lambda wildcards: experiment_of(wildcards).design.quantity,
        code=fingerprint("estimators", "traces", "tables"),
    log:
        f"{RESULTS}/logs/summarise/{{paper}}/{{experiment}}.log",
    message:
        "summarise {wildcards.paper} {wildcards.experiment}"
    script:
        "../scripts/summarise.py"
