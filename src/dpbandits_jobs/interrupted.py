"""Whether Ctrl-C came while the server imported: its last import, before Python's forkserver drops the signal."""

import signal

INTERRUPTED = signal.SIGINT in signal.sigpending()
