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
import runpy
import selectors
import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

PATIENCE = 5  # seconds for a request to arrive; one that was stopped in between must not keep all others waiting
HEADER = 8  # bytes of the length of a request
BEGUN = b"b"
PR_SET_PDEATHSIG = 1


class Request(NamedTuple):
    script: str
    folder: str
    environment: dict[str, str]
    descriptors: list[int]


class Job(NamedTuple):
    pid: int
    ended: int  # a descriptor that becomes readable when the process has ended
    asked_by: socket.socket  # becomes readable when whoever asked has gone away


class Server:
    """The jobs that are running, and whom to tell how they end."""

    def __init__(self, listener: socket.socket):
        self.pid = os.getpid()
        self.listener: socket.socket | None = listener  # None when no more jobs are accepted
        self.jobs: set[Job] = set()
        self.selector = selectors.DefaultSelector()
        self.selector.register(listener, selectors.EVENT_READ)
        self.selector.register(0, selectors.EVENT_READ)

    def serve(self) -> Request:
        """Fork for every request, until standard input is closed and no job is left. Returns in forks only."""
        while self.listener or self.jobs:
            for key, _ in self.selector.select():
                if key.fileobj == 0:
                    self._close()
                elif key.data in self.jobs:
                    self._finish(key.data, gone=key.fileobj is key.data.asked_by)
                elif key.fileobj is self.listener and (request := self._accepted()):
                    return request
        os._exit(0)

    def _accepted(self) -> Request | None:
        """Fork for the next request; the request in the fork, None in this process."""
        asked_by = self.listener.accept()[0]
        pid, request = None, _received(asked_by)
        with suppress(OSError):  # there may be too many processes
            pid = os.fork() if request else None
        if pid == 0:
            self._leave()
            asked_by.close()
            return request
        for descriptor in request.descriptors if request else ():
            os.close(descriptor)
        if pid is None:
            asked_by.close()  # a job that gets no answer runs in its own Python
            return None
        job = Job(pid, os.pidfd_open(pid), asked_by)
        self.jobs.add(job)
        for file in (job.ended, job.asked_by):
            self.selector.register(file, selectors.EVENT_READ, job)
        with suppress(OSError):
            asked_by.send(BEGUN)
        return None

    def _leave(self) -> None:
        """In a fork, close what belongs to the server and to other jobs, and end when the server is killed."""
        for key in list(self.selector.get_map().values()):
            if isinstance(key.fileobj, int):
                os.close(key.fileobj)
            else:
                key.fileobj.close()
        self.selector.close()
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != self.pid:  # it was killed before
            os._exit(1)

    def _finish(self, job: Job, gone: bool) -> None:
        """Tell who asked how a job has ended; end it if nobody is there any more."""
        if gone:
            os.kill(job.pid, signal.SIGKILL)
        status = os.waitpid(job.pid, 0)[1]
        with suppress(OSError):
            job.asked_by.send(status.to_bytes(4, "big"))
        for file in (job.ended, job.asked_by):
            self.selector.unregister(file)
        os.close(job.ended)
        job.asked_by.close()
        self.jobs.remove(job)

    def _close(self) -> None:
        """Accept no more jobs, and remove the socket with its folder."""
        self.selector.unregister(0)
        self.selector.unregister(self.listener)
        path = Path(self.listener.getsockname())
        self.listener.close()
        self.listener = None
        with suppress(OSError):
            path.unlink()
            path.parent.rmdir()


def _received(connection: socket.socket) -> Request | None:
    """The request that comes through a connection; None if it does not arrive."""
    connection.settimeout(PATIENCE)
    descriptors: list[int] = []
    try:
        header, descriptors, _, _ = socket.recv_fds(connection, HEADER, 3)
        with connection.makefile("rb") as stream:
            content = stream.read(int.from_bytes(header, "big"))
        return Request(*marshal.loads(content), descriptors)
    except (OSError, EOFError, ValueError, TypeError):
        for descriptor in descriptors:
            os.close(descriptor)
        return None


def take_over(request: Request) -> None:
    """Make this process what a Python started with the script would be."""
    for own, lent in enumerate(request.descriptors):
        os.dup2(lent, own)
        os.close(lent)
    os.chdir(request.folder)
    os.environ.clear()
    os.environ.update(request.environment)
    sys.argv = [request.script]
    sys.path[0] = str(Path(request.script).parent)


if __name__ == "__main__":
    hears_ctrl_c = signal.signal(signal.SIGINT, signal.SIG_IGN) is signal.default_int_handler
    for name in sys.argv[2:]:
        with suppress(Exception):  # a job that needs it says what is wrong with it
            importlib.import_module(name)
    gc.freeze()  # forks need not look through what was imported
    request = Server(socket.socket(fileno=int(sys.argv[1]))).serve()
    if hears_ctrl_c:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # as `startup` does
    take_over(request)
    runpy.run_path(request.script, run_name="__main__")
