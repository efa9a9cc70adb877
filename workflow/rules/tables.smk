# All tables and figures, as the registry says (src/dpbandits/plan/registry.py).


# Summaries of runs, verdicts, accounts of privacy, scores.
use rule simulate as table with:
    output:
        f"{RESULTS}/{{made}}.csv",
    wildcard_constraints:
        made=one_of(PLAN.tables.keys() - AUDITED),
    message:
        "make the table {wildcards.made}"


# Games on neighbouring inputs, which take minutes.
use rule table as audit_study with:
    wildcard_constraints:
        made=one_of(AUDITED),


# A figure, in every format that config.yaml asks for, and a small picture of it for the page.
use rule simulate as draw with:
    input:
        lambda wildcards: PLAN.figures[wildcards.figure].files,
    output:
        expand(f"{PLAN.top}figures/{{figure}}.{{format}}", format=config["formats"], allow_missing=True),
        report(f"{RESULTS}/pictures/{{figure}}.png", category="figures", labels={"figure": "{figure}"}),
        f"{RESULTS}/pictures/{{figure}}.svg",
    log:
        f"{LOG}/draw/{{figure}}.log",
    wildcard_constraints:
        figure=one_of(PLAN.figures),
    params:
        job=lambda wildcards: PLAN.figures[wildcards.figure].job,
    message:
        "draw {wildcards.figure}"


# One test or one sentence, printed and written: snakemake --cores 2 claims/azize2022/D4, or sentences/azize2022/S3, runs
# only what that test, or the tests of that sentence, need.
use rule simulate as judge_one with:
    output:
        f"{PLAN.top}{{made}}",
    wildcard_constraints:
        made=one_of(PLAN.asked),
    message:
        "judge {wildcards.made}"
