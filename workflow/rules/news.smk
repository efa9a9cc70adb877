# Yahoo!'s news log R6A, for who has it: config.yaml, r6a: <folder>. One pass over the files makes compact records, which every
# policy is then played on. And the way back: our synthetic log in R6A's format, to try that way with.
#
#   snakemake --cores 2 --config scale=smoke -- synthetic_log
#   snakemake --cores 2 --config scale=smoke r6a=results/smoke/synthetic-r6a -- mishra2015

from dpbandits.provenance import fingerprint

RECORDS = [f"{RESULTS}/news/{name}" for name in ("events.bin", "tables.npz", "report.json")]


def recorded(environment):
    """The files that an experiment on a recorded log reads."""
    return RECORDS[:2] if environment["kind"] == "news_log" else []


rule read_log:
    input:
        [str(file) for file in R6A],
    output:
        RECORDS,
    params:
        code=fingerprint("environments.logs._r6a"),
    log:
        f"{RESULTS}/logs/read_log.log",
    message:
        "read the news log, {input[0]} and so on"
    script:
        "../scripts/read_log.py"


# The log of the first run of an experiment, with every event in it.
SYNTHETIC = ("mishra2015", "fig2a")


rule write_log:
    output:
        directory(f"{RESULTS}/synthetic-r6a"),
    params:
        spec=lambda wildcards: {
            **PAPERS[SYNTHETIC[0]].experiments[SYNTHETIC[1]].spec("lin-ucb", config["seed"]),
        },
        code=fingerprint("environments.logs._r6a", "environments.logs.news"),
    log:
        f"{RESULTS}/logs/write_log.log",
    message:
        "write a synthetic log in the format of R6A"
    script:
        "../scripts/write_log.py"


rule synthetic_log:
    input:
        f"{RESULTS}/synthetic-r6a",
    message:
        "a synthetic log in the format of R6A is in {input}"
