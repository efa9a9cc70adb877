"""What every simulation and every summary imports, and numba's functions, which it registers before the first call.

One short game is played, too: a kernel calls functions of numba's own, which are in no cache and which each job would
otherwise compile for itself, and the first kernel that a process loads takes ten times as long as the second.
"""

from contextlib import suppress

with suppress(Exception):  # a job says what is wrong
    from numba.core.registry import cpu_target

    import dpbandits.files.tables  # noqa: F401
    from dpbandits.simulation import simulate

    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()
    environment = {"kind": "bernoulli", "means": [0.5, 0.5]}
    series = {"ucb": {"algorithm": "ucb", "parameters": {}}}
    game = {"paper": "", "stream": "", "seed": 0, "environment": environment, "series": series}
    simulate({**game, "horizon": 2, "checkpoints": [1, 2]}, 0, 0)
