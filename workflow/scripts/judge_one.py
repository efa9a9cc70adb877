"""Judge one claim of a paper in every reading of its experiments; print the verdicts and write them."""

from dpbandits import claims
from dpbandits.arena import cells
from dpbandits.claims import scoreboard
from dpbandits.errors import run_job
from dpbandits.files import traces

with run_job(snakemake.log[0]):
    params = snakemake.params
    entries = traces.entries_of(params.traces)
    audits = snakemake.input.audits  # read for claims about the cells of an arena
    field = cells.read(params.arena["arena"], params.experiments, entries, audits[0]) if audits else None
    undrawn = {experiment.id: [] for experiment in params.experiments}
    rows = claims.judge_all(params.claims, params.experiments, entries, params.seed, undrawn, field)
    text = scoreboard.verdicts_as_text(params.claims[0], rows)
    with traces.written_whole(snakemake.output[0]) as file:
        file.write(text.encode())
    print(text, end="")
