# The tables of a paper, computed from its theorems alone.


rule tabulate:
    output:
        FILES.table,
        f"{FILES.table}.sha256",
    log:
        f"{RESULTS}/logs/tabulate/{{paper}}/{{table}}.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        code=lambda wildcards: code_of("tables"),
    message:
        "tabulate {wildcards.paper} {wildcards.table}"
    script:
        "../scripts/tabulate.py"
