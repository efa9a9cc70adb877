# Compare a finished run with the numbers of our last full run, in reference/.


rule compare:
    input:
        results=[PLAN.results_of(paper) for paper in PLAN.studies],
        privacy=[PLAN.tables_of_privacy(paper) for paper in PLAN.studies],
        sentences=FILES.sentences,
        distances=PLAN.distances(),
        reference=[str(path) for path in Path(FILES.reference).glob("SHA256SUMS")],
    output:
        FILES.verification,
    log:
        f"{RESULTS}/logs/compare.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        drawn_from={name: PLAN.tables_behind_figures(name) for name in PLAN.studies},
        folders=lambda wildcards: {"results": RESULTS, "figures": FILES.figures_folder, "reference": FILES.reference},
        formats=config["formats"],
        guests=PLAN.names_of_guests(),
        code=lambda wildcards: code_of("verification"),
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
        [PLAN.results_of(paper) for paper in PLAN.studies],
        [PLAN.tables_of_privacy(paper) for paper in PLAN.studies],
        PLAN.distances(),
        FILES.sentences,
    log:
        f"{RESULTS}/logs/reference.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        folders=lambda wildcards: {"results": RESULTS, "figures": FILES.figures_folder, "reference": FILES.reference},
        studies=list(PLAN.studies),
        guests=list(PLAN.guests),
        previews={
            f"figures/gallery/{name}.png": [f"{FILES.figures_folder}/{name}/{figure}.png" for figure in paper.preview]
            for name, paper in PLAN.papers.items()
            if config["scale"] == "paper"
        },
        claims={
            name: (paper, FILES.claims.format(paper=name))
            for name, paper in PLAN.papers.items()
            if config["scale"] == "paper"
        },
        arenas={
            name: [FILES.scores.format(paper=name), f"{FILES.figures_folder}/{name}/winners.png"]
            for name in PLAN.arenas
            if config["scale"] == "paper"
        },
    message:
        "make {params.folders[reference]} the copy of this run"
    script:
        "../scripts/reference.py"
