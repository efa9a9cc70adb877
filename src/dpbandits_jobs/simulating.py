"""What every simulation needs before its first round, as a module that the server imports: kernels and numba's functions."""

from numba.core.registry import cpu_target

cpu_target.typing_context.refresh()
cpu_target.target_context.refresh()
