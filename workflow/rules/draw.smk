# Summaries -> one figure, in every format that config.yaml asks for, and a small picture of it for the report.


def figure_of(wildcards):
    return PAPERS[wildcards.paper].figures[wildcards.figure]


def figures_of(paper):
    """Every file that drawing a paper makes."""
    return [f"{FIGURES}/{paper}/{figure}.{kind}" for figure in PAPERS[paper].figures for kind in config["formats"]]


def pictures_of(paper):
    """What the report shows of a paper's figures, and what a pointer on them can ask for."""
    return [f"{RESULTS}/pictures/{paper}/{figure}.{kind}" for figure in PAPERS[paper].figures for kind in ("png", "json")]


def labels_of(wildcards):
    """What Snakemake's own report calls a figure."""
    figure = figure_of(wildcards)
    panel = re.sub("^fig", "Figure ", figure.id.removesuffix(".corrected"))
    return {"panel": panel, "reading": figure.reading or "both", "shows": figure.title or figure.caption}


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
