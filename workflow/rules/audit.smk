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
        effort=config["audit"][config["scale"]],
        grid=(),
        code=lambda wildcards: code_of_audits(PAPERS[wildcards.paper].experiments),
    message:
        "audit the privacy of {wildcards.paper}"
    script:
        "../scripts/audit.py"


# The arena's policies at its own epsilons. A second self is the same mechanism as the first.
use rule audit_paper as audit_arena with:
    output:
        table=f"{RESULTS}/audits/arena.csv",
        checksum=f"{RESULTS}/audits/arena.csv.sha256",
    log:
        f"{RESULTS}/logs/audit/arena.log",
    params:
        experiments=lambda wildcards: audited_in_arena(),
        seed=config["seed"],
        effort=config["audit"][config["scale"]],
        grid=lambda wildcards: ARENA.epsilons,
        code=lambda wildcards: code_of_audits(ARENA.experiments),
    message:
        "audit the privacy of the arena"


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
        f"{RESULTS}/audits/arena.csv" if ARENA else [],
    localrule: True
    message:
        "the privacy of every policy is measured"
