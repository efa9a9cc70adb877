# The only expensive rule: a block of runs of a batch of policies in one experiment.


rule simulate:
    input:
        lambda wildcards: PLAN.read_by(wildcards.simulation),
    output:
        FILES.trace,
    log:
        FILES.log_of_trace,
    wildcard_constraints:
        simulation=one_of(PLAN.submitted),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        runtime=lambda wildcards: costs.minutes_to_ask_for(spec_of(wildcards), number_of_runs(wildcards)),
        mem_mb=lambda wildcards: costs.megabytes_to_ask_for(spec_of(wildcards), number_of_runs(wildcards)),
    params:
        spec=spec_of,
        code=lambda wildcards: code_of_runs(spec_of(wildcards)) + PLAN.without_compilation(wildcards.simulation),
    message:
        "simulate {params.spec[paper]} {params.spec[experiment]}: {params.spec[policy]}, runs {wildcards.first} to {wildcards.last}"
    script:
        "../scripts/simulate.py"


# The same jobs, if submitting one would take longer than running it: they run on the machine where Snakemake runs.
use rule simulate as simulate_here with:
    wildcard_constraints:
        simulation=one_of(PLAN.batches.keys() - PLAN.submitted),
    localrule: True
