# The only expensive rule: a chunk of runs of a batch of policies in one experiment.


rule simulate:
    input:
        lambda wildcards: PLAN.read_by(wildcards.simulation),
    output:
        f"{RESULTS}/traces/{{simulation}}/{{first}}-{{last}}.npz",
    log:
        f"{LOG}/simulate/{{simulation}}/{{first}}-{{last}}.log",
    wildcard_constraints:
        simulation=one_of(PLAN.submitted),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        runtime=minutes,
        mem_mb=megabytes,
    params:
        spec=lambda wildcards: PLAN.batches[wildcards.simulation].spec,
        code=lambda wildcards: PLAN.code_of_runs(wildcards.simulation),
    message:
        "simulate {params.spec[paper]} {params.spec[experiment]}: {params.spec[policy]}, runs {wildcards.first} to {wildcards.last}"
    script:
        "../scripts/simulate.py"


# The same, where submitting a job to a cluster would take longer than running it.
use rule simulate as simulate_here with:
    wildcard_constraints:
        simulation=one_of(PLAN.batches.keys() - PLAN.submitted),


# Yahoo!'s news log R6A, for those who have it (config.yaml, r6a: <folder>): one pass over its files writes compact records.
rule read_log:
    input:
        [str(file) for file in PLAN.log_of_news],
    output:
        PLAN.records,
    log:
        f"{LOG}/read_log.log",
    conda:
        ENVIRONMENT
    params:
        code=lambda wildcards: fingerprint("dpbandits.environments.logs._r6a"),
    message:
        "read the news log, {input[0]} and so on"
    script:
        "../scripts/read_log.py"
