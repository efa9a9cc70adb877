# Summaries -> one figure, in every format that config.yaml asks for.


def figure_of(wildcards):
    return PAPERS[wildcards.paper].figures[wildcards.figure]


def figures_of(paper):
    """Every file that drawing a paper makes."""
    return [f"{FIGURES}/{paper}/{figure}.{kind}" for figure in PAPERS[paper].figures for kind in config["formats"]]


rule draw:
    input:
        lambda wildcards: [f"{RESULTS}/summaries/{wildcards.paper}/{e}.csv" for e in figure_of(wildcards).experiments],
    output:
        [f"{FIGURES}/{{paper}}/{{figure}}.{kind}" for kind in config["formats"]],
    params:
        # Inside a dict: Snakemake compares plain values and containers, and passes over any other object at top level.
        drawn=lambda wildcards: {
            "figure": figure_of(wildcards),
            "experiments": {e: PAPERS[wildcards.paper].experiments[e] for e in figure_of(wildcards).experiments},
        },
        estimator=config["estimator"],
        code=fingerprint("figures"),
    log:
        f"{RESULTS}/logs/draw/{{paper}}/{{figure}}.log",
    message:
        "draw {wildcards.paper} {wildcards.figure}"
    script:
        "../scripts/draw.py"
