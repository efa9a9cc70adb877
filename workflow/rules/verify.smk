# Compare a finished run with the numbers of our last full run, in reference/, or make it the reference; and the page of all results.


use rule simulate as compare with:
    input:
        EVERYTHING,
        [str(path) for path in Path(PLAN.reference).glob("SHA256SUMS")],
    output:
        f"{RESULTS}/verification.txt",
    log:
        f"{LOG}/compare.log",
    params:
        job=lambda wildcards: PLAN.others["comparison"].job,
    message:
        f"compare with {PLAN.reference}"


# On demand, and repeated every time, since files may have changed on the disk unnoticed.
use rule compare as verify with:
    output:
        [],
    log:
        f"{LOG}/verify.log",
    params:
        job=lambda wildcards: PLAN.others["verify"].job,
    message:
        f"verify against {PLAN.reference}"


# A folder that any static host serves.
use rule simulate as report with:
    input:
        EVERYTHING,
        expand(f"{RESULTS}/pictures/{{figure}}.{{kind}}", figure=PLAN.figures, kind=["png", "svg"]),
        f"{RESULTS}/verification.txt",
    output:
        f"{RESULTS}/page/index.html",
        directory(f"{RESULTS}/page/files"),
    log:
        f"{LOG}/report.log",
    params:
        job=lambda wildcards: PLAN.others["page"].job,
    message:
        "write the page, {output[0]}"


# Not part of `all`: makes this run the reference, and at paper scale updates the previews and the README's tables.
use rule compare as reference with:
    input:
        EVERYTHING,
        f"{RESULTS}/verification.txt",  # which is compared before the reference changes
    output:
        [],
    log:
        f"{LOG}/reference.log",
    params:
        job=lambda wildcards: PLAN.others["reference"].job,
    message:
        f"make {PLAN.reference} the copy of this run"
