# Yahoo!'s news log R6A, for those who have it (config.yaml, r6a: <folder>). One pass over the files writes compact
# records, on which every policy is played.


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
