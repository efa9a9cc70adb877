"""How many rounds a kernel decides at once: its Python text is run, and the calls with which a block begins are counted."""

import importlib
import sys
from collections.abc import Callable, Sequence

ARMS = "dpbandits.algorithms.arms"


def mean_block(run: Callable[[], object], kernels: Sequence[str], begins: str, horizon: int) -> float:
    """Rounds per block of `run()`, in which these kernels ("module.kernel") are run as Python, and `begins` is counted.

    A kernel is exchanged in every module that has imported it. Of `largest`, which is called for the leader and for its
    rival, the leader's calls count.
    """
    begun = 0

    def counted(*given):
        nonlocal begun
        begun += begins != "_index.largest" or given[-1] == -1
        return block(*given)

    def named(name):
        module, kernel = name.split(".")
        return getattr(importlib.import_module(f"{ARMS}.{module}"), kernel)

    block = named(begins)
    exchanged = {id(kernel): (kernel, kernel.py_func) for kernel in map(named, kernels)} | {id(block): (block, counted)}
    modules = [module for name, module in sys.modules.items() if name.startswith(ARMS)]
    places = [(m, name, id(it)) for m in modules for name, it in vars(m).items() if id(it) in exchanged]
    for module, name, key in places:
        setattr(module, name, exchanged[key][1])
    try:
        run()
    finally:
        for module, name, key in places:
            setattr(module, name, exchanged[key][0])
    return horizon / begun
