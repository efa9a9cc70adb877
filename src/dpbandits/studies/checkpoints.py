"""Which rounds of a run are recorded."""

import math
from typing import Annotated

from annotated_types import Ge, Le

from dpbandits.studies.strict_yaml import Written

# A larger number is a typing mistake: 10^30 rounds would have to be counted one by one before they are refused.
Recorded = Annotated[int, Ge(0), Le(10_000)]


class Checkpoints(Written):
    """The rounds after which a run is recorded; the last round always is."""

    first: Recorded = 0  # number of rounds recorded at the beginning of a run
    log: Recorded = 0  # number of rounds evenly spaced in log t
    linear: Recorded = 0  # number of rounds evenly spaced in t
    least: Annotated[int, Ge(1)] = 1  # no round before this one is recorded
    also: list[Annotated[int, Ge(1)]] = []  # further rounds

    def rounds(self, horizon: int) -> tuple[int, ...]:
        """The rounds of a game of this length."""
        chosen = {horizon, *range(1, self.first + 1), *self.also}
        chosen |= {round(math.exp(math.log(horizon) * i / self.log)) for i in range(1, self.log + 1)}
        chosen |= {round(horizon * i / self.linear) for i in range(1, self.linear + 1)}
        return tuple(sorted(t for t in chosen if self.least <= t <= horizon))
