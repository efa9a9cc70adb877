# How far our curves are from those that the authors drew, where these are known as numbers (reference/published/).


rule distances:
    input:
        [panel[file] for panel in PLAN.compared() for file in ("summary", "published")],
    output:
        FILES.distances,
        f"{FILES.distances}.sha256",
    log:
        f"{RESULTS}/logs/distances.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        compared=PLAN.compared(),
        code=lambda wildcards: code_of("distances"),
    message:
        "compare with the curves that the authors drew"
    script:
        "../scripts/distances.py"
