# The only expensive rule: a chunk of runs of a batch of policies in one experiment. All other rules call functions as this one does.


rule simulate:
    input:
        lambda wildcards: CALLS[wildcards.made].files,
    output:
        f"{RESULTS}/traces/{{made}}.npz",
    log:
        f"{LOG}/{{made}}.log",
    wildcard_constraints:
        made=one_of(SUBMITTED),
    threads: 1
    resources:  # on a cluster; what is not enough is doubled when the job is tried again
        runtime=lambda wildcards, attempt: 30 * 2 ** (attempt - 1),
        mem_mb=lambda wildcards, attempt: 1000 * 2 ** (attempt - 1),
    params:
        # In a dict: at top level Snakemake compares only plain values and containers between runs.
        job=lambda wildcards: CALLS[wildcards.made].job,
    message:
        "simulate {params.job[given][spec][paper]} {params.job[given][spec][experiment]}: {params.job[given][spec][policy]}, "
        "runs {params.job[given][first]} to {params.job[given][last]}"
    script:
        "../scripts/call.py"


# The same, where submitting a job to a cluster would take longer than running it.
use rule simulate as simulate_here with:
    wildcard_constraints:
        made=one_of(PLAN.traces.keys() - SUBMITTED),


# Yahoo!'s news log R6A, for those who have it (config.yaml, r6a: <folder>): one pass over its files writes compact records.
use rule simulate as read_log with:
    input:
        PLAN.log_of_news,
    output:
        PLAN.records.values(),
    log:
        f"{LOG}/read_log.log",
    params:
        job=lambda wildcards: PLAN.others["records"].job,
    message:
        "read the news log, {input[0]} and so on"
