# The only expensive rule: a block of runs of a batch of policies in one experiment.

from dpbandits import batches, costs, simulation

# "<paper>/<experiment>/<batch>" -> the experiment and the batch; a policy that is the same in both readings is here once.
BATCHES = {
    f"{paper.id}/{experiment.id}/{batch.id}": (experiment, batch)
    for paper in PAPERS.values()
    for experiment in paper.experiments.values()
    for batch in batches.batches(experiment, config["seed"], apart=config["guests"])
}
BATCH_OF = {
    (experiment.paper, experiment.id, policy): name for name, (experiment, batch) in BATCHES.items() for policy in batch.policies
}


def blocks(name):
    """The first and last run of every block of a batch."""
    experiment, batch = BATCHES[name]
    runs, size = experiment.design.runs, config["block"]
    if size == "auto":
        size = experiment.design.block
    elif isinstance(size, dict):
        size = costs.runs_in(size["minutes"], batch.spec)
    return [(first, min(first + size, runs) - 1) for first in range(0, runs, size)]


def traces_of(name):
    """The files of a batch's runs."""
    return [f"{RESULTS}/traces/{name}/{first}-{last}.npz" for first, last in blocks(name)]


def spec_of(wildcards):
    return BATCHES[wildcards.simulation][1].spec


def runs_of(wildcards):
    return int(wildcards.last) - int(wildcards.first) + 1


def worth_submitting(name):
    """Whether a batch's jobs, all of one size but for the last, are sent to the cluster, if there is one."""
    if not config["submit_above"]:
        return True
    first, last = blocks(name)[0]
    return costs.seconds(BATCHES[name][1].spec, last - first + 1) >= config["submit_above"]


SUBMITTED = {name for name in BATCHES if worth_submitting(name)}


rule simulate:
    input:
        lambda wildcards: recorded(spec_of(wildcards)["environment"]),
    output:
        f"{RESULTS}/traces/{{simulation}}/{{first}}-{{last}}.npz",
    wildcard_constraints:
        simulation=one_of(SUBMITTED),
    params:
        spec=spec_of,
        code=lambda wildcards: simulation.code_of(spec_of(wildcards)),
    resources:
        runtime=lambda wildcards: costs.minutes_to_ask_for(spec_of(wildcards), runs_of(wildcards)),
        mem_mb=lambda wildcards: costs.megabytes_to_ask_for(spec_of(wildcards), runs_of(wildcards)),
    log:
        f"{RESULTS}/logs/simulate/{{simulation}}/{{first}}-{{last}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/simulate/{{simulation}}/{{first}}-{{last}}.tsv"
    threads: 1
    message:
        "simulate {params.spec[paper]} {params.spec[experiment]}: {params.spec[policy]}, runs {wildcards.first} to {wildcards.last}"
    script:
        "../scripts/simulate.py"


# The same jobs where submitting one would take longer than doing it: they run where Snakemake runs.
use rule simulate as simulate_here with:
    wildcard_constraints:
        simulation=one_of(BATCHES.keys() - SUBMITTED),
