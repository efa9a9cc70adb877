# The tables of a paper that are computed from its theorems alone.

from dpbandits import theory


def tables_of(paper):
    return [f"{RESULTS}/tables/{paper}/{table}.csv" for table in theory.TABLES.get(paper, {})]


rule tabulate:
    output:
        f"{RESULTS}/tables/{{paper}}/{{table}}.csv",
        f"{RESULTS}/tables/{{paper}}/{{table}}.csv.sha256",
    params:
        code=fingerprint("theory", "tables"),
    log:
        f"{RESULTS}/logs/tabulate/{{paper}}/{{table}}.log",
    message:
        "tabulate {wildcards.paper} {wildcards.table}"
    script:
        "../scripts/tabulate.py"
