"""What every simulation needs before its first round, as a module that the server imports: kernels and numba's functions."""

from numba.core.registry import cpu_target

import dpbandits.environments.arms
import dpbandits.environments.games
import dpbandits.environments.logs
import dpbandits.simulation
import dpbandits.traces  # noqa: F401

cpu_target.typing_context.refresh()
cpu_target.target_context.refresh()
