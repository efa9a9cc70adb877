"""Judge one test, or those of one sentence, and print the verdicts."""

from dpbandits import files
from dpbandits.errors import run_job
from dpbandits.verdicts import judging, sentences, tables

with run_job(snakemake.log[0]):
    params = snakemake.params
    rows = judging.rows_of(**params.given)
    texts = [sentences.as_text(params.study["study"], name, rows) for name in params.sentences]
    texts += [tables.verdicts_as_text(rows, test) for test in dict.fromkeys(row["claim"] for row in rows)]
    text = "\n".join(texts)
    with files.written_whole(snakemake.output[0]) as file:
        file.write(text.encode())
    print(text, end="")
