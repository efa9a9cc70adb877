"""Judge every claim of a paper in every reading of its experiments."""

from dpbandits import claims, tables
from dpbandits.errors import told_plainly

with told_plainly(snakemake.log[0]):
    params = snakemake.params
    entries = {
        experiment: [(policy["spec"], policy["traces"]) for policy in policies]
        for experiment, policies in params.policies.items()
    }
    table = claims.table(params.claims, params.experiments, entries, params.seed, params.figures)
    tables.write(snakemake.output[0], table)
