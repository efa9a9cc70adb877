# The tables of a paper, computed from its theorems alone.


rule tabulate:
    output:
        f"{RESULTS}/tables/{{paper}}/{{table}}.csv",
        f"{RESULTS}/tables/{{paper}}/{{table}}.csv.sha256",
    log:
        f"{RESULTS}/logs/tabulate/{{paper}}/{{table}}.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        code=code_of("theory", "files.tables"),
    message:
        "tabulate {wildcards.paper} {wildcards.table}"
    script:
        "../scripts/tabulate.py"
