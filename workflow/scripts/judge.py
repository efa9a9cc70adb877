"""Judge every claim of a paper in every reading of its experiments."""

from dpbandits import claims
from dpbandits.errors import run_job
from dpbandits.files import tables

with run_job(snakemake.log[0]):
    params = snakemake.params
    entries = {
        experiment: [(part["spec"], part["files"], part["series"]) for part in parts]
        for experiment, parts in params.traces.items()
    }
    rows = claims.judge_all(params.claims, params.experiments, entries, params.seed, params.figures)
    tables.write(snakemake.output[0], claims.as_table(rows))
