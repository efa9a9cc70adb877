# The epsilon that every policy promises, and the one that the ledger adds up: from the algorithms alone, without runs.


rule account:
    output:
        report(
            FILES.accounts,
            caption="../report/accounts.rst",
            category="{paper}",
            labels={"panel": "all", "reading": "both", "shows": "privacy promised and spent"},
        ),
        f"{FILES.accounts}.sha256",
    log:
        f"{RESULTS}/logs/account/{{paper}}.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        experiments=experiments_of,
        code=lambda wildcards: code_of("accounts", experiments_of(wildcards)),
    message:
        "account for the privacy of {wildcards.paper}"
    script:
        "../scripts/account.py"
