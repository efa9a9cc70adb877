# What every policy promises about privacy, and what the ledger adds up: no runs, the algorithms alone.


rule account:
    output:
        report(
            f"{RESULTS}/accounts/{{paper}}.csv",
            caption="../report/accounts.rst",
            category="{paper}",
            labels={"panel": "all", "reading": "both", "shows": "privacy promised and spent"},
        ),
        f"{RESULTS}/accounts/{{paper}}.csv.sha256",
    log:
        f"{RESULTS}/logs/account/{{paper}}.log",
    localrule: True
    params:
        # In a list: Snakemake compares plain values and containers, and passes over any other object at top level.
        experiments=lambda wildcards: list(PAPERS[wildcards.paper].experiments.values()),
        code=lambda wildcards: code_of_accounts(PAPERS[wildcards.paper]),
    message:
        "account for the privacy of {wildcards.paper}"
    script:
        "../scripts/account.py"
