"""Python imports this first in every job (`PYTHONPATH`, set by `dpbandits_jobs.use_startup`). A job is a script of a rule.

Ctrl-C in a job that is still importing ends it without Python's traceback of a KeyboardInterrupt.
`dpbandits.errors.run_job` takes over from there. And if there is a server for the script (`dpbandits_jobs`), a fork of it
does the job, and this process ends as that one does.
"""

import _signal  # what `signal` is made of: it takes no time to import
import os
import sys


def _done_by_server(server, script):
    """The status with which a fork of the server ended after doing this job; None if it did not begin."""
    import _socket
    import marshal
    from array import array

    request = marshal.dumps((script, os.getcwd(), dict(os.environ)))
    connection = _socket.socket(_socket.AF_UNIX)
    begun = status = b""
    try:
        connection.connect(server)
        descriptors = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, array("i", [0, 1, 2]))]
        connection.sendmsg([len(request).to_bytes(8, "big")], descriptors)
        connection.sendall(request)
        begun = connection.recv(1)
        status = connection.recv(4)
    except OSError:
        pass
    if not begun:
        return None
    return int.from_bytes(status, "big") if status else _signal.SIGKILL  # the server was killed, and so was the job


def _end_with(status):
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


_script = sys.orig_argv[-1]  # .snakemake/scripts/tmp01abcdef.draw.py
if "/.snakemake/scripts/" in _script:
    _hears_ctrl_c = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler  # a background shell ignores it
    _python, _server, *_scripts = (os.environ.get("DPBANDITS_SERVER") or "\n").split("\n")
    if _python == sys.executable and _script.split(".")[-2] in _scripts:
        _signal.signal(_signal.SIGINT, _signal.SIG_IGN)  # Ctrl-C reaches the fork, too
        if (_status := _done_by_server(_server, _script)) is not None:
            _end_with(_status)
    if _hears_ctrl_c:
        _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

from importlib.machinery import PathFinder  # noqa: E402

_here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [folder for folder in sys.path if os.path.abspath(folder) != _here]
if _hidden := PathFinder.find_spec(__name__):  # the machine's own module of this name, which this one hides
    _hidden.loader.exec_module(sys.modules[__name__])
