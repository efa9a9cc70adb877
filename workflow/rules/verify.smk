# A finished run against the numbers of our last full run, reference/.

from dpbandits import verification


rule compare:
    input:
        made=[made_of(paper) for paper in PAPERS],
        reference=[str(path) for path in Path(REFERENCE).glob("SHA256SUMS")],
    output:
        f"{RESULTS}/verification.txt",
    params:
        drawn_from={paper: {f.id: f.experiments for f in it.figures.values()} for paper, it in PAPERS.items()},
        results=RESULTS,
        figures=FIGURES,
        reference=REFERENCE,
        formats=config["formats"],
        code=fingerprint("verification"),
    log:
        f"{RESULTS}/logs/compare.log",
    message:
        "compare with {params.reference}"
    script:
        "../scripts/compare.py"


# On demand, and each time anew: what lies on a disk may have changed since the last time without a trace.
use rule compare as verify with:
    output:
        [],
    log:
        f"{RESULTS}/logs/verify.log",
    message:
        "verify against {params.reference}"


# Not part of `all`: makes what was just computed the reference, and at paper scale the gallery's previews and the README's tables.
rule reference:
    input:
        [made_of(paper) for paper in PAPERS],
    params:
        papers=list(PAPERS),
        results=RESULTS,
        figures=FIGURES,
        reference=REFERENCE,
        previews={
            f"figures/gallery/{paper}.png": [f"{FIGURES}/{paper}/{figure}.png" for figure in it.preview]
            for paper, it in PAPERS.items()
            if config["scale"] == "paper"
        },
        told={paper: (it, claims_of(paper)) for paper, it in PAPERS.items() if config["scale"] == "paper"},
    message:
        "make {params.reference} the copy of this run"
    script:
        "../scripts/reference.py"
