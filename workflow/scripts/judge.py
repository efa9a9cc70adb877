"""Judge one test, or those of one sentence, and print the verdicts."""

from dpbandits import files
from dpbandits.errors import run_job
from dpbandits.verdicts import judging, sentences, tables

with run_job(snakemake.log[0]):
    params = snakemake.params
    tests = judging.table(**params.given)
    texts = [sentences.as_text(params.study["study"], name, tests) for name in params.sentences]
    texts += [tables.as_text(rows) for _, rows in tests.groupby("claim", sort=False)]
    text = "\n".join(texts)
    with files.written_whole(snakemake.output[0]) as file:
        file.write(text.encode())
    print(text, end="")
