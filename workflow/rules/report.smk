# All results -> one page: every figure with its paper's claims and the verdicts on them.


rule report:
    input:
        pictures=[file for paper in PAPERS for file in pictures_of(paper)],
        tables=[
            [*summaries_of(paper), claims_of(paper), accounts_of(paper), audits_of(paper)[0], *tables_of(paper)]
            for paper in PAPERS
        ],
        arena=shown_of_arena(),
        verification=f"{RESULTS}/verification.txt",
    output:
        page=f"{RESULTS}/report.html",
        meta=f"{RESULTS}/report.meta.json",
    log:
        f"{RESULTS}/logs/report.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        # In a dict: at top level Snakemake compares only plain values and containers between runs.
        shown={"papers": PAPERS, "arena": ARENA},
        settings={key: config[key] for key in ("seed", "scale", "estimator")},
        logs={name: logs_of(name) for name in (*PAPERS, *([ARENA.id] if ARENA else []))},
        stamp=str(config.get("stamp", False)).lower() == "true",
        code=code_of("report", "report.stamp"),
        templates=templates_digest,
    message:
        "write the report, {output.page}"
    script:
        "../scripts/report.py"
