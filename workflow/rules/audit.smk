# The privacy of every policy, measured: a lower bound on epsilon from what its kernel publishes on neighbouring inputs.


rule audit_study:
    output:
        table=report(
            FILES.audits,
            caption="../report/audits.rst",
            category="{paper}",
            labels={"panel": "all", "reading": "both", "shows": "privacy measured"},
        ),
        checksum=f"{FILES.audits}.sha256",
    log:
        f"{RESULTS}/logs/audit/{{paper}}.log",
    conda:
        ENVIRONMENT
    params:
        experiments=lambda wildcards: PLAN.audited(wildcards.paper),
        seed=config["seed"],
        effort=config["audit"][config["scale"]],
        guests=sorted(config["guests"]),
        arena=lambda wildcards: getattr(PLAN.studies[wildcards.paper].arena, "epsilons", ()),
        code=lambda wildcards: code_of("audits", experiments_of(wildcards)),
    message:
        "audit the privacy of {wildcards.paper}"
    script:
        "../scripts/audit.py"


rule audit:
    input:
        [PLAN.audits_of(paper) for paper in PLAN.studies],
    localrule: True
    message:
        "the privacy of every policy is measured"
