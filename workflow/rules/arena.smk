# The arena (config/arena.yaml): all policies on the same instances. `simulate` makes its traces like those of the papers;
# from these come the tables of scores and of pairwise differences, the verdicts on our own claims, and the figures.


rule score_arena:
    input:
        files_of(ARENA.experiments.values()) if ARENA else [],
        audits=f"{RESULTS}/audits/arena.csv",
    output:
        scores=f"{RESULTS}/arena/scores.csv",
        scores_sum=f"{RESULTS}/arena/scores.csv.sha256",
        differences=f"{RESULTS}/arena/differences.csv",
        differences_sum=f"{RESULTS}/arena/differences.csv.sha256",
    log:
        f"{RESULTS}/logs/arena/score.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        # In a dict: at top level Snakemake compares only plain values and containers between runs.
        arena=lambda wildcards: {"arena": without_claims(ARENA)},
        traces=lambda wildcards: traces_of_arena(),
        seed=config["seed"],
        code=lambda wildcards: code_of_arena("arena.scores"),
    message:
        "score the arena"
    script:
        "../scripts/score_arena.py"


rule judge_arena:
    input:
        files_of(ARENA.experiments.values()) if ARENA else [],
        audits=f"{RESULTS}/audits/arena.csv",
    output:
        f"{RESULTS}/arena/claims.csv",
        f"{RESULTS}/arena/claims.csv.sha256",
    log:
        f"{RESULTS}/logs/arena/judge.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        arena=lambda wildcards: {"arena": ARENA},
        traces=lambda wildcards: traces_of_arena(),
        seed=config["seed"],
        code=lambda wildcards: code_of_arena("arena.claims"),
    message:
        "judge the claims of the arena"
    script:
        "../scripts/judge_arena.py"


rule draw_arena:
    input:
        scores=f"{RESULTS}/arena/scores.csv",
        differences=f"{RESULTS}/arena/differences.csv",
    output:
        files=[f"{FIGURES}/arena/{{arena_figure}}.{kind}" for kind in config["formats"]],
        picture=f"{RESULTS}/pictures/arena/{{arena_figure}}.png",
        geometry=f"{RESULTS}/pictures/arena/{{arena_figure}}.json",
    log:
        f"{RESULTS}/logs/arena/draw/{{arena_figure}}.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        arena=lambda wildcards: {"arena": without_claims(ARENA)},
        code=code_of("arena.pictures"),
    message:
        "draw arena {wildcards.arena_figure}"
    script:
        "../scripts/draw_arena.py"


rule arena:
    input:
        results_of_arena(),
    localrule: True
    message:
        "the arena is there"
