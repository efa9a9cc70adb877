"""Write all events of a synthetic log, that of an experiment's first run, in the format of Yahoo!'s log."""

import numpy as np

from dpbandits import simulation
from dpbandits.environments.logs import _r6a
from dpbandits.errors import run_job
from dpbandits.kernels.streams import stream

with run_job(snakemake.log[0]):
    spec = snakemake.params.spec
    environment = simulation.make_environment({**spec["environment"], "mode": "replay"})
    rng = stream(spec["seed"], spec["paper"], spec["stream"], "environment of", 0)
    log, _ = environment.begin(rng, spec["horizon"], np.array([spec["horizon"]]))
    _r6a.write(snakemake.output[0], log.blocks(), log.articles, spec["horizon"])
