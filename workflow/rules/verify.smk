# Compare a finished run with the numbers of our last full run, in reference/.


rule compare:
    input:
        results=[results_of(paper) for paper in PAPERS],
        arena=results_of_arena(),
        reference=[str(path) for path in Path(REFERENCE).glob("SHA256SUMS")],
    output:
        f"{RESULTS}/verification.txt",
    log:
        f"{RESULTS}/logs/compare.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        drawn_from={name: {f.id: f.experiments for f in paper.figures.values()} for name, paper in PAPERS.items()},
        folders=lambda wildcards: {"results": RESULTS, "figures": FIGURES, "reference": REFERENCE},
        formats=config["formats"],
        guests=series_of_guests(),
        arena=list(arena_names.FIGURES) if ARENA else [],
        code=code_of("verification"),
    message:
        "compare with {params.folders[reference]}"
    script:
        "../scripts/compare.py"


# On demand, and repeated every time, since files may have changed on the disk unnoticed.
use rule compare as verify with:
    output:
        [],
    log:
        f"{RESULTS}/logs/verify.log",
    message:
        "verify against {params.folders[reference]}"


# Not part of `all`: makes this run the reference, and at paper scale updates the previews and the README's tables.
rule reference:
    input:
        [results_of(paper) for paper in PAPERS],
        results_of_arena(),
    log:
        f"{RESULTS}/logs/reference.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        folders=lambda wildcards: {"results": RESULTS, "figures": FIGURES, "reference": REFERENCE},
        papers=list(PAPERS),
        guests=list(config["guests"]),
        previews={
            f"figures/gallery/{name}.png": [f"{FIGURES}/{name}/{figure}.png" for figure in paper.preview]
            for name, paper in PAPERS.items()
            if config["scale"] == "paper"
        },
        claims={name: (paper, claims_of(name)) for name, paper in PAPERS.items() if config["scale"] == "paper"},
        logs={name: logs_of_batch(name) for name in BATCHES if config["scale"] == "paper"},
        arena=lambda wildcards: f"{RESULTS}/arena" if ARENA and config["scale"] == "paper" else "",
    message:
        "make {params.folders[reference]} the copy of this run"
    script:
        "../scripts/reference.py"
