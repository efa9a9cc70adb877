"""Judge one claim of a paper in every reading of its experiments; print the verdicts and write them."""

from dpbandits import claims
from dpbandits.claims import scoreboard
from dpbandits.errors import run_job
from dpbandits.files import traces

with run_job(snakemake.log[0]):
    params = snakemake.params
    entries = {
        experiment: [(part["spec"], part["files"], part["series"]) for part in parts]
        for experiment, parts in params.traces.items()
    }
    undrawn = {experiment.id: [] for experiment in params.experiments}
    rows = claims.judge_all(params.claims, params.experiments, entries, params.seed, undrawn)
    text = scoreboard.verdicts_as_text(params.claims[0], rows)
    with traces.written_whole(snakemake.output[0]) as file:
        file.write(text.encode())
    print(text, end="")
