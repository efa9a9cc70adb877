# The whole workflow at a glance.
#
#   snakemake --cores N                                everything: figures, claims, verification
#   snakemake --cores N tossou2016                     one paper
#   snakemake --cores N figures/tossou2016/fig2a.pdf   one panel, and nothing that it does not need
#   snakemake --cores N claims | verify                the verdicts; the comparison with reference/
#   snakemake --cores N --config scale=smoke -- all    the same in seconds, under results/smoke/ only
#
# simulate (experiment x policy x block of runs) -> summarise -> draw, and simulate -> judge (claims) -> verify.

from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.utils import min_version

from dpbandits import checks, papers
from dpbandits.errors import InputError

min_version("9.0")


configfile: "config/config.yaml"


SCHEMAS = Path(workflow.basedir) / "workflow/schemas"
try:
    papers.validated(config, SCHEMAS / "config.schema.yaml", "config/config.yaml")
    PAPERS = {
        path.stem: papers.load(path, SCHEMAS / "paper.schema.yaml", config["scale"])
        for path in sorted(Path("config/papers").glob("*.yaml"))
    }
    for paper in PAPERS.values():
        checks.check(paper)
except InputError as error:
    raise WorkflowError(str(error)) from None

RESULTS = f"results/{config['scale']}"
FIGURES = "figures" if config["scale"] == "paper" else f"{RESULTS}/figures"
REFERENCE = "reference" if config["scale"] == "paper" else f"reference/{config['scale']}"


wildcard_constraints:
    paper="[a-z]+[0-9]{4}",
    experiment="(fig|s-)[a-z0-9-]+([.]corrected)?",
    policy="[a-z0-9][a-z0-9.-]*",
    first="[0-9]+",
    last="[0-9]+",
    figure="(fig|s-)[a-z0-9-]+([.]corrected)?",


include: "workflow/rules/simulate.smk"
include: "workflow/rules/summarise.smk"
include: "workflow/rules/draw.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/verify.smk"


localrules:
    all,
    tossou2016,
    claims,
    verify,
    reference,


rule all:
    default_target: True
    input:
        [figures_of(paper) for paper in PAPERS],
        [claims_of(paper) for paper in PAPERS],
        f"{RESULTS}/verification.txt",


rule tossou2016:
    input:
        figures_of("tossou2016"),
        claims_of("tossou2016"),


onsuccess:
    print("\n" + verification.closing(PAPERS, Path(RESULTS), Path(FIGURES)))
