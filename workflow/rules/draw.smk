# Summaries, and the curves that the authors drew, or scores of an arena -> one figure, in every format that config.yaml
# asks for, and a small picture of it for the page.


rule draw:
    input:
        tables=lambda wildcards: PLAN.tables_behind[wildcards.paper][wildcards.figure],
        published=lambda wildcards: PLAN.published_in(wildcards.paper, wildcards.figure),
    output:
        files=expand(f"{PICTURE}.{{format}}", format=config["formats"], allow_missing=True),
        picture=report(
            f"{RESULTS}/pictures/{{paper}}/{{figure}}.png",
            category="{paper}",
            labels=lambda wildcards: shown_in(wildcards.paper, wildcards.figure),
        ),
        svg=f"{RESULTS}/pictures/{{paper}}/{{figure}}.svg",
    log:
        f"{LOG}/draw/{{paper}}/{{figure}}.log",
    wildcard_constraints:
        paper=rf"(?=({one_of(PLAN.figures)})\.(pdf|png|svg)$)[^/]+",  # with a figure of its own behind it
    conda:
        ENVIRONMENT
    params:
        # In a dict: at top level Snakemake compares only plain values and containers between runs.
        drawn=lambda wildcards: PLAN.drawn(wildcards.paper, wildcards.figure),
        estimator=config["estimator"],
        code=lambda wildcards: PLAN.code_of_figure(wildcards.paper, wildcards.figure),
    message:
        "draw {wildcards.paper} {wildcards.figure}"
    script:
        "../scripts/draw.py"
