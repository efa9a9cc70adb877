# What every policy promises about privacy, and what the ledger adds up: no runs, the algorithms alone.

from dpbandits import algorithms, environments


def accounts_of(paper):
    return f"{RESULTS}/accounts/{paper}.csv"


rule account:
    output:
        report(
            f"{RESULTS}/accounts/{{paper}}.csv",
            caption="../report/accounts.rst",
            category="{paper}",
            labels={"panel": "all", "reading": "both", "shows": "privacy promised and spent"},
        ),
        f"{RESULTS}/accounts/{{paper}}.csv.sha256",
    params:
        # In a list: Snakemake compares plain values and containers, and passes over any other object at top level.
        experiments=lambda wildcards: list(PAPERS[wildcards.paper].experiments.values()),
        code=lambda wildcards: fingerprint(
            "accounts",
            "tables",
            *{environments.module_name(e.environment["kind"]) for e in PAPERS[wildcards.paper].experiments.values()},
            *{algorithms.module_name(s.algorithm) for e in PAPERS[wildcards.paper].experiments.values() for s in e.series.values()},
        ),
    log:
        f"{RESULTS}/logs/account/{{paper}}.log",
    message:
        "account for the privacy of {wildcards.paper}"
    script:
        "../scripts/account.py"
