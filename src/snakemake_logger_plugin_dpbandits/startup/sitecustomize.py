"""Python imports this first in every job (`PYTHONPATH`, set by the logger plugin). A job is a script of a rule.

Ctrl-C in a job that is still importing ends it without Python's traceback of a KeyboardInterrupt.
`dpbandits.errors.run_job` takes over from there.
"""

import _signal  # what `signal` is made of: it takes no time to import
import os
import sys

_is_job = any("/.snakemake/scripts/" in word for word in sys.orig_argv)
_hears_ctrl_c = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler  # a background shell ignores it
if _is_job and _hears_ctrl_c:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

from importlib.machinery import PathFinder  # noqa: E402

_here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder) != _here]
if _hidden := PathFinder.find_spec(__name__):  # the machine's own module of this name, which this one hides
    _hidden.loader.exec_module(sys.modules[__name__])
