# The only expensive rule: a block of runs of a batch of policies in one experiment.


rule simulate:
    input:
        records_of,
    output:
        f"{RESULTS}/traces/{{simulation}}/{{first}}-{{last}}.npz",
    log:
        f"{RESULTS}/logs/simulate/{{simulation}}/{{first}}-{{last}}.log",
    wildcard_constraints:
        simulation=one_of(SUBMITTED),
    conda:
        ENVIRONMENT
    threads: 1
    resources:
        runtime=lambda wildcards: costs.minutes_to_ask_for(spec_of(wildcards), runs_of(wildcards)),
        mem_mb=lambda wildcards: costs.megabytes_to_ask_for(spec_of(wildcards), runs_of(wildcards)),
    params:
        spec=spec_of,
        code=lambda wildcards: simulation.code_of(spec_of(wildcards)),
    message:
        "simulate {params.spec[paper]} {params.spec[experiment]}: {params.spec[policy]}, runs {wildcards.first} to {wildcards.last}"
    script:
        "../scripts/simulate.py"


# The same jobs, if submitting one would take longer than running it: they run on the machine where Snakemake runs.
use rule simulate as simulate_here with:
    wildcard_constraints:
        simulation=one_of(BATCHES.keys() - SUBMITTED),
    localrule: True
