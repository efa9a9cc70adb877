"""Draw a figure of a paper."""

from dpbandits import figures
from dpbandits.audit import findings
from dpbandits.errors import run_job

with run_job(snakemake.log[0]):
    job, files = snakemake.params.job, snakemake.input
    # Labels mark promises that are not kept. Footnotes name policies that are not private.
    verdicts = findings.refuted(files.replays)
    refuted = [mechanism for mechanism in verdicts if verdicts[mechanism] == findings.NOT_KEPT]
    figures.make(
        job.figure,
        [experiment.refuting(refuted) for experiment in job.experiments],
        files.summaries,
        files.published,
        job.estimator,
        snakemake.output,
    )
