# A finished run against the numbers of our last full run, reference/.

from dpbandits import verification


def everything():
    """Every file that the reference covers."""
    return {
        "figures": [file for paper in PAPERS for file in figures_of(paper)],
        "claims": [claims_of(paper) for paper in PAPERS],
    }


rule compare:
    input:
        **everything(),
        reference=[str(path) for path in Path(REFERENCE).glob("SHA256SUMS")],
    output:
        f"{RESULTS}/verification.txt",
    params:
        papers=PAPERS,
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


rule verify:
    input:
        f"{RESULTS}/verification.txt",
    message:
        "verification of {input}"
    shell:
        "cat {input}; tail -n 1 {input} | grep -q '^0 differences'"


# Not part of `all`: makes what was just computed the reference.
rule reference:
    input:
        **everything(),
    params:
        papers=list(PAPERS),
        results=RESULTS,
        figures=FIGURES,
        reference=REFERENCE,
    message:
        "make {params.reference} the copy of this run"
    script:
        "../scripts/reference.py"
