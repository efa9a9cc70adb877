"""Traces: the curves of a block of runs, in a file with its specification and a checksum.

A trace is a plain .npz archive: `t` (the checkpoints), one array (series, run, checkpoint) per quantity, and `header`,
a JSON text with the specification, the runs, and a checksum of everything else. Files are written atomically: a file
with its final name is complete.
"""

import hashlib
import json
import os
import time
import zipfile
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dpbandits.errors import InputError

# The specification that the blocks of a trace must have, their files, and which of its series are an experiment's.
Entry = tuple[Mapping[str, Any], Sequence[str | Path], Sequence[str]]


@dataclass(frozen=True)
class Trace:
    """`values[quantity]` has the axes series, run, checkpoint t."""

    header: dict[str, Any]
    t: np.ndarray
    values: dict[str, np.ndarray]


@contextmanager
def written_whole(path: str | Path):
    """Open a file for atomic writing: it gets its final name when it is complete, and is deleted on any error."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    for stale in path.parent.glob(f".{path.name}.*.part"):  # of a process that was killed, not of one still writing
        with suppress(OSError):
            if time.time() - stale.lstat().st_mtime > 60:
                stale.unlink()
    try:
        with open(draft, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException as error:
        draft.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)
        raise


def write(path: str | Path, trace: Trace) -> None:
    """Write a trace; equal traces give equal bytes."""
    arrays = {"t": trace.t, **trace.values}
    header = {**trace.header, "checksum": _checksum(trace.header, arrays)}
    text = json.dumps(header, sort_keys=True, indent=1)
    with written_whole(path) as file:
        np.savez(file, header=np.array(text), **arrays)


def read(path: str | Path) -> Trace:
    """Read a trace; the error for a missing or damaged file names it and the remedy."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        header = json.loads(str(arrays.pop("header")))
        claimed = header.pop("checksum")
        t = arrays["t"]
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such trace; run the workflow to create it") from None
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError,
            SyntaxError, AttributeError, TypeError, IndexError) as error:  # fmt: skip
        raise InputError(f"{path}: truncated or not a trace ({error}); {_remedy(path)}") from None
    if claimed != _checksum(header, arrays):
        raise InputError(f"{path}: its content does not match its checksum; {_remedy(path)}")
    del arrays["t"]
    return Trace(header, t, arrays)


def read_blocks(paths: Iterable[str | Path], spec: dict[str, Any], series: Iterable[str] | None = None) -> Trace:
    """Join the blocks of a simulation in the order of their runs, with the given series or all of them.

    Each block must match the specification.
    """
    wanted = json.loads(json.dumps({key: value for key, value in spec.items() if key != "checkpoints"}))
    blocks = []
    for path in paths:
        trace = read(path)
        for key, value in wanted.items():
            if trace.header.get(key) != value:
                raise InputError(
                    f"{path}: this trace is of another simulation ({key} is {trace.header.get(key)!r}, "
                    f"not {value!r}); {_remedy(path)}"
                )
        if trace.t.tolist() != list(spec["checkpoints"]):
            raise InputError(f"{path}: the checkpoints of this trace are not those of the paper file; {_remedy(path)}")
        blocks.append((trace.header["runs"][0], trace))
    blocks.sort(key=lambda block: block[0])
    chosen = list(wanted["series"] if series is None else series)
    rows = [list(wanted["series"]).index(one) for one in chosen]
    values = {
        name: np.concatenate([trace.values[name][rows] for _, trace in blocks], axis=1) for name in blocks[0][1].values
    }
    return Trace({**wanted, "series": {one: wanted["series"][one] for one in chosen}}, blocks[0][1].t, values)


def _remedy(path: str | Path) -> str:
    return f"delete it (rm '{path}') and run the same command again: only this block is simulated again"


def _checksum(header: dict[str, Any], arrays: dict[str, np.ndarray]) -> str:
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def entries_of(parts: Mapping[str, Iterable[Mapping[str, Any]]]) -> dict[str, list[Entry]]:
    """Experiment -> its entries, from mappings with their names as the workflow's rules have them."""
    return {id: [(part["spec"], part["files"], part["series"]) for part in listed] for id, listed in parts.items()}
