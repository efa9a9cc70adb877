# Figures, the scores of an arena, and the distances of our curves from those of the authors.


# A figure, in every format that config.yaml asks for, and the pictures of it for the page.
rule draw:
    input:
        summaries=tables(of_figure("draws")),
        published=local(of_figure("published")),
        replays=collect("<results>/replays/guests/{guest}.csv", guest=of_figure("guests")),
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
        job=job("draw.py", jobs.figure),
    message:
        "draw {wildcards.paper}/{wildcards.figure}"
    script:
        "../scripts/draw.py"


# A score is a policy's mean regret divided by that of the arena's yardstick, a policy.
rule score:
    input:
        traces=simulations("study == '{arena}'"),
        audits="<results>/audits/{arena}.csv",
        replays=outputs("study == '{arena}' and kind in ['replay', 'guest']"),
    output:
        "<results>/{arena}/scores.csv",
    log:
        "<logs>/score/{arena}.log",
    localrule: True
    params:
        job=job("dpbandits.arena.scores.scores", jobs.scores),
    message:
        "score {wildcards.arena}"
    script:
        "../scripts/call.py"


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
        job=job("draw_scores.py", jobs.scored_figure),
    message:
        "draw {wildcards.arena}/{wildcards.figure}"
    script:
        "../scripts/draw_scores.py"


COMPARED = [f"{paper}/{panel}" for paper, panels in PLAN.published.items() for panel in panels]


rule distances:
    input:
        summaries=tables(DRAWN.loc[COMPARED, "draws"].explode()),
        published=local([file for files in PLAN.published.values() for file in files.values()]),
    output:
        "<results>/distances.csv",
    log:
        "<logs>/distances.log",
    localrule: True
    params:
        job=job("dpbandits.studies.drawn_points.table", jobs.compared_panels),
    message:
        "measure how far our curves are from those of the authors"
    script:
        "../scripts/call.py"
