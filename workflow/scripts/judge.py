"""Judge every claim of a study in every reading of its experiments; or one claim, or those of one sentence, and print it."""

from dpbandits import verdicts
from dpbandits.arena import cells
from dpbandits.errors import run_job
from dpbandits.files import tables, traces
from dpbandits.verdicts import scoreboard, sentences

with run_job(snakemake.log[0]):
    params = snakemake.params
    entries = traces.entries_of(params.traces)
    table, arena = snakemake.input.audits, params.arena["arena"]
    field = cells.read(arena, params.experiments, entries, table[0]) if arena and table else None
    audits = tables.rows(table[0]) if table else []
    rows = verdicts.judge_all(params.claims, params.experiments, entries, params.seed, params.figures, field, audits)
    if snakemake.wildcards.get("asked"):
        texts = [sentences.as_text(said, sentences.judged(said, paper, rows)) for said, paper in params.sentences]
        texts += [scoreboard.verdicts_as_text(claim, rows) for claim in params.claims]
        text = "\n".join(texts)
        with traces.written_whole(snakemake.output[0]) as file:
            file.write(text.encode())
        print(text, end="")
    else:
        tables.write(snakemake.output[0], verdicts.as_table(rows))
