# The epsilon that every policy promises, and the one that the ledger adds up: from the algorithms alone, without runs.


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
    conda:
        ENVIRONMENT
    params:
        # In a list: at top level Snakemake compares only plain values and containers between runs.
        experiments=lambda wildcards: list(PAPERS[wildcards.paper].experiments.values()),
        code=lambda wildcards: code_of_accounts(PAPERS[wildcards.paper]),
    message:
        "account for the privacy of {wildcards.paper}"
    script:
        "../scripts/account.py"
