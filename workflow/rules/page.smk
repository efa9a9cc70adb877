# The comparison of a run with our last full run, and the page of all results.


rule compare:
    input:
        tables=TABLES,
        figures=FIGURES,
        reference=local(in_reference(f"{name}.csv" for name in jobs.table_names(PLAN))),
        sums=local(in_reference(["SHA256SUMS"])),
    output:
        "<results>/verification.txt",
    log:
        "<logs>/compare.log",
    localrule: True
    params:
        digest=digest("compare", jobs.comparison),
        job=arguments(jobs.comparison),
    message:
        f"compare with {PLAN.layout.reference}/"
    script:
        "../scripts/compare.py"


# Only on demand, but then always, because files may have changed unnoticed. It prints the
# comparison and fails if there is a difference.
use rule compare as verify with:
    output:
        [],
    log:
        "<logs>/verify.log",
    params:
        job=arguments(jobs.comparison),
    message:
        f"verify against {PLAN.layout.reference}/"


# A folder that any static host serves.
rule page:
    input:
        tables=TABLES,
        figures=FIGURES,
        pictures=expand(
            "<results>/pictures/{name}.{format}", name=NAMES_OF_FIGURES, format=["png", "svg"]
        ),
        verification="<results>/verification.txt",
        studies=local(STUDY_FILES),
    output:
        page="<results>/page/index.html",
        files=directory("<results>/page/files"),
    log:
        "<logs>/page.log",
    localrule: True
    params:
        digest=digest("page", jobs.page),
        job=arguments(jobs.page),
    message:
        "write the page, {output.page}"
    script:
        "../scripts/page.py"
