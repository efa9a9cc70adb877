"""Random streams: one independent stream for each (seed, paper, experiment, policy, run).

The stream of a run depends on the run's name only, so a run gives the same numbers alone or among thousands, in any
block, in any order, on any number of cores.
"""

import hashlib

import numpy as np


def stream(seed: int, *name: str | int) -> np.random.Generator:
    """The generator of this name. Names are hashed, so the streams of consecutive runs are unrelated."""
    key = "/".join(str(part) for part in (seed, *name))
    entropy = int.from_bytes(hashlib.sha256(key.encode()).digest(), "little")
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(entropy)))
