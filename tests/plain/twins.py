"""The twin of every algorithm on arms, by name."""

from plain import (
    azize2022,
    azize2025,
    baselines,
    hu2022,
    mishra2015,
    sarkar2025,
    tossou2016,
    tossou2017,
)

from dpbandits.policies import POLICIES

OF_ARMS = [name for name, family in POLICIES.known.items() if family == "arms"]
PAPERS = azize2022, azize2025, baselines, hu2022, mishra2015, sarkar2025, tossou2016, tossou2017
TWIN_OF = {
    name: getattr(paper, name) for paper in PAPERS for name in OF_ARMS if hasattr(paper, name)
}
