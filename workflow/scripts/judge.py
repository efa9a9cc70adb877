"""Judge every claim of a study in every reading of its experiments; or one claim, whose verdicts are also printed."""

from dpbandits import claims
from dpbandits.arena import cells
from dpbandits.claims import scoreboard
from dpbandits.errors import run_job
from dpbandits.files import tables, traces

with run_job(snakemake.log[0]):
    params = snakemake.params
    entries = traces.entries_of(params.traces)
    audits = snakemake.input.audits  # read for claims about the cells of an arena
    field = cells.read(params.arena["arena"], params.experiments, entries, audits[0]) if audits else None
    rows = claims.judge_all(params.claims, params.experiments, entries, params.seed, params.figures, field)
    if snakemake.rule == "judge_one":
        text = scoreboard.verdicts_as_text(params.claims[0], rows)
        with traces.written_whole(snakemake.output[0]) as file:
            file.write(text.encode())
        print(text, end="")
    else:
        tables.write(snakemake.output[0], claims.as_table(rows))
