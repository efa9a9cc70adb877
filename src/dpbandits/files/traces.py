"""Old names of what is in dpbandits.files, until all rooms use the new ones."""

from dpbandits.files import Entry, Trace, read_blocks, written_whole  # noqa: F401
from dpbandits.files import read_trace as read  # noqa: F401
from dpbandits.files import write_trace as write  # noqa: F401


def entries_of(parts):
    return dict(parts)
