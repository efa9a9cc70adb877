# Everything that is finished -> one page: every figure beside what its paper says about it, and whether that is true.

from dpbandits import report as the_page


def benchmarks_of(paper):
    """Where Snakemake notes what a paper's simulate jobs took."""
    files = files_of(PAPERS[paper].experiments.values())
    return [re.sub("/traces/(.*).npz$", r"/benchmarks/simulate/\1.tsv", file) for file in files]


rule report:
    input:
        pictures=[file for paper in PAPERS for file in pictures_of(paper)],
        made=[[*summaries_of(paper), claims_of(paper), accounts_of(paper), *tables_of(paper)] for paper in PAPERS],
        verification=f"{RESULTS}/verification.txt",
    output:
        page=f"{RESULTS}/report.html",
        meta=f"{RESULTS}/report.meta.json",
    params:
        # Inside a dict: Snakemake compares plain values and containers, and passes over any other object at top level.
        shown={"papers": PAPERS},
        settings={key: config[key] for key in ("seed", "scale", "estimator")},
        results=RESULTS,
        benchmarks={paper: benchmarks_of(paper) for paper in PAPERS},
        stamp=str(config.get("stamp", False)).lower() == "true",
        code=fingerprint("report", "report.stamp"),
        templates=the_page.templates_digest(),
    log:
        f"{RESULTS}/logs/report.log",
    message:
        "write the report, {output.page}"
    script:
        "../scripts/report.py"
