# All results -> the page: a folder that any static host serves.


rule report:
    input:
        EVERYTHING,
        expand(f"{RESULTS}/pictures/{{figure}}.{{kind}}", figure=PLAN.figures, kind=["png", "svg"]),
        f"{RESULTS}/verification.txt",
    output:
        page=f"{RESULTS}/page/index.html",
        files=directory(f"{RESULTS}/page/files"),
    log:
        f"{LOG}/report.log",
    conda:
        ENVIRONMENT
    params:
        # In a dict: at top level Snakemake compares only plain values and containers between runs.
        shown={"studies": PLAN.studies},
        settings={"guests": PLAN.guests, **{key: config[key] for key in ("seed", "scale", "estimator", "formats")}},
        folders=[RESULTS, FIGURES],
        code=lambda wildcards: fingerprint("dpbandits.report"),
        templates=lambda wildcards: templates(),
    message:
        "write the page, {output.page}"
    script:
        "../scripts/report.py"
