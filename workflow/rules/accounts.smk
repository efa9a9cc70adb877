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


# Not part of `all`: every release of every policy, for other accountants of privacy.
rule ledger:
    output:
        FILES.ledgers,
        f"{FILES.ledgers}.sha256",
    log:
        f"{RESULTS}/logs/ledger/{{paper}}.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        experiments=experiments_of,
        code=lambda wildcards: code_of("ledgers", experiments_of(wildcards)),
    message:
        "write the ledgers of {wildcards.paper}"
    script:
        "../scripts/ledger.py"


rule ledgers:
    input:
        [FILES.ledgers.format(paper=paper) for paper in PLAN.studies],
    localrule: True
    message:
        "every release of every policy is in {RESULTS}/ledgers"
