# Yahoo!'s news log R6A, for those who have it (config.yaml, r6a: <folder>). One pass over the files writes compact
# records, on which every policy is played. To try this without the log, write our synthetic log in the same format:
#
#   snakemake --cores 2 --config scale=smoke -- synthetic_log
#   snakemake --cores 2 --config scale=smoke r6a=results/smoke/synthetic-r6a -- mishra2015


rule read_log:
    input:
        [str(file) for file in PLAN.log_of_news],
    output:
        FILES.records,
    log:
        f"{RESULTS}/logs/read_log.log",
    conda:
        ENVIRONMENT
    params:
        code=lambda wildcards: code_of("records of R6A"),
    message:
        "read the news log, {input[0]} and so on"
    script:
        "../scripts/read_log.py"


# All events of the log of the first run of mishra2015's Figure 2.
rule write_log:
    output:
        directory(f"{RESULTS}/synthetic-r6a"),
    log:
        f"{RESULTS}/logs/write_log.log",
    conda:
        ENVIRONMENT
    params:
        spec=lambda wildcards: PLAN.studies["mishra2015"].experiments["fig2"].spec("lin-ucb", config["seed"]),
        code=lambda wildcards: code_of("synthetic log"),
    message:
        "write a synthetic log in the format of R6A"
    script:
        "../scripts/write_log.py"


rule synthetic_log:
    input:
        f"{RESULTS}/synthetic-r6a",
    localrule: True
    message:
        "a synthetic log in the format of R6A is in {input}"
