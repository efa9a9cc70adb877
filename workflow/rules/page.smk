# The comparison of a run with our last full run, and the page of all results.


rule compare:
    input:
        tables=TABLES,
        figures=FIGURES,
        drawn=drawn_data(NAMES_OF_FIGURES),
        reference=local(REFERENCE),
    output:
        "<results>/verification.txt",
    log:
        "<logs>/compare.log",
    localrule: True
    params:
        job=job("compare.py", jobs.comparison),
    message:
        f"compare with {PLAN.layout.reference}/"
    script:
        "../scripts/compare.py"


# Only on demand, but then always, because files may have changed unnoticed. It prints the
# comparison and fails if a number of a table differs by more than 1e-9 of itself, or the drawn data
# of a figure. It compares whole runs, so whatever is missing of one is made first. The reference of
# the paper's scale is reference/, and of another reference/<scale>/.
use rule compare as verify with:
    output:
        [],
    log:
        "<logs>/verify.log",
    params:
        job=job("compare.py", jobs.comparison),
    message:
        f"verify against {PLAN.layout.reference}/"


# The same for one study: snakemake --cores 2 verify/azize2022.
for study in PLAN.studies:

    rule:
        name:
            f"verify/{study}"
        input:
            tables=tables(PLAN.tables(study)),
            figures=figures(PLAN.figures(study)),
            drawn=drawn_data(PLAN.figures(study)),
            reference=local(REFERENCE),
        log:
            f"<logs>/verify/{study}.log",
        localrule: True
        params:
            job=job("compare.py", partial(jobs.comparison, study=study)),
        message:
            f"verify {study} against {PLAN.layout.reference}/"
        script:
            "../scripts/compare.py"


# A folder that any static host serves.
rule page:
    input:
        tables=TABLES,
        figures=FIGURES,
        guests=outputs("kind == 'guest'"),
        pictures=expand("<results>/pictures/{name}.svg", name=NAMES_OF_FIGURES),
        verification="<results>/verification.txt",
        studies=local([file for study in PLAN.studies.values() for file in study.files]),
    output:
        page="<results>/page/index.html",
        files=directory("<results>/page/files"),
    log:
        "<logs>/page.log",
    localrule: True
    params:
        job=job("page.py", jobs.page),
    message:
        "write the page, {output.page}"
    script:
        "../scripts/page.py"
