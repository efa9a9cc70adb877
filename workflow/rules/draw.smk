# Summaries, and the curves that the authors drew -> one figure, in every format that config.yaml asks for, and a small
# picture of it for the page.


rule draw:
    input:
        summaries=lambda wildcards: PLAN.tables_behind(wildcards.paper)[wildcards.figure],
        published=lambda wildcards: PLAN.published_in(wildcards.paper, figure_of(wildcards)),
    output:
        files=expand(f"{PICTURE}.{{format}}", format=config["formats"], allow_missing=True),
        picture=report(
            f"{RESULTS}/pictures/{{paper}}/{{figure}}.png",
            category="{paper}",
            labels=lambda wildcards: shown_in(figure_of(wildcards)),
        ),
        svg=f"{RESULTS}/pictures/{{paper}}/{{figure}}.svg",
    log:
        f"{LOG}/draw/{{paper}}/{{figure}}.log",
    wildcard_constraints:
        paper=one_of(PLAN.papers),
        figure=one_of(figure for paper in PLAN.papers.values() for figure in paper.figures),
    conda:
        ENVIRONMENT
    params:
        # In a dict: at top level Snakemake compares only plain values and containers between runs.
        drawn=lambda wildcards: {
            "figure": figure_of(wildcards),
            "experiments": {e: PLAN.papers[wildcards.paper].experiments[e] for e in figure_of(wildcards).experiments},
        },
        estimator=config["estimator"],
        code=lambda wildcards: PLAN.code_of_figure(figure_of(wildcards)),
    message:
        "draw {wildcards.paper} {wildcards.figure}"
    script:
        "../scripts/draw.py"


rule draw_scores:
    input:
        scores=f"{RESULTS}/{{paper}}/scores.csv",
    output:
        files=expand(f"{PICTURE}.{{format}}", format=config["formats"], allow_missing=True),
        picture=f"{RESULTS}/pictures/{{paper}}/{{figure}}.png",
        svg=f"{RESULTS}/pictures/{{paper}}/{{figure}}.svg",
    log:
        f"{LOG}/draw/{{paper}}/{{figure}}.log",
    wildcard_constraints:
        paper=one_of(PLAN.arenas),
        figure=one_of(figure for arena in PLAN.arenas for figure in PLAN.figures_of(arena)),
    conda:
        ENVIRONMENT
    params:
        arena=lambda wildcards: {"arena": PLAN.studies[wildcards.paper].arena},
        code=lambda wildcards: fingerprint("dpbandits.arena.pictures"),
    message:
        "draw {wildcards.paper} {wildcards.figure}"
    script:
        "../scripts/draw_scores.py"
