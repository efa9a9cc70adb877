# The whole workflow at a glance.
#
#   snakemake --cores N                                everything: figures, claims, verification
#   snakemake --cores N tossou2016                     one paper
#   snakemake --cores N figures/tossou2016/fig2a.pdf   one panel and only what it needs
#   snakemake --cores N claims | verify | report       the verdicts; the comparison with reference/; one page of it all
#   snakemake --cores N --config scale=smoke -- all    the same in seconds, under results/smoke/ only
#
# simulate (experiment x policies x block of runs) -> summarise -> draw, and simulate -> judge (claims) -> verify, and all
# of it -> report. The rules share the functions of rules/common.smk.

from snakemake.utils import min_version

min_version("9.0")


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"


wildcard_constraints:
    paper=one_of(PAPERS),
    experiment=one_of(e for paper in PAPERS.values() for e in paper.experiments),
    first="[0-9]+",
    last="[0-9]+",
    figure=one_of(f for paper in PAPERS.values() for f in paper.figures),
    table="table[0-9]+",


include: "workflow/rules/news.smk"
include: "workflow/rules/simulate.smk"
include: "workflow/rules/summarise.smk"
include: "workflow/rules/draw.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/accounts.smk"
include: "workflow/rules/verify.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/scheduler.smk"
include: "workflow/rules/progress.smk"


rule all:
    default_target: True
    input:
        [results_of(paper) for paper in PAPERS],
        f"{RESULTS}/verification.txt",
        f"{RESULTS}/report.html",
    localrule: True
    message:
        "everything is there"


# A target for each file in config/papers.
for paper in PAPERS:

    rule:
        name:
            paper
        input:
            results_of(paper),
        localrule: True
        message:
            f"all of {paper} is there"


onstart:
    switch_off_rate_limiter(workflow)
    announce_plan(workflow)


onsuccess:
    logger.info(f"\n{verification.closing(PAPERS, Path(RESULTS), Path(FIGURES))}")
