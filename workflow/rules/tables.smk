# All tables, as the registry says (src/dpbandits/plan/registry.py): summaries of runs, verdicts, accounts of privacy, scores.


rule table:
    input:
        lambda wildcards: files_in(PLAN.tables[wildcards.table].given),
    output:
        f"{RESULTS}/{{table}}.csv",
    log:
        f"{LOG}/tables/{{table}}.log",
    conda:
        ENVIRONMENT
    params:
        function=lambda wildcards: PLAN.tables[wildcards.table].function,
        given=lambda wildcards: PLAN.tables[wildcards.table].given,
        code=lambda wildcards: code_of_table(PLAN.tables[wildcards.table].function, PLAN.tables[wildcards.table].given),
    message:
        "make the table {wildcards.table}"
    script:
        "../scripts/table.py"


# Games on neighbouring inputs, which take minutes.
use rule table as audit_study with:
    wildcard_constraints:
        table=one_of(name for name in PLAN.tables if name.startswith("audits/") and name.count("/") > 1),
    resources:
        runtime=minutes,
        mem_mb=megabytes,


ruleorder: audit_study > table


# One test or one sentence, printed and written: snakemake --cores 2 claims/azize2022/D4, or sentences/azize2022/S3, runs
# only what that test, or the tests of that sentence, need.
rule judge_one:
    input:
        lambda wildcards: files_in(judged_in(wildcards)),
    output:
        f"{PLAN.asked_folder}{{asked}}",
    log:
        f"{LOG}/judge/{{asked}}.log",
    conda:
        ENVIRONMENT
    params:
        given=judged_in,
        study=lambda wildcards: {"study": PLAN.asked[wildcards.asked].study},
        sentences=lambda wildcards: PLAN.asked[wildcards.asked].sentences,
        code=lambda wildcards: code_of_table("dpbandits.verdicts.sentences.table", judged_in(wildcards)),
    message:
        "judge {wildcards.asked}"
    script:
        "../scripts/judge.py"
