"""Write the table of sentences, with the verdict on each, from the claims tables of all papers."""

from dpbandits.errors import run_job
from dpbandits.files import tables
from dpbandits.verdicts import scoreboard, sentences

with run_job(snakemake.log[0]):
    papers = snakemake.params.papers.values()
    read = map(scoreboard.read_claims, snakemake.input)
    rows = sentences.table(zip(papers, read, strict=True))
    tables.write(snakemake.output[0], {name: [row[name] for row in rows] for name in sentences.COLUMNS})
