"""A process that has imported modules and forks for each job: `python -m dpbandits_jobs.server LISTENER MODULE...`.

LISTENER is the descriptor of a listening socket. It ends when its standard input is closed, with the process that
started it, and no job is left. Whoever asks for a job sends the script, the folder, the environment and three
descriptors, gets a byte when the job has begun, and then its status; if it goes away before, the job is killed.
"""

import ctypes
import gc
import importlib
import marshal
import os
import selectors
import signal
import socket
import sys
import types
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

PATIENCE = 10  # seconds for a request to arrive; one that was stopped in between must not keep all others waiting
HEADER = 8  # bytes of the length of a request
BEGUN = b"b"
PR_SET_PDEATHSIG = 1
CDLL = ctypes.CDLL(None)


class Request(NamedTuple):
    script: str
    folder: str
    environment: dict[str, str]
    descriptors: list[int]


class Job(NamedTuple):
    pid: int
    ended: int  # a descriptor that becomes readable when the process has ended
    asked_by: socket.socket


def fork_for_each_request(listener: socket.socket) -> Request:
    """Serve requests until standard input is closed and no job is left. Returns in forks only, with their request."""
    selector, server = selectors.DefaultSelector(), os.getpid()
    selector.register(listener, selectors.EVENT_READ)
    selector.register(0, selectors.EVENT_READ)
    accepting, jobs = True, set()
    while accepting or jobs:
        for key, _ in selector.select():
            if key.fileobj == 0:
                accepting = False
                selector.unregister(0)
                selector.unregister(listener)
                _close(listener)
            elif key.fileobj is listener:
                if accepting and (request := _received(asked_by := listener.accept()[0])):
                    pid = os.fork()
                    if pid == 0:
                        _leave_all_others(selector)
                        asked_by.close()
                        CDLL.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
                        if os.getppid() != server:  # it was killed in between
                            os._exit(1)
                        return request
                    for descriptor in request.descriptors:
                        os.close(descriptor)
                    job = Job(pid, os.pidfd_open(pid), asked_by)
                    jobs.add(job)
                    selector.register(job.ended, selectors.EVENT_READ, job)
                    selector.register(asked_by, selectors.EVENT_READ, job)
                    with suppress(OSError):
                        asked_by.send(BEGUN)
            elif key.data in jobs:
                job = key.data
                if key.fileobj is job.asked_by:
                    os.kill(job.pid, signal.SIGKILL)
                status = os.waitpid(job.pid, 0)[1]
                selector.unregister(job.ended)
                selector.unregister(job.asked_by)
                with suppress(OSError):
                    job.asked_by.send(status.to_bytes(4, "big"))
                os.close(job.ended)
                job.asked_by.close()
                jobs.remove(job)
    os._exit(0)


def _received(connection: socket.socket) -> Request | None:
    """The request that comes through a connection; None, and the connection closed, if it does not arrive."""
    connection.settimeout(PATIENCE)
    descriptors = []
    try:
        header, descriptors, _, _ = socket.recv_fds(connection, HEADER, 3)
        with connection.makefile("rb") as stream:
            content = stream.read(int.from_bytes(header, "big"))
        return Request(*marshal.loads(content), descriptors)
    except (OSError, EOFError, ValueError, TypeError):
        for descriptor in descriptors:
            os.close(descriptor)
        connection.close()
        return None


def _leave_all_others(selector: selectors.BaseSelector) -> None:
    """Close, in a fork, what belongs to the server and to other jobs."""
    for key in list(selector.get_map().values()):
        if isinstance(key.fileobj, int):
            os.close(key.fileobj)
        else:
            key.fileobj.close()
    selector.close()


def _close(listener: socket.socket) -> None:
    """Close the socket and remove it with its folder, so that nobody asks any more."""
    path = Path(listener.getsockname())
    listener.close()
    with suppress(OSError):
        path.unlink()
        path.parent.rmdir()


def become(job: Request) -> types.ModuleType:
    """Take over what a Python started with this script would have; the module in which the script is to be executed."""
    for own, lent in enumerate(job.descriptors):
        os.dup2(lent, own)
        os.close(lent)
    os.chdir(job.folder)
    os.environ.clear()
    os.environ.update(job.environment)
    sys.argv = [job.script]
    sys.path[0] = str(Path(job.script).parent)
    module = types.ModuleType("__main__")
    module.__file__ = job.script
    sys.modules["__main__"] = module
    return module


if __name__ == "__main__":
    hears_ctrl_c = signal.signal(signal.SIGINT, signal.SIG_IGN) is signal.default_int_handler
    for name in sys.argv[2:]:
        with suppress(Exception):  # a job that needs it says what is wrong with it
            importlib.import_module(name)
    gc.freeze()  # forks need not look through what was imported
    request = fork_for_each_request(socket.socket(fileno=int(sys.argv[1])))
    if hears_ctrl_c:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # as `startup` does
    main = become(request)
    exec(compile(Path(request.script).read_bytes(), request.script, "exec"), main.__dict__)
