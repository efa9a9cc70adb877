"""Judge one claim, or those of one sentence, and print the verdicts."""

from dpbandits import files
from dpbandits.errors import run_job
from dpbandits.verdicts import judging, scoreboard, sentences

with run_job(snakemake.log[0]):
    params = snakemake.params
    rows = judging.rows_of(**params.given)
    texts = [sentences.as_text(said, sentences.judged(said, paper, rows)) for said, paper in params.sentences]
    texts += [scoreboard.verdicts_as_text(claim, rows) for claim in params.given["claims"]]
    text = "\n".join(texts)
    with files.written_whole(snakemake.output[0]) as file:
        file.write(text.encode())
    print(text, end="")
