# Summaries -> one figure, in every format that config.yaml asks for, and a small picture of it for the report.


rule draw:
    input:
        lambda wildcards: [f"{RESULTS}/summaries/{wildcards.paper}/{e}.csv" for e in figure_of(wildcards).experiments],
    output:
        files=[f"{FIGURES}/{{paper}}/{{figure}}.{kind}" for kind in config["formats"]],
        picture=report(
            f"{RESULTS}/pictures/{{paper}}/{{figure}}.png",
            caption="../report/figure.rst",
            category="{paper}",
            labels=labels_of,
        ),
        geometry=f"{RESULTS}/pictures/{{paper}}/{{figure}}.json",
    log:
        f"{RESULTS}/logs/draw/{{paper}}/{{figure}}.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        # In a dict: at top level Snakemake compares only plain values and containers between runs.
        drawn=lambda wildcards: {
            "figure": figure_of(wildcards),
            "experiments": {e: PAPERS[wildcards.paper].experiments[e] for e in figure_of(wildcards).experiments},
        },
        estimator=config["estimator"],
        code=code_of_figure,
    message:
        "draw {wildcards.paper} {wildcards.figure}"
    script:
        "../scripts/draw.py"
