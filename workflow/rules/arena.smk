# The arena (config/arena.yaml): all policies on the same instances. `simulate` makes its traces like those of the papers;
# from these come the tables of scores and of pairwise differences, the verdicts on our own claims, and the figures.


rule score_arena:
    input:
        PLAN.traces_behind(PLAN.of_arena()),
        audits=FILES.audits("arena"),
    output:
        scores=FILES.of_arena("scores"),
        scores_sum=FILES.of_arena("scores") + ".sha256",
        differences=FILES.of_arena("differences"),
        differences_sum=FILES.of_arena("differences") + ".sha256",
    log:
        f"{RESULTS}/logs/arena/score.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        # In a dict: at top level Snakemake compares only plain values and containers between runs.
        arena=lambda wildcards: {"arena": PLAN.arena_without_claims()},
        traces=lambda wildcards: PLAN.runs_by_experiment(PLAN.of_arena()),
        seed=config["seed"],
        code=lambda wildcards: code_of("scores of the arena", PLAN.of_arena()),
    message:
        "score the arena"
    script:
        "../scripts/score_arena.py"


rule judge_arena:
    input:
        PLAN.traces_behind(PLAN.of_arena()),
        audits=FILES.audits("arena"),
    output:
        FILES.of_arena("claims"),
        FILES.of_arena("claims") + ".sha256",
    log:
        f"{RESULTS}/logs/arena/judge.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        arena=lambda wildcards: {"arena": PLAN.arena},
        traces=lambda wildcards: PLAN.runs_by_experiment(PLAN.of_arena()),
        seed=config["seed"],
        code=lambda wildcards: code_of("claims of the arena", PLAN.of_arena()),
    message:
        "judge the claims of the arena"
    script:
        "../scripts/judge_arena.py"


rule draw_arena:
    input:
        scores=FILES.of_arena("scores"),
        differences=FILES.of_arena("differences"),
    output:
        files=FILES.figure("arena", "{arena_figure}"),
        picture=FILES.picture("arena", "{arena_figure}"),
        geometry=FILES.geometry("arena", "{arena_figure}"),
    log:
        f"{RESULTS}/logs/arena/draw/{{arena_figure}}.log",
    localrule: True
    conda:
        ENVIRONMENT
    params:
        arena=lambda wildcards: {"arena": PLAN.arena_without_claims()},
        code=lambda wildcards: code_of("figures of the arena"),
    message:
        "draw arena {wildcards.arena_figure}"
    script:
        "../scripts/draw_arena.py"


rule arena:
    input:
        PLAN.results_of_arena(),
    localrule: True
    message:
        "the arena is there"
