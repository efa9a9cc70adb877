"""What every simulation and every summary imports, and numba's functions, which it registers before the first call."""

from contextlib import suppress

with suppress(Exception):  # a job says what is wrong
    from numba.core.registry import cpu_target

    import dpbandits.files.tables
    import dpbandits.simulation  # noqa: F401

    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()
