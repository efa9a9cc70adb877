# The privacy of every policy, measured: a lower bound on epsilon from what its kernel publishes on neighbouring rewards.


rule audit_paper:
    output:
        table=report(
            FILES.audits,
            caption="../report/audits.rst",
            category="{paper}",
            labels={"panel": "all", "reading": "both", "shows": "privacy measured"},
        ),
        checksum=FILES.audits + ".sha256",
    log:
        f"{RESULTS}/logs/audit/{{paper}}.log",
    conda:
        ENVIRONMENT
    params:
        experiments=experiments_of,
        seed=config["seed"],
        scale=config["scale"],
        grid=(),
        code=lambda wildcards: code_of("audits", experiments_of(wildcards)),
    message:
        "audit the privacy of {wildcards.paper}"
    script:
        "../scripts/audit.py"


# The arena's policies at its own epsilons. A second self is the same mechanism as the first.
use rule audit_paper as audit_arena with:
    output:
        table=FILES.audits.format(paper="arena"),
        checksum=FILES.audits.format(paper="arena") + ".sha256",
    log:
        f"{RESULTS}/logs/audit/arena.log",
    params:
        experiments=lambda wildcards: PLAN.audited_in_arena(),
        seed=config["seed"],
        scale=config["scale"],
        grid=lambda wildcards: PLAN.arena.epsilons,
        code=lambda wildcards: code_of("audits", PLAN.of_arena()),
    message:
        "audit the privacy of the arena"


rule draw_audit:
    input:
        FILES.audits,
    output:
        FILES.figure_of_audits,
    log:
        f"{RESULTS}/logs/draw_audit/{{paper}}.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        code=lambda wildcards: code_of("figure of audits"),
    message:
        "draw {wildcards.paper} s-audit"
    script:
        "../scripts/draw_audit.py"


rule audit:
    input:
        [PLAN.audits_of(paper) for paper in PLAN.papers],
        FILES.audits.format(paper="arena") if PLAN.arena else [],
    localrule: True
    message:
        "the privacy of every policy is measured"
