"""The mean number of rounds per block of a kernel: run it as Python and count the calls with which a block begins."""

import importlib
import sys
from collections.abc import Callable, Sequence

ARMS = "dpbandits.algorithms.arms"


def mean_block(run: Callable[[], object], kernels: Sequence[str], begins: str, horizon: int) -> float:
    """Rounds per block of `run()`, with these kernels ("module.kernel") run as Python and the calls of `begins`
    counted.

    A kernel is replaced in every module that has imported it. Of the calls of `largest`, for the leader and for its
    rival, only those for the leader are counted.
    """
    begun = 0

    def counted(*arguments):
        nonlocal begun
        # The last argument of `largest` is the arm to leave out: for the leader their number, which is none of them.
        begun += begins != "_index.largest" or arguments[-1] == len(arguments[1])
        return block(*arguments)

    def named(name):
        module, kernel = name.split(".")
        return getattr(importlib.import_module(f"{ARMS}.{module}"), kernel)

    block = named(begins)
    replacements = {id(kernel): (kernel, kernel.py_func) for kernel in map(named, kernels)} | {
        id(block): (block, counted)
    }
    modules = [module for name, module in sys.modules.items() if name.startswith(ARMS)]
    places = [(m, name, id(value)) for m in modules for name, value in vars(m).items() if id(value) in replacements]
    for module, name, key in places:
        setattr(module, name, replacements[key][1])
    try:
        run()
    finally:
        for module, name, key in places:
            setattr(module, name, replacements[key][0])
    return horizon / begun
