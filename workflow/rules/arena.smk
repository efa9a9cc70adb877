# The arena (config/arena.yaml): all policies on the same instances. `simulate` makes its traces like those of the papers;
# from these come the tables of scores and of pairwise differences, the verdicts on our own claims, and the figures.


rule score_arena:
    input:
        PLAN.traces_behind(PLAN.of_arena()),
        audits=FILES.audits.format(paper="arena"),
    output:
        scores=FILES.of_arena.format(table="scores"),
        scores_sum=FILES.of_arena.format(table="scores") + ".sha256",
        differences=FILES.of_arena.format(table="differences"),
        differences_sum=FILES.of_arena.format(table="differences") + ".sha256",
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
        audits=FILES.audits.format(paper="arena"),
    output:
        FILES.of_arena.format(table="claims"),
        FILES.of_arena.format(table="claims") + ".sha256",
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
        scores=FILES.of_arena.format(table="scores"),
        differences=FILES.of_arena.format(table="differences"),
    output:
        files=FILES.figure,
        picture=FILES.picture,
        geometry=FILES.geometry,
    log:
        f"{RESULTS}/logs/{{paper}}/draw/{{figure}}.log",
    wildcard_constraints:
        paper="arena",
        figure=one_of(PLAN.figures_of_arena()),
    localrule: True
    conda:
        ENVIRONMENT
    params:
        arena=lambda wildcards: {"arena": PLAN.arena_without_claims()},
        code=lambda wildcards: code_of("figures of the arena"),
    message:
        "draw arena {wildcards.figure}"
    script:
        "../scripts/draw_arena.py"


rule arena:
    input:
        PLAN.results_of_arena(),
    localrule: True
    message:
        "the arena is there"
