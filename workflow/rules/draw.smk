# Summaries, and the curves that the authors drew -> one figure, in every format that config.yaml asks for, and a small
# picture of it for the report.


rule draw:
    input:
        summaries=lambda wildcards: [
            FILES.summary.format(paper=wildcards.paper, experiment=e) for e in figure_of(wildcards).experiments
        ],
        published=lambda wildcards: PLAN.circles_in(wildcards.paper, figure_of(wildcards)),
    output:
        files=FILES.figure,
        picture=report(
            FILES.picture,
            caption="../report/figure.rst",
            category="{paper}",
            labels=lambda wildcards: labels_of(figure_of(wildcards)),
        ),
        geometry=FILES.geometry,
        svg=FILES.svg,
    log:
        f"{RESULTS}/logs/draw/{{paper}}/{{figure}}.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        # In a dict: at top level Snakemake compares only plain values and containers between runs.
        drawn=lambda wildcards: {
            "figure": figure_of(wildcards),
            "experiments": {e: PLAN.studies[wildcards.paper].experiments[e] for e in figure_of(wildcards).experiments},
        },
        estimator=config["estimator"],
        code=lambda wildcards: code_of_figure(figure_of(wildcards)),
    message:
        "draw {wildcards.paper} {wildcards.figure}"
    script:
        "../scripts/draw.py"
