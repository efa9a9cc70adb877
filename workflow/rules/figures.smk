# Figures, the scores of an arena, and the distances of our curves from those of the authors.


# A figure, in every format that config.yaml asks for, and the pictures of it for the page.
rule draw:
    input:
        summaries=summaries_of_figure,
        published=local(arguments(jobs.points_in)),
        replays=replays_of_figure,
    output:
        expand("<figures>/{{paper}}/{{figure}}.{format}", format=config["formats"]),
        report(
            "<results>/pictures/{paper}/{figure}.png",
            caption="../report/figure.rst",
            category="{paper}",
            labels={"figure": "{figure}"},
        ),
        "<results>/pictures/{paper}/{figure}.svg",
        "<results>/pictures/{paper}/{figure}.digest",
    log:
        "<logs>/draw/{paper}/{figure}.log",
    localrule: True
    params:
        digest=digest("draw", jobs.figure),
        job=arguments(jobs.figure),
    message:
        "draw {wildcards.paper}/{wildcards.figure}"
    script:
        "../scripts/draw.py"


# A score is a policy's mean regret divided by that of the arena's yardstick, a policy.
rule score:
    input:
        traces=traces_of(jobs.scores),
        audits="<results>/audits/{arena}.csv",
        replays=replays_of,
    output:
        "<results>/{arena}/scores.csv",
    log:
        "<logs>/score/{arena}.log",
    localrule: True
    params:
        digest=digest("score", jobs.scores),
        job=arguments(jobs.scores),
    message:
        "score {wildcards.arena}"
    script:
        "../scripts/score.py"


rule draw_scores:
    input:
        scores="<results>/{arena}/scores.csv",
    output:
        expand("<figures>/{{arena}}/{{figure}}.{format}", format=config["formats"]),
        report(
            "<results>/pictures/{arena}/{figure}.png",
            caption="../report/scores.rst",
            category="{arena}",
            labels={"figure": "{figure}"},
        ),
        "<results>/pictures/{arena}/{figure}.svg",
        "<results>/pictures/{arena}/{figure}.digest",
    log:
        "<logs>/draw_scores/{arena}/{figure}.log",
    localrule: True
    params:
        digest=digest("draw_scores", jobs.scored_figure),
        job=arguments(jobs.scored_figure),
    message:
        "draw {wildcards.arena}/{wildcards.figure}"
    script:
        "../scripts/draw_scores.py"


rule distances:
    input:
        summaries=tables(
            f"summaries/{experiment.paper}/{experiment.id}"
            for _, experiment in jobs.compared_panels(PLAN).panels
        ),
        published=local([file for files in PLAN.published.values() for file in files.values()]),
    output:
        "<results>/distances.csv",
    log:
        "<logs>/distances.log",
    localrule: True
    params:
        digest=digest("distances", jobs.compared_panels),
        job=arguments(jobs.compared_panels),
    message:
        "measure how far our curves are from those of the authors"
    script:
        "../scripts/distances.py"
