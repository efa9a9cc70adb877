# What a study with the key `arena` has beside claims: the scores of its policies and their pairwise differences, from the
# traces, and figures of these.


rule score:
    input:
        lambda wildcards: PLAN.traces_behind(PLAN.scored(wildcards.paper)),
        audits=FILES.audits,
    output:
        scores=FILES.scores,
        scores_sum=f"{FILES.scores}.sha256",
        differences=FILES.differences,
        differences_sum=f"{FILES.differences}.sha256",
    log:
        f"{RESULTS}/logs/score/{{paper}}.log",
    wildcard_constraints:
        paper=one_of(PLAN.arenas),
    localrule: True
    conda:
        ENVIRONMENT
    params:
        arena=arena_of,
        experiments=lambda wildcards: PLAN.scored(wildcards.paper),
        traces=lambda wildcards: PLAN.runs_by_experiment(PLAN.scored(wildcards.paper)),
        seed=config["seed"],
        code=lambda wildcards: code_of("scores", PLAN.scored(wildcards.paper)),
    message:
        "score the policies of {wildcards.paper}"
    script:
        "../scripts/score.py"


rule draw_scores:
    input:
        scores=FILES.scores,
        differences=FILES.differences,
    output:
        files=FILES.figure,
        picture=FILES.picture,
        geometry=FILES.geometry,
        svg=FILES.svg,
    log:
        f"{RESULTS}/logs/draw/{{paper}}/{{figure}}.log",
    wildcard_constraints:
        paper=one_of(PLAN.arenas),
        figure=one_of(names.FIGURES),
    localrule: True
    conda:
        ENVIRONMENT
    params:
        arena=arena_of,
        code=lambda wildcards: code_of("figures of scores"),
    message:
        "draw {wildcards.paper} {wildcards.figure}"
    script:
        "../scripts/draw_scores.py"
