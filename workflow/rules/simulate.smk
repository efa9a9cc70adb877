# The only expensive rule: a block of runs of one policy in one experiment. A sweep's series share the job.

from dpbandits import costs, simulation

# "<paper>/<experiment>/<policy>" -> the experiment and the policy; one that is the same in both readings is here once.
SIMULATED = {
    f"{experiment.paper}/{experiment.id}/{policy.id}": (experiment, policy.id)
    for paper in PAPERS.values()
    for experiment in paper.experiments.values()
    for policy in experiment.policies
    if policy.home == experiment.id
}


def blocks(experiment, policy):
    """The first and last run of every block."""
    runs, size = experiment.design.runs, config["block"]
    if size == "auto":
        size = experiment.design.block
    elif isinstance(size, dict):
        size = costs.runs_in(size["minutes"], experiment.spec(policy, config["seed"]))
    return [(first, min(first + size, runs) - 1) for first in range(0, runs, size)]


def traces(experiment, policy):
    """The files of a policy's runs."""
    home = experiment.policy(policy).home
    folder = f"{RESULTS}/traces/{experiment.paper}/{home}/{policy}"
    return [f"{folder}/{first}-{last}.npz" for first, last in blocks(experiment, policy)]


def spec_of(wildcards):
    experiment, policy = SIMULATED[wildcards.simulation]
    return experiment.spec(policy, config["seed"])


def runs_of(wildcards):
    return int(wildcards.last) - int(wildcards.first) + 1


def worth_submitting(experiment, policy):
    """Whether a policy's jobs, all of one size but for the last, are sent to the cluster, if there is one."""
    first, last = blocks(experiment, policy)[0]
    return costs.seconds(experiment.spec(policy, config["seed"]), last - first + 1) >= config["submit_above"]


SUBMITTED = {name for name, what in SIMULATED.items() if worth_submitting(*what)}


rule simulate:
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
        simulation=one_of(SIMULATED.keys() - SUBMITTED),
