# A finished run against the numbers of our last full run, reference/.


rule compare:
    input:
        made=[results_of(paper) for paper in PAPERS],
        reference=[str(path) for path in Path(REFERENCE).glob("SHA256SUMS")],
    output:
        f"{RESULTS}/verification.txt",
    log:
        f"{RESULTS}/logs/compare.log",
    localrule: True
    params:
        drawn_from={paper: {f.id: f.experiments for f in it.figures.values()} for paper, it in PAPERS.items()},
        folders=lambda wildcards: {"results": RESULTS, "figures": FIGURES, "reference": REFERENCE},
        formats=config["formats"],
        code=code_of("verification"),
    message:
        "compare with {params.folders[reference]}"
    script:
        "../scripts/compare.py"


# On demand, and each time anew: what lies on a disk may have changed since the last time without a trace.
use rule compare as verify with:
    output:
        [],
    log:
        f"{RESULTS}/logs/verify.log",
    message:
        "verify against {params.folders[reference]}"


# Not part of `all`: makes what was just computed the reference, and at paper scale the gallery's previews and the README's tables.
rule reference:
    input:
        [results_of(paper) for paper in PAPERS],
    log:
        f"{RESULTS}/logs/reference.log",
    localrule: True
    params:
        folders=lambda wildcards: {"results": RESULTS, "figures": FIGURES, "reference": REFERENCE},
        papers=list(PAPERS),
        previews={
            f"figures/gallery/{paper}.png": [f"{FIGURES}/{paper}/{figure}.png" for figure in it.preview]
            for paper, it in PAPERS.items()
            if config["scale"] == "paper"
        },
        claims={paper: (it, claims_of(paper)) for paper, it in PAPERS.items() if config["scale"] == "paper"},
    message:
        "make {params.folders[reference]} the copy of this run"
    script:
        "../scripts/reference.py"
