# The privacy of every policy, measured: a lower bound on epsilon from what its kernel publishes on neighbouring rewards.


rule audit_paper:
    output:
        table=report(
            f"{RESULTS}/audits/{{paper}}.csv",
            caption="../report/audits.rst",
            category="{paper}",
            labels={"panel": "all", "reading": "both", "shows": "privacy measured"},
        ),
        checksum=f"{RESULTS}/audits/{{paper}}.csv.sha256",
    log:
        f"{RESULTS}/logs/audit/{{paper}}.log",
    conda:
        ENVIRONMENT
    params:
        # In a list: at top level Snakemake compares only plain values and containers between runs.
        experiments=lambda wildcards: list(PAPERS[wildcards.paper].experiments.values()),
        seed=config["seed"],
        scale=config["scale"],
        code=lambda wildcards: code_of_audits(PAPERS[wildcards.paper]),
    message:
        "audit the privacy of {wildcards.paper}"
    script:
        "../scripts/audit.py"


rule draw_audit:
    input:
        f"{RESULTS}/audits/{{paper}}.csv",
    output:
        [f"{FIGURES}/{{paper}}/s-audit.{kind}" for kind in config["formats"]],
    log:
        f"{RESULTS}/logs/draw_audit/{{paper}}.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        code=code_of("figures.audits"),
    message:
        "draw {wildcards.paper} s-audit"
    script:
        "../scripts/draw_audit.py"


rule audit:
    input:
        [audits_of(paper) for paper in PAPERS],
    localrule: True
    message:
        "the privacy of every policy is measured"
