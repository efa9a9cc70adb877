# Compare a finished run with the numbers of our last full run, in reference/.

FOLDERS = {"results": RESULTS, "figures": FIGURES, "reference": REFERENCE}


rule compare:
    input:
        EVERYTHING,
        [str(path) for path in Path(REFERENCE).glob("SHA256SUMS")],
    output:
        f"{RESULTS}/verification.txt",
    log:
        f"{LOG}/compare.log",
    conda:
        ENVIRONMENT
    params:
        figures=PLAN.tables_behind,
        tables=PLAN.files(),
        folders=FOLDERS,
        formats=config["formats"],
        guests=PLAN.names_of_guests(),
        code=lambda wildcards: fingerprint("dpbandits.verification"),
    message:
        "compare with {params.folders[reference]}"
    script:
        "../scripts/compare.py"


# On demand, and repeated every time, since files may have changed on the disk unnoticed.
use rule compare as verify with:
    output:
        [],
    log:
        f"{LOG}/verify.log",
    message:
        "verify against {params.folders[reference]}"


# Not part of `all`: makes this run the reference, and at paper scale updates the previews and the README's tables.
rule reference:
    input:
        EVERYTHING,
        f"{RESULTS}/verification.txt",  # which is compared before the reference changes
    log:
        f"{LOG}/reference.log",
    conda:
        ENVIRONMENT
    params:
        tables=PLAN.files(),
        pictures=PLAN.figures,
        folders=FOLDERS,
        guests=list(PLAN.guests),
        papers=PLAN.papers,
        arenas=list(PLAN.arenas),
    message:
        "make {params.folders[reference]} the copy of this run"
    script:
        "../scripts/reference.py"
