# All results -> one page: every figure with its paper's claims and the verdicts on them.


def templates_digest():
    from dpbandits import report  # here, since only the page needs it, and importing it takes half a second

    return report.templates_digest()


rule report:
    input:
        expand(f"{RESULTS}/pictures/{{figure}}.{{kind}}", figure=ALL_FIGURES, kind=["png", "json", "svg"]),
        PLAN.files(),
        f"{RESULTS}/verification.txt",
    output:
        page=f"{RESULTS}/report.html",
        meta=f"{RESULTS}/report.meta.json",
    log:
        f"{LOG}/report.log",
    params:
        # In a dict: at top level Snakemake compares only plain values and containers between runs.
        shown={"studies": PLAN.studies},
        settings={"figures": FIGURES, **{key: config[key] for key in ("seed", "scale", "estimator", "formats")}},
        stamp=str(config.get("stamp", False)).lower() == "true",
        code=lambda wildcards: fingerprint("report", "report.stamp"),
        templates=lambda wildcards: templates_digest(),
    message:
        "write the report, {output.page}"
    script:
        "../scripts/report.py"
