# The whole workflow at a glance.
#
#   snakemake --cores N                                everything: figures, claims, verification
#   snakemake --cores N tossou2016                     one paper
#   snakemake --cores N figures/tossou2016/fig2a.pdf   one panel, and nothing that it does not need
#   snakemake --cores N claims | verify | report       the verdicts; the comparison with reference/; one page of it all
#   snakemake --cores N --config scale=smoke -- all    the same in seconds, under results/smoke/ only
#
# simulate (experiment x policy x block of runs) -> summarise -> draw, and simulate -> judge (claims) -> verify, and all of it -> report.

import re
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.utils import min_version

from dpbandits import checks, papers
from dpbandits.environments.logs import _r6a
from dpbandits.errors import InputError

min_version("9.0")


configfile: "config/config.yaml"


report: "workflow/report/workflow.rst"


SCHEMAS = Path(workflow.basedir) / "workflow/schemas"
try:
    papers.validated(config, SCHEMAS / "config.schema.yaml", "config/config.yaml")
    PAPERS = {
        path.stem: papers.load(path, SCHEMAS / "paper.schema.yaml", config["scale"], config.get("guests"))
        for path in sorted(Path("config/papers").glob("*.yaml"))
    }
    R6A = _r6a.days(config["r6a"]) if config.get("r6a") else []  # the real news log, where somebody has it
    RESULTS = f"results/{config['scale']}" + ("-r6a" if R6A else "")
    if R6A:
        real = {"kind": "news_log", "source": _r6a.source(config["r6a"]), "folder": f"{RESULTS}/news"}
        PAPERS = {name: papers.instead(paper, "news", real, keep=("live",)) for name, paper in PAPERS.items()}
    for paper in PAPERS.values():
        checks.check(paper)
except InputError as error:
    raise WorkflowError(str(error)) from None

FIGURES = "figures" if RESULTS == "results/paper" else f"{RESULTS}/figures"
REFERENCE = RESULTS.replace("results", "reference") if RESULTS != "results/paper" else "reference"


def one_of(names):
    """A wildcard that takes one of these names and nothing else: a misspelt file is refused, not half made."""
    return "|".join(sorted(map(re.escape, set(names)))) or "(?!)"


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


def made_of(paper):
    """Everything that a paper's target makes."""
    return [*figures_of(paper), *summaries_of(paper), claims_of(paper), *tables_of(paper)]


include: "workflow/rules/verify.smk"
include: "workflow/rules/report.smk"


# What runs where Snakemake runs, if there is a cluster: everything but the simulations that are worth submitting.
localrules:
    all,
    tossou2016,
    tossou2017,
    azize2022,
    mishra2015,
    sarkar2025,
    simulate_here,
    summarise,
    draw,
    judge,
    claims,
    tabulate,
    account,
    compare,
    verify,
    report,
    reference,
    synthetic_log,


rule all:
    default_target: True
    input:
        [made_of(paper) for paper in PAPERS],
        f"{RESULTS}/verification.txt",
        f"{RESULTS}/report.html",
    message:
        "everything is there"


rule tossou2016:
    input:
        lambda wildcards: made_of("tossou2016"),
    message:
        "all of tossou2016 is there"


rule tossou2017:
    input:
        lambda wildcards: made_of("tossou2017"),
    message:
        "all of tossou2017 is there"


rule azize2022:
    input:
        lambda wildcards: made_of("azize2022"),
    message:
        "all of azize2022 is there"


rule mishra2015:
    input:
        lambda wildcards: made_of("mishra2015"),
    message:
        "all of mishra2015 is there"


rule sarkar2025:
    input:
        lambda wildcards: made_of("sarkar2025"),
    message:
        "all of sarkar2025 is there"


onsuccess:
    print("\n" + verification.closing(PAPERS, Path(RESULTS), Path(FIGURES)))
