# All results -> one page: every figure with its paper's claims and the verdicts on them.


rule report:
    input:
        [PLAN.shown_of(paper) for paper in PLAN.studies],
        FILES.sentences,
        FILES.verification,
        PLAN.distances(),
    output:
        page=FILES.report,
        meta=f"{RESULTS}/report.meta.json",
    log:
        f"{RESULTS}/logs/report.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        # In a dict: at top level Snakemake compares only plain values and containers between runs.
        shown={"studies": PLAN.studies},
        settings={key: config[key] for key in ("seed", "scale", "estimator", "formats")},
        logs=PLAN.logs_by_study(),
        stamp=str(config.get("stamp", False)).lower() == "true",
        code=lambda wildcards: code_of("report"),
        templates=lambda wildcards: templates_digest(),
    message:
        "write the report, {output.page}"
    script:
        "../scripts/report.py"
