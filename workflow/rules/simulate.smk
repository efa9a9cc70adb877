# The only expensive rule: a block of runs of one policy in one experiment. A sweep's series share the job.

from dpbandits import simulation


def blocks(experiment):
    """The first and last run of every block."""
    runs = experiment.design.runs
    size = experiment.design.block if config["block"] == "auto" else config["block"]
    return [(first, min(first + size, runs) - 1) for first in range(0, runs, size)]


def traces(experiment, policy):
    """The files of a policy's runs; a policy that is the same in both readings has one set of them."""
    home = experiment.policy(policy).home
    folder = f"{RESULTS}/traces/{experiment.paper}/{home}/{policy}"
    return [f"{folder}/{first}-{last}.npz" for first, last in blocks(experiment)]


def spec_of(wildcards):
    return PAPERS[wildcards.paper].experiments[wildcards.experiment].spec(wildcards.policy, config["seed"])


rule simulate:
    input:
        lambda wildcards: recorded(spec_of(wildcards)["environment"]),
    output:
        f"{RESULTS}/traces/{{paper}}/{{experiment}}/{{policy}}/{{first}}-{{last}}.npz",
    params:
        spec=spec_of,
        code=lambda wildcards: simulation.code_of(spec_of(wildcards)),
    log:
        f"{RESULTS}/logs/simulate/{{paper}}/{{experiment}}/{{policy}}/{{first}}-{{last}}.log",
    benchmark:
        f"{RESULTS}/benchmarks/simulate/{{paper}}/{{experiment}}/{{policy}}/{{first}}-{{last}}.tsv"
    threads: 1
    message:
        "simulate {wildcards.paper} {wildcards.experiment}: {wildcards.policy}, runs {wildcards.first} to {wildcards.last}"
    script:
        "../scripts/simulate.py"
